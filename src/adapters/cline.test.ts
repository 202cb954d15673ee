import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, openSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decoded, modify, reply, SAID } from "../../tests/adapters/saying.ts";
import type { FittedDecision } from "./adapter.ts";
import { cline } from "./cline.ts";
import { type Payload, Unreadable } from "./payload.ts";

const call = payload("tool_call", { tool_call: { id: "1", name: "run_commands", input: { commands: ["ls", "pwd"] } } });
const result = { id: "1", name: "run_commands", input: { commands: ["ls"] }, output: "a" };
const done = payload("tool_result", { tool_result: result });
const failed = payload("tool_result", { tool_result: { ...result, output: undefined, error: "exit 1" } });
const inEditor = payload("PreToolUse", { preToolUse: { toolName: "execute_command", parameters: { command: "ls" } } });
const afterwards = { toolName: "execute_command", parameters: { command: "ls" }, result: "a" };
const editorDone = payload("PostToolUse", { postToolUse: { ...afterwards, success: true } });
const editorFailed = payload("PostToolUse", { postToolUse: { ...afterwards, success: false } });
const prompt = { userPromptSubmit: { prompt: "do", attachments: [] } };
const cancelled = { cancel: true, errorMessage: "no" };
const context = { contextModification: "know this" };

const TABLE: readonly (readonly [payload: Payload, outcome: FittedDecision, stdout: unknown])[] = [
  [call, SAID.nothing, undefined],
  [call, SAID.approve, undefined],
  [call, SAID.deny, cancelled],
  [call, { ...SAID.deny, context: "w" }, { cancel: true, errorMessage: "no\n\nw" }],
  [call, SAID.context, context],
  [call, modify({ commands: ["ls", "pwd"], command: "true" }), { overrideInput: { commands: ["true"] } }],
  [
    call,
    { ...modify({ command: "true" }), context: "w" },
    { overrideInput: { commands: ["true"] }, contextModification: "w" },
  ],
  [done, SAID.context, context],
  [done, SAID.nothing, undefined],
  [failed, SAID.context, context],
  [inEditor, SAID.nothing, undefined],
  [inEditor, SAID.deny, cancelled],
  [inEditor, SAID.context, context],
  [editorDone, SAID.context, context],
  [editorFailed, SAID.context, context],
  [payload("UserPromptSubmit", prompt), SAID.deny, cancelled],
  [payload("UserPromptSubmit", prompt), SAID.context, context],
  [payload("prompt_submit", prompt), SAID.deny, undefined],
  [payload("TaskStart"), SAID.context, context],
  [payload("TaskResume"), SAID.context, context],
  ...[
    ...["TaskCancel", "TaskComplete", "TaskError", "SessionShutdown", "PreCompact", "Notification", "agent_start"],
    ...["agent_resume", "agent_abort", "agent_end", "agent_error", "session_shutdown"],
  ].map((name): readonly [Payload, FittedDecision, unknown] => [payload(name), SAID.deny, undefined]),
];

describe("Cline", () => {
  it.each(TABLE)("is answered in JSON, with exit code 0: %j, %j", (sent, outcome, stdout) => {
    const answer = reply(cline, sent, outcome);
    expect(answer.stdout).toEqual(stdout);
    expect(answer.exitCode ?? 0).toBe(0);
  });

  it("no hook event is left without a row of this test", () => {
    const tried = new Set(TABLE.map(([sent]) => cline.hookEventOf(sent)));
    expect(Object.keys(cline.hookEvents).filter((name) => !tried.has(name))).toEqual([]);
  });

  it.each([
    [{ commands: ["ls", "pwd"] }, "ls\npwd"],
    [{ commands: "ls" }, "ls"],
    [{ command: "ls" }, "ls"],
    [{ cmd: "ls" }, "ls"],
    [["ls", "pwd"], "ls\npwd"],
    ["ls", "ls"],
    [{ commands: [{ command: "echo", args: ["a b"] }] }, "echo 'a b'"],
  ])("a shell call carries its text, however Cline writes it: %j", (input, command) => {
    const sent = payload("tool_call", { tool_call: { name: "run_commands", input } });
    expect(decoded(cline, sent).data.tool_args).toMatchObject({ command });
  });

  it("both dialects tell the task, the folder and the tool", () => {
    const facts = { sessionId: "task", cwd: "/w" };
    expect(decoded(cline, call)).toMatchObject({ ...facts, toolName: "run_commands", data: { tool_use_id: "1" } });
    expect(decoded(cline, inEditor)).toMatchObject({ ...facts, toolName: "execute_command" });
    expect(decoded(cline, payload("UserPromptSubmit", prompt))).toMatchObject({ ...facts, data: { prompt: "do" } });
  });

  it.each([
    [failed, "exit 1"],
    [editorFailed, "a"],
  ])("a result with an error is a failed tool: %j", (sent, error) => {
    expect(cline.hookEvents[cline.hookEventOf(sent) ?? ""]?.as).toBe("tool:error");
    expect(decoded(cline, sent).data.error).toBe(error);
  });

  it.each([payload("tool_call", { tool_call: { input: {} } }), payload("PreToolUse", { preToolUse: {} })])(
    "a gate without a tool cannot be read: %j",
    (sent) => {
      expect(() => decoded(cline, sent)).toThrow(Unreadable);
    },
  );

  it("is known by its version and the name of its hook, which others have without it", () => {
    expect(cline.recognises(call)).toBe(true);
    expect(cline.recognises({ hookName: "preToolUse", sessionId: "s" })).toBe(false);
  });

  it.runIf(process.platform === "linux")(
    "prints the reason of a denial where its user looks, which is not what it reads",
    () => {
      const { recipe } = cline;
      if (recipe?.kind !== "files") throw new Error("files are expected");
      const command = `cat >/dev/null; echo 'the reason' >&2; printf '{"cancel":true}'`;
      const [gate] = recipe.files("user", [{ hookEvent: "PreToolUse", seconds: 9, gate: true, command }], []);
      const log = join(mkdtempSync(join(tmpdir(), "sluice-cline-")), "stderr.txt");
      // Like Cline, the process around it throws away what a hook prints on its standard error.
      const around = `const hook = { input: "{}", stdio: ["pipe", "pipe", "ignore"] };
      process.stdout.write(require("child_process").execFileSync("sh", ["-c", process.env.PROGRAM], hook));`;
      const { stdout } = spawnSync(process.execPath, ["-e", around], {
        encoding: "utf8",
        env: { ...process.env, PROGRAM: gate?.text ?? "" },
        stdio: ["ignore", "pipe", openSync(log, "w")],
      });
      expect([JSON.parse(stdout), readFileSync(log, "utf8")]).toEqual([{ cancel: true }, "the reason\n"]);
    },
  );

  it("a change of a key that the tool does not have is refused, as Cline would run the call as it was", () => {
    const { refuses } = cline.hookEvents.tool_call ?? {};
    const editor = payload("tool_call", { tool_call: { name: "editor", input: { path: "a", new_text: "old" } } });
    const changed = (input: object) => refuses?.({ ...SAID.deny, action: "modify", input }, editor);
    expect(changed({ path: "a", new_text: "old", content: "new" })).toBe("this tool of Cline does not have `content`");
    expect(changed({ path: "a", new_text: "new" })).toBeUndefined();
    expect(changed({ path: "a" })).toBeUndefined();
    const shell = payload("tool_call", { tool_call: { name: "run_commands", input: { commands: ["ls"] } } });
    expect(
      refuses?.({ ...SAID.deny, action: "modify", input: { command: "ls -a", commands: ["ls"] } }, shell),
    ).toBeUndefined();
  });

  it("a tool of an MCP server is one of @mcp, and a tool of its own keeps its name", () => {
    const named = (name: string) =>
      cline.hookEvents.tool_call?.decode(payload("tool_call", { tool_call: { name, input: {} } })).toolName;
    expect([named("marker__mark"), named("mcp__a__b"), named("run_commands")]).toEqual([
      "mcp__marker__mark",
      "mcp__a__b",
      "run_commands",
    ]);
  });

  it("gets programs named after its hook events, and a gate that breaks cancels", () => {
    const { recipe } = cline;
    if (recipe?.kind !== "files") throw new Error("files are expected");
    const wanted = { seconds: 9, gate: true, command: `cat >/dev/null; printf '{"cancel":false}'` };
    const broken = { ...wanted, command: "cat >/dev/null; exit 1" };
    const [gate, breaks, late] = recipe.files(
      "user",
      [
        { ...wanted, hookEvent: "PreToolUse" },
        { ...broken, hookEvent: "PreToolUse" },
        { ...broken, hookEvent: "TaskComplete" },
      ],
      [],
    );
    expect(gate).toMatchObject({ path: ".cline/hooks/PreToolUse", isProgram: true });
    expect(JSON.parse(run(gate?.text))).toEqual({ cancel: false });
    expect(JSON.parse(run(breaks?.text))).toMatchObject({ cancel: true });
    expect(recipe.files("user", [], []).map(({ path }) => path)).toContain(".cline/hooks/SessionShutdown");
    expect(late?.text).toBe("#!/bin/sh\ncat >/dev/null; exit 1\n");
  });
});

function run(program = ""): string {
  return execFileSync("sh", ["-c", program], { encoding: "utf8", input: "{}" });
}

function payload(hookName: string, more: object = {}): Payload {
  return { clineVersion: "3.0.65", hookName, timestamp: "1", taskId: "task", workspaceRoots: ["/w"], ...more };
}
