import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hashOfLine } from "./chain.ts";
import { appendProblem, appendToTrace, openTrace } from "./trace-file.ts";
import { type TracePaths, tracePaths } from "./trace-paths.ts";
import { verifyTrace } from "./verify.ts";

function fresh() {
  const root = mkdtempSync(join(tmpdir(), "sluice-trace-file-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return tracePaths({ root, env: { XDG_STATE_HOME: join(root, "state") } });
}

const linesIn = (file: string) => readFileSync(file, "utf8").trimEnd().split("\n");

test("a file that has grown large is closed, and the chain goes on in the next one", () => {
  const place = fresh();
  const trace = openTrace(place, { segmentBytes: 2000 });
  for (let turn = 0; turn < 40; turn++) expect(trace.append({ turn, text: "x".repeat(100) })).toBeUndefined();
  trace.close();
  const segments = readdirSync(place.folder).filter((name) => /^agent_trace\.\d+\.jsonl$/.test(name));
  expect(segments.length).toBeGreaterThan(3);
  expect(verifyTrace(place)).toEqual({ records: 40, bytes: expect.any(Number), notes: [] });
  const second = join(place.folder, "agent_trace.2.jsonl");
  const lines = linesIn(second);
  writeFileSync(second, `${lines.slice(1).join("\n")}\n`);
  expect(verifyTrace(place).broken).toMatchObject({ file: second, line: 1 });
  rmSync(second);
  expect(verifyTrace(place).broken).toMatchObject({ file: join(place.folder, "agent_trace.3.jsonl"), line: 1 });
});

test("a lock whose owner has ended holds up no call, and neither does one without a word in it", () => {
  const place = fresh();
  expect(appendToTrace(place, { turn: 0 })).toBeUndefined();
  writeFileSync(join(place.state, "lock"), "999999999-gone");
  expect(appendToTrace(place, { turn: 1 })).toBeUndefined();
  expect(verifyTrace(place).records).toBe(2);
  expect(readdirSync(place.state)).toEqual(["tip"]);
});

test("a link in the place of the trace is not written through", () => {
  const place = fresh();
  const target = join(place.folder, "..", "target");
  writeFileSync(target, "");
  expect(appendToTrace(place, { turn: 0 })).toBeUndefined();
  rmSync(place.file);
  symlinkSync(target, place.file);
  expect(appendToTrace(place, { turn: 1 })?.code).toBe("trace/foreign");
  expect(readFileSync(target, "utf8")).toBe("");
});

/** What a process leaves that is killed while it writes the last record: the tip does not say that it was finished. */
function unfinished(place: TracePaths): void {
  const tip = join(place.state, "tip");
  writeFileSync(tip, readFileSync(tip, "latin1").replace(/^\+/, "-"), "latin1");
}

test("a pipe in the place of the chain's head holds nothing up, and is named", () => {
  const place = fresh();
  mkdirSync(place.state, { recursive: true });
  execFileSync("mkfifo", [join(place.state, "tip")]);
  expect(appendToTrace(place, { id: 1 })).toMatchObject({
    code: "trace/foreign",
    message: expect.stringContaining(join(place.state, "tip")),
  });
});

test("a full disk is told by the folder that lies on it: that of the state, or that of the trace", () => {
  const cause = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  const { file, state } = fresh();
  mkdirSync(state, { recursive: true });
  expect(appendProblem(cause, { file, state }).message).toContain(`${file} cannot be written, the disk is full`);
  // There is never any room in it.
  expect(appendProblem(cause, { file, state: "/proc/self" }).message).toContain("/proc/self cannot be written");
});

test("a record that was never finished is put aside, named in the trace, and the chain goes on", () => {
  const place = fresh();
  for (let turn = 0; turn < 3; turn++) appendToTrace(place, { turn });
  truncateSync(place.file, readFileSync(place.file).length - 20);
  unfinished(place);
  expect(verifyTrace(place)).toMatchObject({ records: 2, notes: [expect.stringContaining("moves it aside")] });
  expect(verifyTrace(place)).not.toHaveProperty("broken");
  appendToTrace(place, { turn: 3 });
  expect(verifyTrace(place)).toMatchObject({ records: 4, notes: [expect.stringContaining("torn")] });
  expect(verifyTrace(place)).not.toHaveProperty("broken");
  expect(JSON.parse(linesIn(place.file)[2] ?? "")).toMatchObject({
    recovered: { lost_hash: expect.stringContaining("sha256:") },
  });
  expect(readFileSync(join(place.folder, "agent_trace.torn"), "utf8")).toContain('"turn":2');
});

test.each([
  ["only its first letter is left", (text: string, last: string) => `${text.slice(0, -last.length - 1)}{`],
  ["its end is gone", (text: string) => text.slice(0, -60)],
])("a finished record that was cut stays lost, however many are written after it: %s", (_, cut) => {
  const place = fresh();
  for (let turn = 0; turn < 5; turn++) appendToTrace(place, { turn });
  const text = readFileSync(place.file, "utf8");
  writeFileSync(place.file, cut(text, linesIn(place.file).at(-1) ?? ""));
  expect(verifyTrace(place).broken).toMatchObject({ line: 5, why: "the last record is cut off", fitting: 4 });
  for (let turn = 5; turn < 8; turn++) expect(appendToTrace(place, { turn })).toBeUndefined();
  expect(verifyTrace(place).broken).toMatchObject({ line: 5, why: "the record is cut", fitting: 4 });
});

test("records that were removed stay missing, however many are written after them", () => {
  const place = fresh();
  for (let turn = 0; turn < 5; turn++) appendToTrace(place, { turn });
  writeFileSync(place.file, `${linesIn(place.file).slice(0, 3).join("\n")}\n`);
  for (let turn = 5; turn < 9; turn++) appendToTrace(place, { turn });
  expect(verifyTrace(place).broken).toMatchObject({ line: 4, why: expect.stringContaining("removed") });
});

test("a trace that came from elsewhere goes on, and its unknown end is told", () => {
  const [there, here] = [fresh(), fresh()];
  for (let turn = 0; turn < 3; turn++) appendToTrace(there, { turn });
  appendToTrace(here, { turn: "own" });
  rmSync(here.state, { recursive: true });
  writeFileSync(here.file, readFileSync(there.file));
  expect(verifyTrace(here)).toMatchObject({ records: 3, notes: [expect.stringContaining("not remembered")] });
  expect(appendToTrace(here, { turn: 3 })).toBeUndefined();
  expect(verifyTrace(here)).toEqual({ records: 4, bytes: expect.any(Number), notes: [] });
});

test("two that record in one process, and one that looks, do not wait for each other", () => {
  const place = fresh();
  const [one, other] = [openTrace(place), openTrace(place)];
  const began = performance.now();
  for (let turn = 0; turn < 50; turn++) {
    expect(one.append({ by: "one", turn })).toBeUndefined();
    expect(other.append({ by: "other", turn })).toBeUndefined();
    expect(verifyTrace(place).records).toBe(2 * turn + 2);
  }
  expect(performance.now() - began).toBeLessThan(20_000);
  one.close();
  other.close();
  expect(readdirSync(place.state)).toEqual(["tip"]);
});

/** Makes every hash anew, as somebody would who knows how the chain is made. */
function forged(place: TracePaths, change: (records: Record<string, unknown>[]) => Record<string, unknown>[]): void {
  const records = linesIn(place.file).map((line) => JSON.parse(line) as Record<string, unknown>);
  rmSync(place.file);
  const other = { ...place, state: `${place.state}-other` };
  for (const { previous_hash, record_hash, ...record } of change(records)) appendToTrace(other, record);
}

const withSecond = (text: string) => (records: Record<string, unknown>[]) =>
  records.map((record, index) => (index === 1 ? { ...record, text } : record));

test.each([
  ["a chain that was made anew", withSecond("forged"), { kind: "end", fitting: 0 }],
  [
    "one that goes on as well",
    (records) => [...withSecond("forged")(records), { turn: 4 }],
    { kind: "end", fitting: 0 },
  ],
  [
    "a last record that was made anew",
    (records) => [...records.slice(0, 3), { turn: 33 }],
    { kind: "record", line: 4, why: "the last record was changed", fitting: 3 },
  ],
  [
    "records behind the end",
    (records) => [...records, { turn: 4 }, { turn: 5 }],
    { kind: "record", line: 5, why: expect.stringContaining("never written"), fitting: 4 },
  ],
] satisfies [string, Parameters<typeof forged>[1], object][])("%s is told by where it ends", (_, change, broken) => {
  const place = fresh();
  for (let turn = 0; turn < 4; turn++) appendToTrace(place, { turn });
  forged(place, change);
  expect(verifyTrace(place).broken).toMatchObject(broken);
  if (broken.kind === "end")
    expect(verifyTrace(place).broken?.why).toContain("any of its records may have been changed");
});

test("a chain that was bound anew and not sealed is told by its end as well, not by its last record", () => {
  const place = fresh();
  for (let turn = 0; turn < 4; turn++) appendToTrace(place, { turn });
  let previous: string | null = null;
  const lines = linesIn(place.file).map((line, index) => {
    const record = { ...JSON.parse(line), previous_hash: previous, ...(index === 1 ? { turn: 11 } : {}) };
    const bound = JSON.stringify(record);
    previous = hashOfLine(Buffer.from(bound));
    return bound;
  });
  writeFileSync(place.file, `${lines.join("\n")}\n`);
  expect(verifyTrace(place).broken).toMatchObject({ kind: "end", fitting: 0 });
});
