import { describe, expect, it } from "vitest";
import { project } from "./sluice.ts";

describe("an event described by hand", () => {
  it.each([
    [["PostToolUse"], "tool:post_execute"],
    [["PostToolUse", "--data", '{"error":"boom"}'], "tool:error"],
    [["post_tool_use:x", "--data", '{"error":"boom"}'], "tool:error"],
    [["PostToolUse", "--data", '{"error":null}'], "tool:post_execute"],
  ])("%j is %s, as everywhere else", (words, type) => {
    const { out } = project().sluice("fire", ...words, "--tool", "x", "--json");
    expect(JSON.parse(out).event).toMatchObject({ type, tool_name: "x" });
  });

  const said = '{"command":"ls"}';
  it.each([
    [["tool:pre_execute:@shell"], '"@shell" is a tool kind, not a tool', "--tool bash"],
    [["PreToolUse", "--tool", "@write"], '"@write" is a tool kind, not a tool', "--tool write"],
    [["PreToolUse", "--args", "5"], "--args is not a JSON object", `--args '{"command":"ls"}'`],
    [["PreToolUse", "--args", "[1]"], "--args is not a JSON object", `--args '{"command":"ls"}'`],
    [["PreToolUse", "--args", "null"], "--args is not a JSON object", `--args '{"command":"ls"}'`],
    [
      ["PreToolUse", "--args", said, "--data", '{"tool_args":{}}'],
      "--args and the `tool_args` of --data set the same field",
      "Keep one",
    ],
    [
      ["PreToolUse", "--args", said, "--data", '{"tool_input":{}}'],
      "--args and the `tool_input` of --data",
      "Keep one",
    ],
    [
      ["UserPromptSubmit", "--prompt", "a", "--data", '{"prompt":"b"}'],
      "--prompt and the `prompt` of --data",
      "Keep one",
    ],
  ])("%j is refused, with the next step", (words, fact, step) => {
    for (const command of ["fire", "explain"]) {
      const { code, err } = project().sluice(command, ...words);
      expect(code).toBe(64);
      expect(err).toContain(fact);
      expect(err).toContain(step);
    }
  });
});

describe("a word that names no event", () => {
  it.each(["rm -rf x", "ls", "git push --force origin main", "make: all", "echo PreToolUse"])(
    "%j is a shell command that is about to run",
    (line) => {
      const { sluice } = project();
      const fired = JSON.parse(sluice("fire", line, "--json").out).event;
      expect(fired).toMatchObject({
        type: "tool:pre_execute",
        tool_name: "bash",
        data: { tool_args: { command: line } },
      });
      expect(JSON.parse(sluice("explain", line, "--json").out).event).toMatchObject({ data: fired.data });
    },
  );

  it("may be of another tool and session", () => {
    const { out } = project().sluice("fire", "ls", "--tool", "run_shell_command", "--session", "s-1", "--json");
    expect(JSON.parse(out).event).toMatchObject({ tool_name: "run_shell_command", session_id: "s-1" });
  });

  it.each(["tool:pre_exec", "PreToolUs", "tool:nope"])("%j was meant as an event, and is refused", (word) => {
    const { code, err } = project().sluice("fire", word);
    expect([code, err]).toEqual([64, expect.stringContaining(`"${word}" is not an event of Sluice`)]);
  });

  it("has to be in quotes where it is more than one", () => {
    const { code, err } = project().sluice("fire", "rm", "-rf", "x");
    expect([code, err]).toEqual([64, expect.stringContaining('Put the command in quotes: sluice fire "rm -rf x"')]);
  });

  it("comes with no input of its own", () => {
    const { code, err } = project().sluice("fire", "ls", "--args", "{}");
    expect([code, err]).toEqual([64, expect.stringContaining('"ls" is not an event')]);
  });
});

describe("sluice events", () => {
  it("tells all that a word hears", () => {
    const { sluice } = project();
    const shown = sluice("events", "PostToolUse").out;
    expect(shown).toContain("tool:post_execute");
    expect(shown).toMatch(/^tool:error .*PostToolUse too/m);
    const names = (...words: string[]) =>
      JSON.parse(sluice("events", ...words, "--json").out).map(({ name }: { name: string }) => name);
    expect(names("PostToolUse", "tool:error")).toEqual(["tool:post_execute", "tool:error"]);
    expect(names("tool:post_execute")).toEqual(["tool:post_execute"]);
  });
});
