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
    [{ ...good, priority: Number.POSITIVE_INFINITY }, "hook/wrong-value", "a finite number", ["priority"]],
    [{ ...good, env: ["A=1"] }, "hook/wrong-value", "`env` is a list", ["env"]],
    [{ event: "*", url: "http://x", headers: ["a: b"] }, "hook/wrong-value", "`headers` is a list", ["headers"]],
    [{ event: "*", any: [] }, "hook/wrong-value", "`any` is empty; it has to be a list with", ["any"]],
    [{ event: "*", args: [] }, "hook/wrong-value", "`args` is empty; it has to be a program", ["args"]],
    [
      { event: "*", retry: { time: 2, of: { command: "x" } } },
      "hook/wrong-value",
      "`retry` has no `times`",
      ["retry", "times"],
    ],
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

  const day = "a number of seconds above 0 and up to 86400, which is a day";
  test.each<[data: object, what: string, fix: string]>([
    [{ ...good, timeout: 0 }, `is 0; it has to be ${day}`, "Write `timeout: 500ms`, for example."],
    [{ ...good, timeout: 86_401 }, `is 86401; it has to be ${day}`, "Write `timeout: 500ms`, for example."],
    [{ ...good, env: ["A=1"] }, "it has to be an object of `NAME: value`, no list", "Write `env: { NAME: value }`."],
    [{ ...good, env: { A: 1 } }, "`env.A` is 1; it has to be a string", "Put it in quotes."],
    [{ ...good, event: ["a", "b"] }, "`event` is a list; it has to be a string", "`matcher.events`"],
    [{ ...good, command: ["ls", "-l"] }, "`command` is a list; it has to be a string", "a list under `args`"],
    [{ ...good, enabled: "off" }, '`enabled` is "off"; it has to be true or false', "Write `false`, without quotes."],
    [{ ...good, enabled: "Yes" }, "it has to be true or false", "Write `true`, without quotes."],
    [{ ...good, enabled: "soon" }, "it has to be true or false", "Write `true` or `false`, without quotes."],
    [
      { ...good, on_error: "stop" },
      '`on_error` is "stop"; it has to be one of deny, ask, continue',
      "Write `on_error: deny`, for example.",
    ],
    [{ event: "*", rules: "" }, "Inline hook requires 'inline_rules' or 'rules'", "`rules` is empty"],
    [{ event: "*", inlineRules: [] }, "Inline hook requires 'inline_rules'", "`inlineRules` is empty"],
  ])("%j: the message says what to write", (data, what, fix) => {
    const { errors } = readHook(data);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message).toContain(what);
    expect(errors[0]?.fix).toContain(fix);
  });

  test("a part that is nearly there is renamed", () => {
    const { errors } = readHook({ event: "*", retry: { time: 2, of: { command: "x" } } });
    expect(errors.map(({ fix }) => fix)).toEqual(["Rename `time` to `times`."]);
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
    [{ ...good, workng_dir: "x" }, "hook/unknown-key", 'Did you mean "working_dir"?'],
    [{ ...good, workngDir: "x" }, "hook/unknown-key", 'Did you mean "workingDir"?'],
    [{ ...good, onerror: "deny" }, "hook/unknown-key", 'Did you mean "on_error"?'],
    [{ ...good, x_team: "x" }, "hook/unknown-key", "Remove it."],
    [{ ...good, prompt: "x" }, "hook/other-kind", "Remove it, or change the hook's `type`."],
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

test.each(["rules", "inline_rules", "inlineRules"])("`%s` takes rules as a list and as text", (key) => {
  const list = [{ field: "tool", operator: "exists", action: "deny" }];
  expect(readHook({ event: "*", [key]: list })).toMatchObject({
    spec: { type: "inline", inlineRules: list },
    errors: [],
  });
  const text = 'tool exists -> deny("no")';
  expect(readHook({ event: "*", [key]: text })).toMatchObject({ spec: { type: "inline", rules: text }, errors: [] });
});

test("a hook of type internal is told what to write instead, and nothing else", () => {
  const { errors } = readHook({ name: "a", type: "internal", matcher: { events: ["PreToolUse"] } });
  expect(errors).toHaveLength(1);
  expect(errors[0]?.message).toContain('`type` is "internal"');
  expect(errors[0]?.fix).toMatch(/function of the host program, .* `module: \.\/plugins\/name\.ts`/);
});
