import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { decoded, modify, output, recorded, reply, SAID } from "../../tests/adapters/saying.ts";
import type { FittedDecision } from "./adapter.ts";
import { opencode } from "./opencode.ts";
import { type Payload, Unreadable } from "./payload.ts";
import type { Wanted } from "./recipe.ts";

const RECORDED = wrapped(recorded("opencode"));
const before = named("tool.execute.before");
const after = named("tool.execute.after");
const message = named("chat.message");
const [part] = Object(message.output).parts;
const command = hook("command.execute.before", { command: "review", sessionID: "s", arguments: "all" }, { parts: [] });
const permission = hook("permission.ask", { type: "bash", metadata: { command: "ls" }, sessionID: "s" }, {});
const compacting = hook("experimental.session.compacting", { sessionID: "s" }, { context: ["old"] });
const deny = { action: "deny", reason: "no" };
const nothing = { action: "continue" };
const change = (changed: object) => ({ action: "modify", output: changed });

const TABLE: readonly (readonly [payload: Payload, outcome: FittedDecision, stdout: unknown])[] = [
  [before, SAID.nothing, nothing],
  [before, SAID.approve, nothing],
  [before, SAID.deny, deny],
  [before, { ...SAID.deny, context: "w" }, { action: "deny", reason: "no\n\nw" }],
  [before, modify({ command: "ls" }), change({ args: { command: "ls" } })],
  [after, SAID.nothing, nothing],
  [after, output("short"), change({ output: "short" })],
  [after, output({ a: 1 }), change({ output: '{"a":1}' })],
  [after, SAID.context, change({ output: "out\nerr\n\n\nknow this" })],
  [message, SAID.nothing, nothing],
  [message, SAID.deny, deny],
  [message, modify("other"), change({ parts: [{ ...part, text: "other" }] })],
  [message, SAID.context, change({ parts: [{ ...part, text: '"please run"\n\nknow this' }] })],
  [hook("chat.message", {}, { parts: [{ type: "file" }] }), modify("other"), { action: "deny", reason: "safer" }],
  [command, SAID.deny, deny],
  [command, SAID.nothing, nothing],
  [permission, SAID.nothing, nothing],
  [permission, SAID.deny, { ...deny, output: { status: "deny" } }],
  [permission, SAID.ask, change({ status: "ask" })],
  [permission, SAID.approve, change({ status: "allow" })],
  [named("chat.params"), SAID.nothing, nothing],
  [named("chat.params"), SAID.deny, deny],
  [named("chat.params"), modify({ parameters: { temperature: 0 } }), change({ temperature: 0 })],
  [named("experimental.text.complete"), output({ text: "less" }), change({ text: "less" })],
  [compacting, SAID.context, change({ context: ["old", "know this"] })],
  [compacting, SAID.deny, nothing],
  ...["session.created", "session.idle", "file.edited", "file.watcher.updated"].map(
    (type): readonly [Payload, FittedDecision, unknown] => [named(`event-${type}`), SAID.deny, nothing],
  ),
  ...["session.error", "session.compacted", "session.deleted", "permission.asked", "tui.toast.show"].map(
    (type): readonly [Payload, FittedDecision, unknown] => [bus(type), SAID.context, nothing],
  ),
  [bus("session.created", { info: { id: "s", parentID: "p" } }), SAID.deny, nothing],
  [bus("permission.replied", { reply: "once" }), SAID.context, nothing],
  [bus("permission.replied", { reply: "reject" }), SAID.context, nothing],
];

const EVENTS = {
  "tool.execute.before": "tool:pre_execute",
  "tool.execute.after": "tool:post_execute",
  "chat.message": "user:prompt_submit",
  "chat.params": "llm:pre_request",
  "experimental.text.complete": "llm:post_response",
  "event-session.created": "session:start",
  "event-session.idle": "session:stop",
  "event-file.edited": "file:changed",
  "event-file.watcher.updated": "file:changed",
};

describe("OpenCode", () => {
  it.each(TABLE)("the plugin is told what to do: %j, %j", (sent, outcome, stdout) => {
    const answer = reply(opencode, sent, outcome);
    expect(answer.stdout).toEqual(stdout);
    expect(answer.exitCode ?? 0).toBe(Object(stdout).action === "deny" ? 2 : 0);
  });

  it("no hook event is left without a row of this test", () => {
    const tried = new Set(TABLE.map(([sent]) => opencode.hookEventOf(sent)));
    expect(Object.keys(opencode.hookEvents).filter((name) => !tried.has(name))).toEqual([]);
  });

  it.each(Object.entries(EVENTS))("%s is %s, with its session and folder", (name, as) => {
    const sent = named(name);
    expect(opencode.hookEvents[opencode.hookEventOf(sent) ?? ""]?.as).toBe(as);
    const { sessionId, cwd } = decoded(opencode, sent);
    expect(cwd).toBe("/home/dev/project");
    expect(sessionId).toEqual(as === "file:changed" ? undefined : expect.stringMatching(/^ses_/));
  });

  it("the rest of what was recorded is none of our events", () => {
    const others = Object.keys(RECORDED).filter((name) => !Object.hasOwn(EVENTS, name));
    for (const name of others) expect(opencode.hookEvents[opencode.hookEventOf(named(name)) ?? ""]).toBeUndefined();
  });

  it("a call carries its text, and a result is a text", () => {
    expect(decoded(opencode, before)).toMatchObject({
      toolName: "bash",
      data: { tool_args: { command: expect.stringContaining("echo hi") }, tool_use_id: "call_s0_0_1mwh30y4d" },
    });
    expect(decoded(opencode, after).data).toMatchObject({ tool_result: "out\nerr\n", metadata: { exit: 0 } });
  });

  it("a file is named as rules name it, and a changed one goes back in OpenCode's words", () => {
    const write = hook("tool.execute.before", { tool: "write" }, { args: { filePath: "/a", content: "" } });
    expect(decoded(opencode, write).data.tool_args).toMatchObject({ file_path: "/a" });
    const changed = modify({ filePath: "/a", file_path: "/b", content: "" });
    expect(reply(opencode, write, changed).stdout).toEqual(change({ args: { filePath: "/b", content: "" } }));
  });

  it("a prompt is what the user wrote, and what OpenCode added stays", () => {
    const parts = [
      { type: "text", text: "look at" },
      { type: "text", text: "a file", synthetic: true },
      { type: "file", url: "x" },
      { type: "text", text: "this" },
    ];
    const sent = hook("chat.message", {}, { parts });
    expect(decoded(opencode, sent).data.prompt).toBe("look at\nthis");
    expect(reply(opencode, sent, modify("go")).stdout).toEqual(
      change({ parts: [{ type: "text", text: "go" }, parts[1], parts[2]] }),
    );
  });

  it("the provider's key is not in the event", () => {
    expect(JSON.stringify(named("chat.params"))).toContain("apiKey");
    const { data } = decoded(opencode, named("chat.params"));
    expect(JSON.stringify(data)).not.toContain("apiKey");
    expect(data).toMatchObject({ llm_model: "fake", provider: "fake" });
  });

  it("a gate without a tool cannot be read", () => {
    expect(() => decoded(opencode, { ...before, input: {} })).toThrow(Unreadable);
    expect(() => decoded(opencode, { hook: "tool.execute.before", input: { sessionID: "s" } })).toThrow(Unreadable);
  });
});

/** What the plugin sends: a bus event inside the hook `event`, everything else as it is. */
function wrapped(payloads: Record<string, Payload>): Record<string, Payload> {
  return Object.fromEntries(
    Object.entries(payloads).map(([name, { input, output, ...event }]) => [
      name,
      name.startsWith("event-") ? hook("event", { event }) : hook(name, Object(input), output),
    ]),
  );
}

function named(name: string): Payload {
  const payload = RECORDED[name];
  if (payload === undefined) throw new Error(`${name} was not recorded`);
  return payload;
}

function bus(type: string, properties: object = { sessionID: "s" }): Payload {
  return hook("event", { event: { type, properties } });
}

function hook(name: string, input: object, changeable?: unknown): Payload {
  return { hook: name, input, ...(changeable === undefined ? {} : { output: changeable }), cwd: "/home/dev/project" };
}

type Hook = (input: object, output?: object) => Promise<void>;

const bash = { tool: "bash", sessionID: "s", callID: "c" };

describe("the plugin for OpenCode", () => {
  it("throws the reason of a denial, and tells Sluice what the hook was handed", async () => {
    const { hooks, told } = await plugin("echo 'no rm here' >&2; exit 2");
    const before = hooks["tool.execute.before"];
    await expect(before?.(bash, { args: { command: "rm" } })).rejects.toThrow("no rm here");
    expect(told()).toEqual({
      hook: "tool.execute.before",
      input: bash,
      output: { args: { command: "rm" } },
      cwd: "/project",
    });
  });

  it("changes arguments where they lie", async () => {
    const { hooks } = await plugin(`echo '{"action":"modify","output":{"args":{"command":"ls","list":[1]}}}'`);
    const args = { command: "rm", description: "d", list: [3, 4] };
    const { list } = args;
    const output = { args };
    await hooks["tool.execute.before"]?.(bash, output);
    expect(output.args).toBe(args);
    expect(args).toEqual({ command: "ls", list: [1] });
    expect(args.list).toBe(list);
  });

  it("leaves everything as it is when Sluice lets it pass", async () => {
    const { hooks } = await plugin(`echo '{"action":"continue"}'`);
    const output = { args: { command: "ls" } };
    await hooks["tool.execute.before"]?.(bash, output);
    expect(output).toEqual({ args: { command: "ls" } });
  });

  it.each([
    ["says nothing", ":"],
    ["says no JSON", "echo hello"],
    ["says something else", "echo '{}'"],
    ["says null", "echo null"],
    ["breaks", "exit 1"],
    ["denies with exit code 0", `echo '{"action":"deny","reason":"x"}'`],
    ["hangs", "sleep 60"],
    ["is killed", "kill -9 $$"],
  ])("a gate stays shut when Sluice %s; a note goes on", async (_, script) => {
    const { hooks } = await plugin(script, 1);
    await expect(hooks["tool.execute.before"]?.(bash, { args: {} })).rejects.toThrow();
    const output = { output: "a" };
    await hooks["tool.execute.after"]?.({ ...bash, args: {} }, output);
    expect(output).toEqual({ output: "a" });
  });

  it("a gate stays shut when Sluice is not there", async () => {
    const { hooks } = await plugin("", 1, ["/nowhere/sluice"]);
    await expect(hooks["tool.execute.before"]?.(bash, { args: {} })).rejects.toThrow("could not be started");
  });

  it("hands over events that are wanted, waits for none, and keeps keys to itself", async () => {
    const { hooks, told } = await plugin("exit 1");
    await hooks.event?.({ event: { type: "lsp.updated", properties: {} } });
    await hooks.event?.({ event: { type: "session.idle", properties: { sessionID: "s" } } });
    await expect.poll(told).toMatchObject({ hook: "event", input: { event: { type: "session.idle" } } });
    await hooks["chat.params"]?.({ provider: { apiKey: "k" }, model: { id: "m", headers: { key: "k" } } }, {}).catch(
      () => {},
    );
    expect(told()).toMatchObject({ hook: "chat.params", input: { model: { id: "m" } } });
    expect(JSON.stringify(told())).not.toContain('"k"');
  });

  it("compaction goes on when Sluice breaks, because nothing could stop it", async () => {
    const { hooks } = await plugin("exit 1");
    await hooks["experimental.session.compacting"]?.({ sessionID: "s" }, { context: [] });
  });
});

/** The file that is installed, loaded as OpenCode loads it, beside a Sluice that runs this script. */
async function plugin(script: string, seconds = 20, words?: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "sluice-shim-"));
  const fake = join(folder, "sluice.sh");
  const heard = join(folder, "heard.json");
  writeFileSync(fake, `cat > '${heard}.new'; mv '${heard}.new' '${heard}'\n${script}\n`);
  const { recipe } = opencode;
  if (recipe?.kind !== "files") throw new Error("files are expected");
  const hookEvents = Object.entries(opencode.hookEvents).filter(([, { installed }]) => installed !== "never");
  const wanted = hookEvents.map(
    ([hookEvent, { can }]): Wanted => ({
      hookEvent,
      command: "",
      seconds,
      gate: can.includes("deny") || hookEvent.includes("compacting"),
    }),
  );
  const [file] = recipe.files("project", wanted, words ?? ["/bin/sh", fake]);
  const path = join(folder, "sluice.js");
  writeFileSync(path, file?.text ?? "");
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const { Sluice, ...others } = await import(/* @vite-ignore */ pathToFileURL(path).href);
  expect(others).toEqual({});
  const hooks: Record<string, Hook> = await Sluice({ directory: "/project" });
  return { hooks, told: (): unknown => JSON.parse(readFileSync(heard, "utf8")) };
}
