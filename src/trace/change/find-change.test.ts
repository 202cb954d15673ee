import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cases } from "../../../tests/cases.ts";
import { diceFrom } from "../../../tests/trace/stress.ts";
import type { ChangeRecord } from "./change-record.ts";
import { nameToday } from "./file-names.ts";
import { type FoundChange, findByHash, findByLine } from "./find-change.ts";
import { hashOfLines, linesOf } from "./line-ranges.ts";
import { changes } from "./read-changes.ts";
import { openTrace } from "./trace-file.ts";
import { tracePaths } from "./trace-paths.ts";

const NAMES = ["a.ts", "b.ts", "deep/c.ts", "gone.ts"];

/** A project whose trace says what chance did to a few small files, written in small segments. */
function fresh(seed: number, count: number) {
  const root = mkdtempSync(join(tmpdir(), "sluice-find-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const project = { root, env: { XDG_STATE_HOME: join(root, "state") } };
  const place = tracePaths(project);
  const dice = diceFrom(seed);
  const below = (most: number) => Math.floor(dice() * most);
  const text = () => `line ${below(6)}`;
  let turn = 0;
  const add = (more: number) => {
    const trace = openTrace(place, { segmentBytes: 20_000 });
    for (const end = turn + more; turn < end; turn++) {
      const files = Array.from({ length: 1 + below(2) }, () => {
        const ranges = Array.from({ length: below(3) }, () => {
          const start_line = 1 + below(9);
          const lines = Array.from({ length: 1 + below(3) }, text);
          return { start_line, end_line: start_line + lines.length - 1, content_hash: hashOfLines(lines) };
        });
        const from = below(6) === 0 ? { renamed_from: NAMES[below(4)] } : {};
        return { relative_path: NAMES[below(4)], ...from, ranges };
      });
      const id = `${turn.toString(16).padStart(8, "0")}-0000-4000-8000-${below(1e9).toString(16).padStart(12, "0")}`;
      expect(trace.append({ id, timestamp: "2026-01-01T00:00:00.000Z", files })).toBeUndefined();
    }
    trace.close();
  };
  mkdirSync(join(root, "deep"));
  for (const name of NAMES.slice(0, 3))
    writeFileSync(join(root, name), `${Array.from({ length: 10 }, text).join("\n")}\n`);
  add(count);
  return { project, place, add, below, indexes: join(place.state, "indexes") };
}

type Fresh = ReturnType<typeof fresh>;

/** The same questions, answered by reading everything. */
function scannedByHash(records: readonly ChangeRecord[], wanted: string): string[] {
  return records.flatMap((record) =>
    record.files
      .flatMap(({ ranges }) =>
        ranges.flatMap(({ start_line, content_hash }) =>
          content_hash.startsWith(wanted) ? [`${record.id} ${start_line}`] : [],
        ),
      )
      .reverse(),
  );
}

/** A file under its name and all names that records of renames give it. */
function namesOf(path: string, records: readonly ChangeRecord[]): ReadonlySet<string> {
  const names = new Set([path]);
  for (const name of names)
    for (const { files } of records)
      for (const { relative_path, renamed_from } of files)
        if (relative_path === name && renamed_from !== undefined) names.add(renamed_from);
  return names;
}

function scannedByLine({ project }: Fresh, records: readonly ChangeRecord[], asked: string, line: number): string[] {
  const path = nameToday(project, asked);
  const names = namesOf(path, records);
  const lines = linesIn(join(project.root, path));
  const found = records.flatMap((record) =>
    record.files
      .flatMap(({ relative_path, renamed_from, ranges }) =>
        ranges.flatMap(({ start_line, end_line, content_hash }): (readonly [string, string, number])[] => {
          const holds = (start: number) =>
            hashOfLines(lines.slice(start - 1, start + end_line - start_line)) === content_hash;
          const isHere =
            [relative_path, renamed_from ?? ""].some((name) => names.has(name)) &&
            start_line <= line &&
            line <= end_line;
          if (isHere && holds(start_line)) return [["intact", record.id, start_line]];
          const length = end_line - start_line + 1;
          for (let start = Math.min(line, lines.length - length + 1); start >= Math.max(1, line - length + 1); start--)
            if (holds(start)) return [["moved", record.id, start]];
          return isHere ? [["rewritten", record.id, start_line]] : [];
        }),
      )
      .reverse(),
  );
  const isSure = (state: string) => state !== "rewritten";
  return [...found.filter(([state]) => isSure(state)), ...found.filter(([state]) => !isSure(state))].map((one) =>
    one.join(" "),
  );
}

function linesIn(path: string): readonly string[] {
  try {
    return linesOf(readFileSync(path, "utf8"));
  } catch {
    return [];
  }
}

const all = (place: Fresh["place"]): ChangeRecord[] => [...changes(place)].reverse();
const shown = ({ state, record, start_line }: FoundChange) => `${state} ${record.id} ${start_line}`;

function expectSameAnswers(
  at: Fresh,
  { lines = cases(4, 12), hashes = cases(2, 6), records = all(at.place) } = {},
): void {
  for (const name of NAMES)
    for (let line = 1; line <= lines; line++)
      expect(findByLine(at.project, name, line).map(shown), `${name}:${line}`).toEqual(
        scannedByLine(at, records, name, line),
      );
  for (let number = 0; number < hashes; number++) {
    const hash = hashOfLines([`line ${number}`]);
    for (const wanted of [hash, hash.slice(0, 15), hash.slice(0, 10)])
      expect(findByHash(at.project, wanted).map((one) => `${one.record.id} ${one.start_line}`)).toEqual(
        scannedByHash(records, wanted),
      );
  }
}

test.each(Array.from({ length: cases(1, 20) }, (_, index) => index + 1))(
  "what is found by indexes is what reading everything finds (%d)",
  (seed) => {
    const at = fresh(seed, 150);
    expectSameAnswers(at);
    expectSameAnswers(at);
  },
);

test("what was recorded since is found as well, also after a file was closed", () => {
  const at = fresh(4, 20);
  for (let round = 0; round < 4; round++) {
    at.add(1 + at.below(60));
    expectSameAnswers(at);
  }
  expect(readdirSync(at.place.folder).length).toBeGreaterThan(2);
});

test("indexes that are damaged, missing or somebody else's are made anew", () => {
  const at = fresh(5, 120);
  expectSameAnswers(at);
  const names = readdirSync(at.indexes);
  const records = all(at.place);
  expect(names.length).toBeGreaterThan(2);
  for (const name of names) {
    const path = join(at.indexes, name);
    const whole = readFileSync(path);
    for (const damaged of [whole.subarray(0, -3), Buffer.alloc(0), Buffer.alloc(whole.length, 7), undefined]) {
      if (damaged === undefined) rmSync(path);
      else writeFileSync(path, damaged);
      expectSameAnswers(at, { lines: 1, hashes: 1, records });
      // The list also says since when files lie still, which may have changed meanwhile.
      if (name.endsWith(".index")) expect(readFileSync(path).equals(whole)).toBe(true);
      else expect(JSON.parse(readFileSync(path, "utf8")).files).toHaveLength(JSON.parse(whole.toString()).files.length);
    }
  }
});

test("a trace that was changed behind its back is read anew, even where its size and its date are the same", () => {
  const at = fresh(6, 60);
  expectSameAnswers(at);
  const { atime, mtime } = statSync(at.place.file);
  writeFileSync(at.place.file, readFileSync(at.place.file, "utf8").replaceAll('"a.ts"', '"b.ts"'));
  utimesSync(at.place.file, atime, mtime);
  expectSameAnswers(at);
  writeFileSync(at.place.file, readFileSync(at.place.file, "utf8").split("\n").slice(0, 5).join("\n"));
  expectSameAnswers(at);
});

test("a record is found by its id, also one that wrote no lines", () => {
  const at = fresh(7, 40);
  for (const record of all(at.place)) {
    const found = findByHash(at.project, record.id);
    const wrote = record.files.flatMap(({ ranges }) =>
      ranges.length === 0 ? [0] : ranges.map((one) => one.start_line),
    );
    expect(found.map(({ start_line }) => start_line)).toEqual(wrote.reverse());
    expect(new Set(found.map(({ record: { id } }) => id))).toEqual(new Set([record.id]));
  }
});

test("indexes are for their user alone, and nothing of a trace's words is in them", () => {
  const at = fresh(8, 30);
  findByLine(at.project, "a.ts", 1);
  for (const name of readdirSync(at.indexes)) {
    expect(statSync(join(at.indexes, name)).mode & 0o077).toBe(0);
    expect(readFileSync(join(at.indexes, name), "latin1")).not.toMatch(/a\.ts|deep/);
  }
});
