import { describe, expect, it } from "vitest";
import { decoded, modify, reply, SAID } from "../../tests/adapters/saying.ts";
import type { FittedDecision, Reply } from "./adapter.ts";
import { type Payload, Unreadable } from "./payload.ts";
import { vscode } from "./vscode.ts";

const COMMON = { session_id: "s", transcript_path: "/t", cwd: "/w", timestamp: "2026-08-21T00:00:00.000Z" };
const FILE = { tool_name: "create_file", tool_input: { filePath: "/w/a", content: "x" } };
const EXIT: Reply = { exitCode: 2, stderr: "no" };
const REFUSED = "safer (VS Code ignores an input of another shape)";

const TABLE: readonly (readonly [hookEvent: string, outcome: FittedDecision, reply: Reply])[] = [
  ["PreToolUse", SAID.nothing, {}],
  ["PreToolUse", SAID.deny, denied("no")],
  ["PreToolUse", SAID.ask, specific("PreToolUse", verdict("ask", "sure?"))],
  ["PreToolUse", SAID.approve, specific("PreToolUse", { permissionDecision: "allow" })],
  ["PreToolUse", SAID.context, specific("PreToolUse", { additionalContext: "know this" })],
  ["PreToolUse", modify({ filePath: "/w/a", content: "y", file_path: "/w/a" }), updated("/w/a")],
  ["PreToolUse", modify({ filePath: "/w/a", content: "y", file_path: "/w/b" }), updated("/w/b")],
  ["PreToolUse", modify({ filePath: "/w/b", content: "y", file_path: "/w/a" }), updated("/w/b")],
  ["PreToolUse", modify({ filePath: "/w/b", content: "y" }), updated("/w/b")],
  ["PreToolUse", modify({ filePath: "/w/a", content: 7 }), denied(REFUSED)],
  ["PreToolUse", modify({ filePath: "/w/a" }), denied(REFUSED)],
  ["PreToolUse", modify({ filePath: "/w/a", content: "x", more: 1 }), denied(REFUSED)],
  ["PostToolUse", SAID.context, specific("PostToolUse", { additionalContext: "know this" })],
  ["UserPromptSubmit", SAID.deny, EXIT],
  ["UserPromptSubmit", SAID.context, { stdout: { systemMessage: "know this" } }],
  ["SessionStart", SAID.context, specific("SessionStart", { additionalContext: "know this" })],
  ["PreCompact", SAID.deny, EXIT],
  [
    "SubagentStart",
    SAID.deny,
    specific("SubagentStart", { additionalContext: "Stop at once and do nothing: no" }, "no"),
  ],
  ["SubagentStop", SAID.deny, { stdout: { decision: "block", reason: "no" }, stderr: "no" }],
  ["Stop", SAID.deny, specific("Stop", { decision: "block", reason: "no" }, "no")],
  ["Stop", SAID.nothing, {}],
];

describe("VS Code", () => {
  it.each(TABLE)("is answered at %s: %j", (hookEvent, outcome, wanted) => {
    expect(reply(vscode, { ...COMMON, ...FILE, hook_event_name: hookEvent }, outcome)).toEqual(wanted);
  });

  it("has a row in this table for every hook event", () => {
    expect(new Set(TABLE.map(([hookEvent]) => hookEvent))).toEqual(new Set(Object.keys(vscode.hookEvents)));
  });

  it("hooks see the file under our name too, the time in seconds, and a shell call's text", () => {
    expect(decoded(vscode, { ...COMMON, ...FILE, hook_event_name: "PreToolUse" })).toMatchObject({
      toolName: "create_file",
      sessionId: "s",
      cwd: "/w",
      timestamp: Date.parse(COMMON.timestamp) / 1000,
      data: { tool_args: { filePath: "/w/a", file_path: "/w/a" } },
    });
    const shell = { tool_name: "run_in_terminal", tool_input: { command: "ls", isBackground: false } };
    const { data } = decoded(vscode, { ...COMMON, ...shell, hook_event_name: "PreToolUse" });
    expect(data.tool_args).toEqual(shell.tool_input);
  });

  it("many files of one call are all seen, and a change of that list is denied", () => {
    const tool_input = { replacements: [{ filePath: "/w/a" }, { filePath: "/w/b" }, { filePath: "/w/a" }] };
    const payload = { ...COMMON, tool_name: "multi_replace_string_in_file", tool_input, hook_event_name: "PreToolUse" };
    expect(decoded(vscode, payload).data.tool_args).toEqual({ ...tool_input, file_paths: ["/w/a", "/w/b"] });
    const same = modify({ ...tool_input, file_paths: ["/w/a", "/w/b"] });
    expect(reply(vscode, payload, same)).toEqual(specific("PreToolUse", { updatedInput: tool_input }));
    expect(reply(vscode, payload, modify({ ...tool_input, file_paths: ["/w/c"] }))).toEqual(denied(REFUSED));
  });

  it("a gate without a tool cannot be read", () => {
    expect(() => decoded(vscode, { ...COMMON, hook_event_name: "PreToolUse" })).toThrow(Unreadable);
  });

  it("its file has nothing that the command-line agent in the same folder would run", () => {
    const { recipe } = vscode;
    if (recipe?.kind !== "files") throw new Error("a file is expected");
    const [file] = recipe.files(
      "project",
      [{ hookEvent: "Stop", command: "c", windows: "w", seconds: 9, gate: true }],
      [],
    );
    const entry = { type: "command", linux: "c", osx: "c", windows: "w", timeout: 9 };
    expect(file?.path).toBe(".github/hooks/sluice-vscode.json");
    expect(JSON.parse(file?.text ?? "")).toEqual({ hooks: { Stop: [entry] } });
  });
});

function specific(hookEventName: string, more: object, stderr?: string): Reply {
  return { stdout: { hookSpecificOutput: { hookEventName, ...more } }, ...(stderr === undefined ? {} : { stderr }) };
}

function verdict(permissionDecision: string, permissionDecisionReason: string): Payload {
  return { permissionDecision, permissionDecisionReason };
}

function denied(reason: string): Reply {
  return specific("PreToolUse", verdict("deny", reason), reason);
}

function updated(filePath: string): Reply {
  return specific("PreToolUse", { updatedInput: { filePath, content: "y" } });
}
