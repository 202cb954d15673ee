import { describe, expect, test } from "vitest";
import { readHook } from "./read.ts";

const good = { name: "fmt", event: "tool:post_execute", command: "fmt" };

test("a good entry has nothing to complain about", () => {
  expect(readHook(good)).toEqual({ spec: { ...good, type: "command" }, errors: [], warnings: [] });
});

describe("what makes an entry unusable says which key, what it is and what it has to be", () => {
  const rows: [data: object, code: string, text: string, path: (string | number)[]][] = [
    [{ ...good, timeout: "soon" }, "hook/wrong-value", "`timeout`", ["timeout"]],
    [{ ...good, timeout: 0 }, "hook/wrong-value", "a number of seconds", ["timeout"]],
    [{ ...good, priority: "high" }, "hook/wrong-value", "`priority`", ["priority"]],
    [{ ...good, enabled: "yes" }, "hook/wrong-value", "`enabled`", ["enabled"]],
    [{ ...good, on_error: "stop" }, "hook/wrong-value", "`on_error`", ["on_error"]],
    [{ ...good, env: { A: 1 } }, "hook/wrong-value", "`env.A`", ["env", "A"]],
    [{ ...good, tags: ["a", 2] }, "hook/wrong-value", "`tags.1`", ["tags", 1]],
    [{ ...good, type: "comand" }, "hook/wrong-value", "`type`", ["type"]],
    [
      { ...good, working_dir: "/a", workingDir: "/b" },
      "hook/said-twice",
      "`working_dir` and `workingDir`",
      ["workingDir"],
    ],
    [{ matcher: { tools: "bash" }, command: "x" }, "hook/wrong-value", "`matcher.tools`", ["matcher", "tools"]],
    [
      { matcher: { pathPatterns: "*.md" }, command: "x" },
      "hook/wrong-value",
      "`matcher.pathPatterns`",
      ["matcher", "pathPatterns"],
    ],
    [{ matcher: [], command: "x" }, "hook/wrong-value", "`matcher`", ["matcher"]],
  ];
  test.each(rows)("%j", (data, code, text, path) => {
    const { errors } = readHook(data);
    expect(errors.map((error) => error.code)).toEqual([code]);
    expect(errors[0]?.message).toContain(text);
    expect(errors[0]?.path).toEqual(path);
  });

  test("a word that is nearly right is suggested", () => {
    expect(readHook({ ...good, type: "comand" }).errors[0]?.fix).toBe('Did you mean "command"?');
    expect(readHook({ ...good, onError: "contine" }).errors[0]?.fix).toBe('Did you mean "continue"?');
  });

  test("everything that is wrong is said at once", () => {
    const { errors } = readHook({ type: "inline", timeout: 0, priority: "x" });
    expect(errors.map((error) => error.code)).toEqual([
      "hook/wrong-value",
      "hook/wrong-value",
      "hook/no-event",
      "hook/missing",
    ]);
  });
});

describe("what is most likely a mistake is pointed at and does no harm", () => {
  const rows: [data: object, code: string, fix: string][] = [
    [{ ...good, comand: "x" }, "hook/unknown-key", 'Did you mean "command"?'],
    [{ ...good, workng_dir: "x" }, "hook/unknown-key", 'Did you mean "workingDir"?'],
    [{ ...good, x_team: "x" }, "hook/unknown-key", "Remove it."],
    [{ ...good, prompt: "x" }, "hook/other-kind", "Remove it, or change the hook's `type`."],
    [{ command: "x", matcher: { tool: ["bash"] } }, "hook/unknown-condition", 'Did you mean "tools"?'],
  ];
  test.each(rows)("%j", (data, code, fix) => {
    const { errors, warnings } = readHook(data);
    expect(errors).toEqual([]);
    expect(warnings.map((warning) => [warning.code, warning.fix])).toEqual([[code, fix]]);
  });

  test("names that every object has are unknown keys like others", () => {
    const data = JSON.parse('{"event":"*","command":"x","constructor":1,"__proto__":2,"toString":3}');
    const { errors, warnings } = readHook(data);
    expect(errors).toEqual([]);
    expect(warnings.map(({ path }) => path)).toEqual([["constructor"], ["__proto__"], ["toString"]]);
  });
});
