import { describe, expect, it } from "vitest";
import { decoded, modify, output, reply, SAID } from "../../tests/adapters/saying.ts";
import type { Said } from "./adapter.ts";
import { amp } from "./amp.ts";
import { type Payload, Unreadable } from "./payload.ts";

const call = payload("tool.call", { toolUseID: "t", tool: "Bash", input: { cmd: "rm -rf build", cwd: "/w" } });
const done = payload("tool.result", {
  toolUseID: "t",
  tool: "Bash",
  input: { cmd: "ls" },
  status: "done",
  output: "a",
});
const failed = payload("tool.result", { tool: "Bash", input: { cmd: "ls" }, status: "error", error: "exit 1" });
const blocks = { ...done, output: [{ type: "text", text: "a" }] };
const start = payload("agent.start", { message: "do", id: "m" });
const end = (status: string) => payload("agent.end", { message: "do", status });

const TABLE: readonly (readonly [payload: Payload, said: Said, stdout: unknown])[] = [
  [call, SAID.nothing, { action: "allow" }],
  [call, SAID.approve, { action: "allow" }],
  [call, SAID.context, { action: "allow" }],
  [call, SAID.deny, { action: "reject-and-continue", message: "no" }],
  [call, { ...SAID.deny, context: "w" }, { action: "reject-and-continue", message: "no\n\nw" }],
  [call, SAID.ask, { action: "ask", message: "sure?" }],
  [call, { ...SAID.ask, input: { command: "ls" } }, { action: "ask", message: "sure?", input: { cmd: "ls" } }],
  [
    call,
    modify({ cmd: "rm -rf build", cwd: "/w", command: "ls" }),
    { action: "modify", input: { cmd: "ls", cwd: "/w" } },
  ],
  [done, SAID.nothing, {}],
  [done, output("short"), { status: "done", output: "short" }],
  [done, SAID.context, { status: "done", output: "a\n\nknow this" }],
  [blocks, SAID.context, { status: "done", output: [...blocks.output, { type: "text", text: "know this" }] }],
  [failed, SAID.context, { status: "error", error: "exit 1\n\nknow this" }],
  [start, SAID.nothing, {}],
  [start, SAID.context, { message: { content: "know this", display: false } }],
  [start, SAID.deny, { message: { content: "Do not act on this message: no", display: true } }],
  [end("done"), SAID.nothing, {}],
  [end("done"), SAID.deny, { action: "continue", userMessage: "no" }],
  [end("error"), SAID.deny, {}],
  [end("cancelled"), SAID.deny, {}],
  [payload("session.start"), SAID.context, {}],
];

describe("Amp", () => {
  it.each(TABLE)("is answered what it reads itself: %j, %j", (sent, said, stdout) => {
    expect(reply(amp, sent, said).stdout).toEqual(stdout);
  });

  it("no hook event is left without a row of this test", () => {
    const tried = new Set(TABLE.map(([sent]) => amp.hookEventOf(sent)));
    expect(Object.keys(amp.hookEvents).filter((name) => !tried.has(name))).toEqual([]);
  });

  it("a denied call says so by its exit code too, which the plugin takes for a refusal", () => {
    expect(reply(amp, call, SAID.deny)).toMatchObject({ exitCode: 2, stderr: "no" });
  });

  it("a shell call carries its text", () => {
    expect(decoded(amp, call)).toMatchObject({
      toolName: "Bash",
      sessionId: "T-1",
      cwd: "/w",
      data: { tool_args: { command: "rm -rf build" }, tool_use_id: "t" },
    });
  });

  it("results, failures and prompts are told", () => {
    expect(decoded(amp, done).data.tool_result).toBe("a");
    expect(decoded(amp, failed).data.error).toBe("exit 1");
    expect(amp.hookEvents[amp.hookEventOf(failed) ?? ""]?.as).toBe("tool:error");
    expect(decoded(amp, start).data.prompt).toBe("do");
  });

  it.each([payload("tool.call", { input: {} }), { ...call, input: "rm" }])(
    "a gate without a tool or its input cannot be read: %j",
    (sent) => {
      expect(() => decoded(amp, sent)).toThrow(Unreadable);
    },
  );

  it("is known by the name that its plugin sends", () => {
    expect(amp.recognises(call)).toBe(true);
    expect(amp.recognises({ event: "tool.call" })).toBe(false);
  });
});

function payload(event: string, more: object = {}): Payload {
  return { agent: "amp", event, cwd: "/w", thread: { id: "T-1" }, ...more };
}
