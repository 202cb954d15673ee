import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { decoded, modify, output, reply, SAID } from "../../tests/adapters/saying.ts";
import type { FittedDecision } from "./adapter.ts";
import { amp } from "./amp.ts";
import { type Payload, Unreadable } from "./payload.ts";
import type { Wanted } from "./recipe.ts";

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

const TABLE: readonly (readonly [payload: Payload, outcome: FittedDecision, stdout: unknown])[] = [
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
  it.each(TABLE)("is answered what it reads itself: %j, %j", (sent, outcome, stdout) => {
    expect(reply(amp, sent, outcome).stdout).toEqual(stdout);
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

type Handler = (event: object, context?: object) => Promise<unknown>;

const toolCall = { thread: { id: "T-1" }, toolUseID: "t", tool: "Bash", input: { cmd: "rm" } };

describe("the plugin for Amp", () => {
  it("refuses with the reason of a denial, and tells Sluice what the event was", async () => {
    const { handlers, told } = await plugin("echo 'no rm here' >&2; exit 2");
    expect(await handlers["tool.call"]?.(toolCall)).toEqual({ action: "reject-and-continue", message: "no rm here" });
    expect(told()).toMatchObject({ agent: "amp", event: "tool.call", ...toolCall });
  });

  it.each([
    [`echo '{"action":"allow"}'`, { action: "allow" }],
    [`echo '{"action":"modify","input":{"cmd":"ls"}}'`, { action: "modify", input: { cmd: "ls" } }],
  ])("hands Amp the answer as it is: %s", async (script, answer) => {
    const { handlers } = await plugin(script);
    expect(await handlers["tool.call"]?.(toolCall)).toEqual(answer);
  });

  it.each([
    ["says nothing", ":"],
    ["says no JSON", "echo hello"],
    ["says something else", "echo '{}'"],
    ["breaks", "exit 1"],
    ["hangs", "sleep 60"],
  ])("refuses when Sluice %s; other events go on", async (_, script) => {
    const { handlers } = await plugin(script, 1);
    expect(await handlers["tool.call"]?.(toolCall)).toMatchObject({ action: "reject-and-continue" });
    expect(await handlers["agent.end"]?.({ status: "done" })).toBeUndefined();
  });

  it.each([
    [async () => true, { action: "modify", input: { cmd: "ls" } }],
    [async () => false, { action: "reject-and-continue", message: "sure?" }],
    [async () => undefined, { action: "reject-and-continue", message: "sure?" }],
    [() => Promise.reject(new Error("nobody is there")), { action: "reject-and-continue", message: "nobody is there" }],
  ])("asks the user, and no answer is a no: %s", async (confirm, answer) => {
    const { handlers } = await plugin(`echo '{"action":"ask","message":"sure?","input":{"cmd":"ls"}}'`);
    expect(await handlers["tool.call"]?.(toolCall, { ui: { confirm } })).toEqual(answer);
  });

  it("hands words for the model to the turn", async () => {
    const { handlers } = await plugin(`echo '{"message":{"content":"know this"}}'`);
    expect(await handlers["agent.start"]?.({ message: "do" })).toEqual({ message: { content: "know this" } });
  });
});

/** The file that is installed, loaded as a module, beside a Sluice that runs this script. */
async function plugin(script: string, seconds = 20) {
  const folder = mkdtempSync(join(tmpdir(), "sluice-shim-"));
  const fake = join(folder, "sluice.sh");
  const heard = join(folder, "heard.json");
  writeFileSync(fake, `cat > '${heard}'\n${script}\n`);
  const { recipe } = amp;
  if (recipe?.kind !== "files") throw new Error("files are expected");
  const hookEvents = Object.entries(amp.hookEvents).filter(([, { installed }]) => installed !== "never");
  const wanted = hookEvents.map(([hookEvent]): Wanted => ({ hookEvent, command: "", seconds, gate: true }));
  const [file] = recipe.files("project", wanted, ["/bin/sh", fake]);
  // Amp strips types from its plugins; this one has none, so it is JavaScript as well.
  const path = join(folder, "sluice.mjs");
  writeFileSync(path, file?.text ?? "");
  const handlers: Record<string, Handler> = {};
  const module = await import(/* @vite-ignore */ pathToFileURL(path).href);
  module.default({ on: (event: string, handler: Handler) => void Object.assign(handlers, { [event]: handler }) });
  return { handlers, told: (): unknown => JSON.parse(readFileSync(heard, "utf8")) };
}
