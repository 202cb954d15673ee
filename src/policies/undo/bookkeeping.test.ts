import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { UNDO_DEFAULTS } from "../../config/undo-settings.ts";
import { HookEvent } from "../../event/event.ts";
import { diskLookups } from "../../runners/disk-lookups.ts";
import { expire } from "./expire.ts";
import {
  callsFolder,
  type KeptCall,
  keptById,
  keptByName,
  nameOf,
  objectsFolder,
  readKept,
  removeKept,
  writeKept,
} from "./kept-call.ts";
import { mayDestroy } from "./may-destroy.ts";
import { ObjectStore } from "./object-store.ts";
import { closeCall, hasOpenCalls, openCall } from "./open-calls.ts";

const DAY = 24 * 60 * 60_000;
const NOW = Date.parse("2026-06-15T12:00:00Z");

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), "sluice-bookkeeping-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const path of ["undo/calls", "undo/objects", "sluice/undo/open"])
    mkdirSync(join(folder, path), { recursive: true });
  return folder;
}

const call = (id: string, ageMs: number, grown: number, more: Partial<KeptCall> = {}): KeptCall => ({
  v: 1,
  id,
  at: new Date(NOW - ageMs).toISOString(),
  root: "/p",
  tool: "Bash",
  files: [],
  refs: [],
  bytes: grown,
  grown,
  state: "kept",
  ...more,
});

/** What is left of these calls, as `id state`. */
function left(calls: readonly KeptCall[], settings: Partial<typeof UNDO_DEFAULTS> = {}, grown = 0): string[] {
  const folder = join(place(), "undo");
  for (const one of calls) writeKept(folder, one);
  expire(folder, { ...UNDO_DEFAULTS, ...settings }, grown, NOW);
  return readKept(folder).map(({ id, state }) => `${id} ${state}`);
}

describe("what is kept for undo", () => {
  test("expires after the time that the settings say", () => {
    expect(left([call("aa", 2 * DAY + 1, 5), call("bb", 2 * DAY, 5)], { keepMs: 2 * DAY })).toEqual([
      "aa expired",
      "bb kept",
    ]);
  });

  test("expires where it is more than the settings allow, the oldest first", () => {
    const calls = [call("aa", 30, 40), call("bb", 20, 40), call("cc", 10, 40)];
    expect(left(calls, { max: 120 })).toEqual(["aa kept", "bb kept", "cc kept"]);
    expect(left(calls, { max: 119 })).toEqual(["aa expired", "bb kept", "cc kept"]);
    expect(left(calls, { max: 79 })).toEqual(["aa expired", "bb expired", "cc kept"]);
  });

  test("what has expired takes no room, and is named for thirty days more", () => {
    const gone = (age: number) => call("aa", age, 1000, { state: "expired" });
    expect(left([gone(3 * DAY), call("bb", 1, 40)], { keepMs: DAY, max: 40 })).toEqual(["aa expired", "bb kept"]);
    expect(left([gone(31 * DAY), call("bb", 1, 40)], { keepMs: DAY })).toEqual(["aa expired", "bb kept"]);
    expect(left([gone(31 * DAY + 1), call("bb", 1, 40)], { keepMs: DAY })).toEqual(["bb kept"]);
  });

  test("of what was kept without a word nothing is named afterwards", () => {
    expect(left([call("aa", 2 * DAY, 5, { quiet: true }), call("bb", 1, 5)], { keepMs: DAY })).toEqual(["bb kept"]);
  });

  test("is looked at every ten minutes, and at once where it may have become too much", () => {
    const folder = join(place(), "undo");
    const settings = { ...UNDO_DEFAULTS, keepMs: DAY, max: 100 };
    expire(folder, settings, 0, NOW);
    writeKept(folder, call("aa", 2 * DAY, 40));
    writeKept(folder, call("bb", 1, 40));
    const states = () => readKept(folder).map(({ state }) => state);
    expire(folder, settings, 40, NOW + 1);
    expire(folder, settings, 40, NOW + 10 * 60_000);
    expect(states()).toEqual(["kept", "kept"]);
    expire(folder, settings, 20, NOW + 2);
    expect(states()).toEqual(["kept", "kept"]);
    expire(folder, settings, 1, NOW + 2);
    expect(states()).toEqual(["expired", "kept"]);
    writeKept(folder, call("cc", 2 * DAY, 1));
    expire(folder, settings, 0, NOW + 10 * 60_000 + 3);
    expect(readKept(folder).map(({ id, state }) => `${id} ${state}`)).toContain("cc expired");
  });

  test("counts what has come since it was looked at, and passes over lines that are torn", () => {
    const folder = join(place(), "undo");
    writeKept(folder, call("aa", 2 * DAY, 40));
    const stateWith = (ledger: string) => {
      writeFileSync(join(folder, "kept-bytes"), ledger);
      expire(folder, { ...UNDO_DEFAULTS, keepMs: DAY, max: 100 }, 0, NOW);
      return readKept(folder)[0]?.state;
    };
    expect(stateWith(`${NOW} 50\n50\nx\n`)).toBe("kept");
    expect(stateWith(`${NOW} x\n-1\n101\n`)).toBe("kept");
    expect(stateWith(`${NOW} 50\nx\n30\n21\n`)).toBe("expired");
    writeKept(folder, call("aa", 2 * DAY, 40));
    expect(stateWith("x 1\n")).toBe("expired");
  });

  test("drafts of processes that were killed go after a minute", () => {
    const folder = join(place(), "undo");
    for (const [name, age] of [
      ["old.draft", 61],
      ["new.draft", 59],
      ["old.json", 61],
    ] as const) {
      const path = join(callsFolder(folder), name);
      writeFileSync(path, "");
      utimesSync(path, NOW / 1000 - age, NOW / 1000 - age);
    }
    expire(folder, UNDO_DEFAULTS, 0, NOW);
    expect(readdirSync(callsFolder(folder)).sort()).toEqual(["new.draft", "old.json"]);
  });

  test("of content that has expired only that stays which a later call needs as well", () => {
    const folder = join(place(), "undo");
    const objects = new ObjectStore(objectsFolder(folder));
    const [shared = "", own = "", index = "", named = "", none = ""] = ["shared", "own", "index", "named", "none"].map(
      (text) => objects.put(Buffer.from(text)).hash,
    );
    const later = Date.now() + 3 * DAY;
    vi.useFakeTimers({ now: later, toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const since = (ageMs: number) => ({ at: new Date(later - ageMs).toISOString() });
    const file = (hash: string) =>
      ({ path: "/p/a", kind: "file", mode: 0o644, mtime: 0, size: 1, hash, loss: "removed" }) as const;
    const ref = { folder: "/p", name: "refs/heads/a", id: "a", heldBy: "refs/sluice/a" };
    writeKept(folder, call("aa", 0, 5, { ...since(2 * DAY), files: [file(shared), file(own)] }));
    writeKept(folder, call("bb", 0, 5, { ...since(1), files: [file(shared)], refs: [{ ...ref, index }] }));
    writeKept(folder, call("cc", 0, 0, { ...since(2 * DAY), files: [file(named)], state: "expired" }));
    expire(folder, { ...UNDO_DEFAULTS, keepMs: DAY }, 0, later);
    const left = new ObjectStore(objectsFolder(folder));
    const isThere = [shared, own, index, named, none].map((hash) => left.read(hash) !== undefined);
    expect(isThere).toEqual([true, false, true, false, false]);
  });

  test("of a call that expires, the content goes at once, however new it is", () => {
    const folder = join(place(), "undo");
    const store = new ObjectStore(objectsFolder(folder));
    const [own = "", index = "", shared = ""] = ["own", "index", "shared"].map(
      (text) => store.put(Buffer.from(text)).hash,
    );
    const [now, ref] = [Date.now(), { folder, name: "refs/heads/a", id: "a", heldBy: "refs/sluice/a" }];
    const file = { path: "/p/a", kind: "file", mode: 0o644, mtime: 0, size: 1, loss: "removed" } as const;
    const files = [{ ...file, hash: own }, { ...file, hash: shared }, { ...file, kind: "folder" } as const];
    writeKept(
      folder,
      call("aa", 0, 5, { at: new Date(now + 1000).toISOString(), files, refs: [{ ...ref, index }, ref] }),
    );
    writeKept(folder, call("bb", 0, 5, { at: new Date(now + 2 * DAY).toISOString(), files: files.slice(1) }));
    expire(folder, { ...UNDO_DEFAULTS, keepMs: DAY }, 0, now + 2 * DAY);
    expect([own, index, shared].map((hash) => store.read(hash)?.toString())).toEqual([undefined, undefined, "shared"]);
  });

  test("is listed from the oldest to the latest, and removed once", () => {
    const folder = join(place(), "undo");
    const ages = [3, 7, 1, 9, 5];
    for (const age of ages) writeKept(folder, call(`a${age}`, age * DAY, 1));
    expect(readKept(folder).map(({ id }) => id)).toEqual(["a9", "a7", "a5", "a3", "a1"]);
    for (let times = 0; times < 2; times++) removeKept(folder, call("a9", 9 * DAY, 1));
    expect(readKept(folder)).toHaveLength(4);
  });

  test("is found by the beginning of its id, and by its name; other files are none", () => {
    const folder = join(place(), "undo");
    const [one, other] = [call("abc1", 2, 1), call("abd2", 1, 1)];
    for (const kept of [other, one]) writeKept(folder, kept);
    for (const name of ["notes.json", "000000000-zz.json", "0000000000-abc1.json", "000000000-abc1.json.x"])
      writeFileSync(join(callsFolder(folder), name), JSON.stringify(one));
    for (const [at, torn] of ["{", '{"v":2,"files":[],"refs":[]}', '{"v":1,"refs":[]}', '{"v":1,"files":[]}'].entries())
      writeFileSync(join(callsFolder(folder), `00000000${at}-abc9.json`), torn);
    expect(readKept(folder).map(({ id }) => id)).toEqual(["abc1", "abd2"]);
    const found = (id: string) => keptById(folder, id).map((kept) => kept.id);
    expect([found("ab"), found("abd"), found("bc")]).toEqual([["abc1", "abd2"], ["abd2"], []]);
    expect(keptByName(folder, nameOf(other))?.id).toBe("abd2");
    expect(keptByName(folder, "000000000-abc9")).toBe(undefined);
    expect(readKept(join(folder, "nowhere"))).toEqual([]);
    expect([callsFolder(folder), objectsFolder(folder)]).toEqual([join(folder, "calls"), join(folder, "objects")]);
  });
});

test("a call is open until its end is told, for half an hour at most", () => {
  const env = { XDG_STATE_HOME: place() };
  const name = (ageMs: number) => `${(NOW - ageMs).toString(36)}-ab`;
  const [old, older] = [name(30 * 60_000), name(30 * 60_000 + 1)];
  const [one, other] = [
    { tool: "Bash", input: "x", call_id: "c" },
    { tool: "Bash", input: "y" },
  ];
  expect(hasOpenCalls(env)).toBe(false);
  openCall(env, old, one);
  const open = join(env.XDG_STATE_HOME, "sluice/undo/open");
  expect(readdirSync(open).map((file) => statSync(join(open, file)).mode & 0o777)).toEqual([0o600]);
  openCall(env, older, other);
  expect(hasOpenCalls(env)).toBe(true);
  expect(closeCall(env, other, NOW)).toBe(undefined);
  expect(closeCall(env, { ...one, call_id: "d" }, NOW)).toBe(undefined);
  expect(closeCall(env, { ...one, session_id: "s" }, NOW)).toBe(undefined);
  expect(closeCall(env, one, NOW)).toBe(old);
  expect(hasOpenCalls(env)).toBe(false);
  expect(hasOpenCalls({ XDG_STATE_HOME: join(place(), "nowhere") })).toBe(false);
});

test("of calls that never end the latest two hundred are remembered", () => {
  const env = { XDG_STATE_HOME: place() };
  const open = join(env.XDG_STATE_HOME, "sluice/undo/open");
  for (let at = 0; at < 199; at++) writeFileSync(join(open, `${(NOW + at).toString(36)}-ab.x.-.-`), "");
  for (const at of [199, 200]) openCall(env, `${(NOW + at).toString(36)}-ab`, { tool: "Bash", input: "x" });
  const names = readdirSync(open).sort();
  expect(names).toHaveLength(200);
  expect(names[0]?.startsWith(`${(NOW + 1).toString(36)}-ab`)).toBe(true);
});

test("a call without an id ends by its input, or as the latest of its tool", () => {
  const env = { XDG_STATE_HOME: place() };
  const name = (at: number) => `${(NOW + at).toString(36)}-ab`;
  for (const [at, input] of ["x", "y", "x"].entries()) openCall(env, name(at), { tool: "Bash", input });
  expect(closeCall(env, { tool: "Bash", input: "x", call_id: "c" }, NOW)).toBe(name(2));
  expect(closeCall(env, { tool: "Bash", input: "" }, NOW)).toBe(name(1));
  expect(closeCall(env, { tool: "Write", input: "x" }, NOW)).toBe(undefined);
});

test.each([
  ["rm there", true],
  ["rm missing", false],
  ["rm *.txt", true],
  ["echo x > there", true],
  ["echo x > missing", false],
  ["cat there", false],
  ["chmod 600 there", true],
  ["chmod 600 missing", false],
  ['rm "$X"', true],
  ['rm "missing/$X"', false],
  ['rm "undo/pre$X"', true],
  ['rm "undo/$X/y"', true],
  ['rm "missing/$X/y"', false],
  ["unheard-of there", true],
  ["unheard-of missing", false],
  ['rm "/tmp/missing-folder/$X"', false],
  ["echo x > /dev/null", false],
  ["cd nowhere; echo x > /dev/null", false],
  ["cd nowhere; rm '~/x'", false],
  ["cd nowhere; rm missing", true],
  ["cd . && rm missing", false],
  ["git reset --hard", true],
  ["git push --force", true],
  ["git clean -fdX", true],
  ["git status", false],
  ["ls", false],
])("whether a call may destroy something that is there: %s: %s", (command, may) => {
  const cwd = place();
  writeFileSync(join(cwd, "there"), "x");
  expect(mayDestroy(HookEvent.toolPreExecute("Bash", { command }, { cwd }), diskLookups)).toBe(may);
  expect(mayDestroy(HookEvent.sessionStart("s", {}, { cwd }), diskLookups)).toBe(false);
  expect(existsSync(join(cwd, "there"))).toBe(true);
});
