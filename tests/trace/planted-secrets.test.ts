import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { aggregate } from "../../src/decision/aggregate.ts";
import type { HookResult } from "../../src/decision/result.ts";
import { HookEvent } from "../../src/event/event.ts";
import { Hook } from "../../src/hook/hook.ts";
import { tracePaths } from "../../src/trace/change/trace-paths.ts";
import { verifyTrace } from "../../src/trace/change/verify.ts";
import { journalFolder } from "../../src/trace/journal.ts";
import { redactor } from "../../src/trace/redact.ts";
import { remember, rememberHookEvent } from "../../src/trace/remember.ts";
import { cases } from "../cases.ts";
import { EXAMPLES, examplesFor, mixed } from "./secret-examples.ts";
import { work } from "./work.ts";

/** A secret in its surroundings, and what of it may stand nowhere. */
interface Planted {
  readonly text: string;
  readonly hidden: readonly string[];
}

const bare = (example: string) => example.replaceAll(/[«»]/g, "");
const hiddenIn = (example: string) => [...example.matchAll(/«([^»]*)»/g)].map(([, secret = ""]) => secret);

/** All kinds, several times over with other letters. */
const TURNS: readonly (readonly Planted[])[] = Array.from({ length: 6 }, (_, turn) =>
  Object.values(examplesFor(turn))
    .flatMap(({ secret }) => secret)
    .map((example) => ({ text: bare(example), hidden: hiddenIn(example) })),
);
const PLANTED = TURNS.flat();
const HIDDEN = [...new Set(PLANTED.flatMap(({ hidden }) => hidden))];

function leaksIn(text: string, planted: readonly Planted[] = PLANTED): string[] {
  return [...new Set(planted.flatMap(({ hidden }) => hidden))].filter((secret) => {
    const inside = JSON.stringify(secret).slice(1, -1);
    return text.includes(secret) || (inside !== secret && text.includes(inside));
  });
}

function textsUnder(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const bytes = readFileSync(join(entry.parentPath, entry.name));
      return bytes[0] === 0x1f ? gunzipSync(bytes).toString("utf8") : bytes.toString("utf8");
    })
    .join("\n");
}

test("more than five hundred different secrets of more than forty kinds are planted", () => {
  expect(Object.keys(EXAMPLES).length).toBeGreaterThanOrEqual(40);
  expect(PLANTED.length).toBeGreaterThanOrEqual(500);
  expect(HIDDEN.length).toBeGreaterThanOrEqual(500);
});

test("none comes through into the trace of changes, or into what is kept beside it", async () => {
  const at = work({ "a.ts": "a\n" });
  for (let from = 0; from < PLANTED.length; from += 12) {
    const some = PLANTED.slice(from, from + 12).map(({ text }) => text);
    const name = some.find((secret) => !/[/\0\n]/.test(secret) && secret.length < 200) ?? "plain.txt";
    const [tool = "", session = "", id = "", note = "", command = ""] = some;
    await at.call({
      tool: `Write ${tool}`,
      session: `s ${session}`,
      id: `id ${id}`,
      input: { file_path: name, content: some.join("\n"), [note]: { deep: [{ note }] } },
      does: () => at.write(name, some.join("\n")),
    });
    await at.call({
      tool: "Bash",
      input: { command: `echo "${command}" > b.txt` },
      does: () => at.write("b.txt", some.join("\n")),
    });
  }
  expect(at.records().length).toBeGreaterThan(60);
  expect(leaksIn(textsUnder(at.state))).toEqual([]);
  expect(leaksIn(readFileSync(at.path(".orchestration/agent_trace.jsonl"), "utf8"))).toEqual([]);
  expect(verifyTrace(tracePaths(at)).broken).toBeUndefined();
});

type Env = Readonly<Record<string, string>>;

const ran = { success: true, shouldContinue: true, timedOut: false, exitCode: 0, stdout: "", stderr: "" };
const HOOK = Hook.fromJSON({ name: "guard", event: "*", command: "true" });
const told = (text: string): HookResult => ({
  ...{ hook: HOOK, action: "deny", ...ran, duration: 0, durationMs: 0 },
  ...{ reason: text, context: text, error: text, notes: [text] },
});

function write(env: Env, event: HookEvent, said: readonly HookResult[] = [], more: object = {}): void {
  remember(aggregate({ event, results: said, ...more }), { env, notes: [] });
}

/** Every way in which a text comes into the journal. */
const WAYS: Readonly<Record<string, (text: string, env: Env) => void>> = {
  "the arguments of a call": (text, env) => write(env, HookEvent.toolPreExecute("Bash", { command: text })),
  "nested arguments": (text, env) =>
    write(env, HookEvent.toolPreExecute("x", { a: [{ b: { c: [1, text, null] } }], d: { e: { f: text } } })),
  "the names of fields": (text, env) =>
    write(env, HookEvent.toolPreExecute("x", { [text]: 1, deep: [{ [text]: {} }] })),
  "text inside of text": (text, env) =>
    write(env, HookEvent.toolPreExecute("x", { body: JSON.stringify({ body: JSON.stringify({ text }) }) })),
  "the result of a tool": (text, env) =>
    write(env, HookEvent.toolPostExecute("x", {}, { stdout: `ok\n${text}\nmore` })),
  "the failure of a tool": (text, env) => write(env, HookEvent.toolError("x", {}, text)),
  "a prompt": (text, env) => write(env, HookEvent.userPromptSubmit(`use this: ${text}`)),
  "what hooks said": (text, env) => write(env, HookEvent.toolPreExecute("x", {}), [told(text)]),
  "what hooks made of the input": (text, env) =>
    write(env, HookEvent.toolPreExecute("x", {}), [], { changed: { value: { changed: text } } }),
  "names of tools and sessions": (text, env) =>
    write(env, HookEvent.toolPreExecute(text, {}, { sessionId: text, cwd: `/p/${text}` })),
  "notes and problems": (text, env) => {
    const event = HookEvent.sessionEnd("s", { reason: text });
    remember(aggregate({ event, results: [] }), { env, notes: [text], problems: [text], root: `/p/${text}` });
  },
  "a payload that could not be read": (text, env) => {
    rememberHookEvent({ env, kind: "unreadable", action: "deny", reasons: [text], payload: { a: [text], [text]: 1 } });
  },
};

// Each way has every kind of secret, and its own turn of letters; all turns in `npm run fuzz`.
test.each(Object.entries(WAYS).map(([way, write], at) => [way, write, at] as const))(
  "none comes through into the journal of decisions by %s",
  (_, write, at) => {
    const { env } = work();
    const planted = Array.from(
      { length: cases(1, TURNS.length) },
      (_, more) => TURNS[(at + more) % TURNS.length] ?? [],
    ).flat();
    for (const { text } of planted) write(text, env);
    const written = textsUnder(journalFolder(env));
    expect(written.trimEnd().split("\n").length).toBeGreaterThanOrEqual(planted.length);
    expect(leaksIn(written, planted)).toEqual([]);
  },
);

const [AWS, TOKEN] = [`AKIA${"ABCDEFGH".repeat(2)}`, `ghp_${mixed(36)}`];
const LINES = [`-----BEGIN RSA ${"PRIVATE"} KEY-----`, mixed(64), mixed(60), `-----END RSA ${"PRIVATE"} KEY-----`];

test.each([
  ["added literals", `const key = "${AWS.slice(0, 4)}" + "${AWS.slice(4)}";`],
  ["three of them, over lines", `key = '${AWS.slice(0, 2)}' +\n  '${AWS.slice(2, 9)}' +\n  '${AWS.slice(9)}'`],
  ["literals side by side", `key = ("${TOKEN.slice(0, 12)}"\n       "${TOKEN.slice(12)}")`],
  ["words of a shell side by side", `export A='${TOKEN.slice(0, 7)}'"${TOKEN.slice(7)}"`],
  [
    "dots and pipes",
    `$a = "${AWS.slice(0, 6)}" . "${AWS.slice(6)}"; SELECT '${TOKEN.slice(0, 9)}' || '${TOKEN.slice(9)}'`,
  ],
  ["a line that goes on", `curl -H x:${TOKEN.slice(0, 20)}\\\n${TOKEN.slice(20)}`],
  ["text inside of text", JSON.stringify({ code: `"${AWS.slice(0, 4)}" + "${AWS.slice(4)}"` })],
  ["a key line by line", LINES.map((line) => `  "${line}\\n"`).join(" +\n")],
  ["a key as an answer to a letter", LINES.map((line) => `> ${line}`).join("\n")],
  ["a key in a difference", LINES.map((line) => `+${line}`).join("\n")],
  ["a key with other ends of lines", LINES.join("\r\n")],
])("a secret in pieces is no less a secret: %s", (_, text) => {
  const seen = redactor().text(text);
  for (const piece of [AWS.slice(9), TOKEN.slice(20), mixed(60).slice(0, 20)]) expect(seen).not.toContain(piece);
  expect(seen).toContain("[redacted:");
});

test.each([
  'const a = "AKIA" + name;',
  'join("a" + "b", "c")',
  "echo 'it''s' \"fine\"",
  `"sha256:" + "${"0123456789abcdef".repeat(4)}"`,
  "a \\\n  b",
])("pieces that make no secret stay: %j", (text) => {
  expect(redactor().text(text)).toBe(text);
});

test.each([
  [["curl", "-u", "me:hunter2", "https://x.y"], 2],
  [["tool", "--password", "hunter2", "run"], 2],
  [["curl", "-H", "Authorization:", "Bearer abc123def456ghi789"], 3],
  [["docker", "login", "-u", "me", "-p", "hunter2"], 5],
])("among the arguments %j the one at %d is a secret", (args, at) => {
  const seen = redactor().value({ args }) as { args: string[] };
  expect(seen.args[at]).toContain("[redacted:");
  expect(seen.args.join(" ")).not.toMatch(/hunter2|abc123/);
  expect(seen.args.toSpliced(at, 1)).toEqual(args.toSpliced(at, 1));
});
