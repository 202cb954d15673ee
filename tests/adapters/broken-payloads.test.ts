import { describe, expect, it } from "vitest";
import { ADAPTERS } from "../../src/adapters/index.ts";
import { readCall } from "../../src/adapters/read-call.ts";
import { answer, type DecideCall, type Printed } from "../../src/decide/answer.ts";
import { HookExecutor } from "../../src/engine/executor.ts";
import { isOfKind } from "../../src/event/tool-kinds.ts";
import { Hook } from "../../src/hook/hook.ts";
import { HookRegistry } from "../../src/registry/registry.ts";
import { isObject } from "./agents/agent.ts";
import { called, userWith } from "./called.ts";
import { CALLER, does } from "./carried-out.ts";
import { payloadsOf, type Sent } from "./payloads.ts";

const FORBIDDEN = "forbidden-program --now";
const RULES = 'args.command contains "forbidden-program" -> deny("no")';
const registry = new HookRegistry();
registry.register(Hook.fromJSON({ name: "no", event: "tool:pre_execute:@shell", rules: RULES }));
const executor = new HookExecutor({ registry });
const decideIt: DecideCall = async (event) => ({
  decision: await executor.decide(event),
  told: [],
  record: { id: "c0ffee" },
});

type Path = readonly (string | number)[];

/** A shell call of each agent that the rule denies, as it is on the wire. */
const CALLS = ADAPTERS.map((adapter) => {
  const found = payloadsOf(adapter).find(({ payload, hookEvent }) => {
    const read = readCall({ text: JSON.stringify(payload), agent: adapter.id, hookEvent });
    if (read.kind !== "event" || read.event.type !== "tool:pre_execute") return false;
    return read.event.toolName !== undefined && isOfKind(read.event.toolName, "@shell");
  });
  if (found === undefined) throw new Error(`no shell call of ${adapter.id}`);
  const read = readCall({ text: JSON.stringify(found.payload), agent: adapter.id, hookEvent: found.hookEvent });
  const { command } = read.kind === "event" ? Object(read.event.data.tool_args) : Object(undefined);
  const text = JSON.stringify(found.payload);
  const written = (value: string) => JSON.stringify(value).slice(1, -1);
  // Some agents send their arguments as JSON in a text.
  const denied = text
    .replaceAll(written(String(command)), FORBIDDEN)
    .replaceAll(written(written(String(command))), FORBIDDEN);
  const sent: Sent = { ...found, payload: JSON.parse(denied) };
  return { adapter, sent, text: denied };
});

describe.each(CALLS)("a call of $adapter.id that the rules deny", ({ adapter, sent, text }) => {
  const call = (body: string) => answer({ text: body, agent: adapter.id, hookEvent: sent.hookEvent }, CALLER, decideIt);
  /** Passed, and said nothing: neither to the agent nor on standard error. */
  const isQuietPass = async (printed: Printed) => {
    if (printed.stderr !== "" || printed.exitCode !== 0) return false;
    const { then, told, shown } = await does(adapter, sent, printed);
    return then === "goes on" && told === "" && shown === "";
  };

  it("is stopped as it is", async () => {
    expect(await does(adapter, sent, await call(text))).not.toMatchObject({ then: "goes on" });
  });

  it("does not pass in silence with a text that broke on its way", async () => {
    const passed: string[] = [];
    for (const [name, body] of Object.entries(brokenTexts(text)))
      if (await isQuietPass(await call(body))) passed.push(name);
    expect(passed).toEqual([]);
  });

  it("does not pass in silence with a key that is there twice", async () => {
    const passed: string[] = [];
    for (const path of pathsIn(sent.payload))
      for (const body of doubled(sent.payload, path)) if (await isQuietPass(await call(body))) passed.push(body);
    expect(passed).toEqual([]);
  });

  it("does not pass in silence with a value of another type", async () => {
    const passed: string[] = [];
    for (const path of pathsIn(sent.payload))
      for (const [name, change] of Object.entries(TYPES)) {
        const body = JSON.stringify(changed(sent.payload, path, change)).replaceAll('"1e999"', "1e999");
        if (!body.includes("forbidden-program")) continue;
        if (await isQuietPass(await call(body))) passed.push(`${path.join(".")} ${name}`);
      }
    expect(passed).toEqual([]);
  });
});

/** What breaks on the way of a payload, whatever is in it. */
function brokenTexts(text: string): Record<string, string> {
  const pretty = JSON.stringify(JSON.parse(text), null, 2);
  const running = (command: string) => text.replaceAll(FORBIDDEN, command);
  return {
    "a byte order mark": `\uFEFF${text}`,
    "two byte order marks": `\uFEFF\uFEFF${text}`,
    "CRLF between its lines": pretty.replaceAll("\n", "\r\n"),
    "blanks around it": `\n\n \t${text}\r\n\n`,
    "nothing at all": "",
    "blanks alone": " \r\n",
    "a zero byte behind it": `${text}\0`,
    "a zero byte in it": text.replace("{", "{\0"),
    "a zero byte in the command": running("forbidden-program\\u0000 --now"),
    "a zero byte before the command": running("\\u0000forbidden-program --now"),
    "half of a letter in the command": running("forbidden-program \\ud800"),
    "half of a letter before the command": running("\\udc00 ; forbidden-program"),
    "bytes that are no UTF-8": running("forbidden-program \uFFFD\uFFFD"),
    "a line end in the command": running("ls\\r\\nforbidden-program"),
    "two documents": `${text}\n${text}`,
    "another document before it": `{}\n${text}`,
    "another document behind it": `${text}{}`,
    "a list around it": `[${text}]`,
    "a text around it": JSON.stringify(text),
    "its end cut off": text.slice(0, -1),
    "its half cut off": text.slice(0, text.length / 2),
    "a comma too many": text.replace(/\}$/, ",}"),
    "a comment": `/* a */${text}`,
    "single quotes": text.replaceAll('"', "'"),
    "a number out of range": text.replace(/\}$/, ',"n":1e999}'),
    "a long number": text.replace(/\}$/, `,"n":${"9".repeat(5000)}}`),
    "deep lists": text.replace(/\}$/, `,"n":${"[".repeat(5000)}${"]".repeat(5000)}}`),
    "many values": text.replace(/\}$/, `,"n":[${"1,".repeat(30_000)}1]}`),
    "a prototype": text.replace(/\}$/, ',"__proto__":{"tool_name":"Read"},"constructor":{"prototype":{}}}'),
    NaN: text.replace(/\}$/, ',"n":NaN}'),
  };
}

const TYPES: Readonly<Record<string, (value: unknown) => unknown>> = {
  missing: () => undefined,
  null: () => null,
  true: () => true,
  "a number": () => 7,
  "a number out of range": () => "1e999",
  "an empty text": () => "",
  "an empty list": () => [],
  "an empty object": () => ({}),
  "a list of it": (value) => [value],
  "an object of it": (value) => ({ value }),
  "a text of it": (value) => (typeof value === "string" ? value : JSON.stringify(value)),
};

function pathsIn(value: unknown, path: Path = []): Path[] {
  const entries = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  return entries.flatMap(([key, inner]) => [[...path, key], ...pathsIn(inner, [...path, key])]);
}

function changed(value: unknown, [key, ...rest]: Path, change: (value: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  if (Array.isArray(value)) return value.map((item, at) => (at === key ? changed(item, rest, change) : item));
  const holder = Object(value) as Record<string, unknown>;
  return { ...holder, [key]: changed(holder[key], rest, change) };
}

/** The key with a harmless value before it, and behind it: of two, readers take one or the other. */
function doubled(payload: unknown, path: Path): string[] {
  const key = path.at(-1);
  if (typeof key !== "string") return [];
  const mark = "\u0001mark";
  const holder = path.slice(0, -1);
  const other = '"ls"';
  const around = (before: boolean) =>
    JSON.stringify(
      changed(payload, holder, (value) => {
        const entries = Object.entries(Object(value));
        return Object.fromEntries(before ? [[mark, 0], ...entries] : [...entries, [mark, 0]]);
      }),
    ).replace(`${JSON.stringify(mark)}:0`, `${JSON.stringify(key)}:${other}`);
  return [around(true), around(false)];
}

describe("bytes that are no text, through the command", () => {
  it.each(CALLS)("of $adapter.id", ({ adapter, sent, text }) => {
    const at = userWith(`hooks:\n  - {name: "no", event: "tool:pre_execute:@shell", rules: '${RULES}'}\n`);
    const words = [adapter.id, "--cold", ...(sent.hookEvent === undefined ? [] : ["--moment", sent.hookEvent])];
    const [before = "", behind = ""] = text.split(FORBIDDEN);
    const torn = Buffer.concat([
      Buffer.from(`${before}${FORBIDDEN} `),
      Buffer.from([0xc3, 0x28, 0xf0]),
      Buffer.from(behind),
    ]);
    const { stdout, stderr, exitCode } = called(at, words, torn);
    expect(exitCode !== 0 || /deny|block|no/.test(stdout + stderr)).toBe(true);
  });
});
