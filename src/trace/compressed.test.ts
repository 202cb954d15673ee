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
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { knownSums, sumsOf } from "./call-statistics.ts";
import { compressClosed } from "./compressed.ts";
import { followRecords, journalEnds } from "./follow.ts";
import { findRecord, records } from "./read.ts";
import { makeRoom } from "./rotation.ts";

let folder: string;
const NOW = new Date("2026-03-05T12:00:00Z");
const LONG_AGO = new Date("2026-03-04T23:00:00Z");

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "sluice-compressed-")), "decisions");
  mkdirSync(folder);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const line = (id: string, time: string, more: object = {}) =>
  `${JSON.stringify({ v: 1, id, time, kind: "decision", event: "tool:pre_execute", tool: "Bash", agent: "x", session_id: "s", root: "/p", action: "deny", reasons: [], results: [{ hook: "h", action: "deny", duration_ms: 2.5 }], duration_ms: 3.25, ...more })}\n`;

function put(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  utimesSync(path, LONG_AGO, LONG_AGO);
  return path;
}

const ids = () => [...records(folder)].map(({ id }) => id);

describe("a closed day", () => {
  it("is compressed, stays readable by its owner alone, and is read as before", async () => {
    put("2026-03-03.jsonl", line("aaaaaa", "2026-03-03T01:00:00.000Z") + line("bbbbbb", "2026-03-03T02:00:00.000Z"));
    put("2026-03-05.100000000-7.jsonl", line("cccccc", "2026-03-05T10:00:00.000Z"));
    put("2026-03-05.jsonl", line("dddddd", "2026-03-05T11:00:00.000Z"));
    expect(await compressClosed(folder, NOW)).toBe(2);
    expect(readdirSync(folder).sort()).toEqual([
      "2026-03-03.jsonl.gz",
      "2026-03-05.100000000-7.jsonl.gz",
      "2026-03-05.jsonl",
    ]);
    expect(statSync(join(folder, "2026-03-03.jsonl.gz")).mode & 0o777).toBe(0o600);
    expect(gunzipSync(readFileSync(join(folder, "2026-03-03.jsonl.gz"))).toString()).toContain("bbbbbb");
    expect(ids()).toEqual(["dddddd", "cccccc", "bbbbbb", "aaaaaa"]);
    expect(findRecord(folder, "aaa")).toMatchObject({ found: "one", record: { id: "aaaaaa" } });
  });

  it("is left alone while a process may still write into it", async () => {
    const path = put("2026-03-04.jsonl", line("aaaaaa", "2026-03-04T01:00:00.000Z"));
    utimesSync(path, NOW, new Date(NOW.getTime() - 1000));
    expect(await compressClosed(folder, NOW)).toBe(0);
  });

  it("counts once where it lies there in both forms", async () => {
    const text = line("aaaaaa", "2026-03-03T01:00:00.000Z");
    put("2026-03-03.jsonl", text);
    await compressClosed(folder, NOW);
    put("2026-03-03.jsonl", text);
    expect(ids()).toEqual(["aaaaaa"]);
  });

  it("that is damaged is told and not fatal", () => {
    put("2026-03-03.jsonl.gz", "no gzip");
    const counts = { broken: 0 };
    expect([...records(folder, counts)]).toEqual([]);
    expect(counts.broken).toBe(1);
  });

  it("goes with its sums when it is too old or there is too much", async () => {
    put("2026-02-01.jsonl", line("aaaaaa", "2026-02-01T01:00:00.000Z"));
    put("2026-03-03.jsonl", line("bbbbbb", "2026-03-03T01:00:00.000Z"));
    await compressClosed(folder, NOW);
    for (const name of readdirSync(folder)) sumsOf(folder, name, NOW);
    expect(readdirSync(folder)).toHaveLength(4);
    makeRoom(folder, NOW, { days: 30 });
    expect(readdirSync(folder).sort()).toEqual(["2026-03-03.jsonl.gz", "2026-03-03.sums.json"]);
    put("2026-03-05.jsonl", "x");
    makeRoom(folder, NOW, { bytes: 10 });
    expect(readdirSync(folder)).toEqual(["2026-03-05.jsonl"]);
  });
});

describe("one who follows", () => {
  it("reads what was compressed in between, once, and nothing of it twice", async () => {
    put("2026-03-03.jsonl", line("aaaaaa", "2026-03-03T01:00:00.000Z"));
    const ends = journalEnds(folder);
    put("2026-03-03.jsonl", line("aaaaaa", "2026-03-03T01:00:00.000Z") + line("bbbbbb", "2026-03-03T02:00:00.000Z"));
    await compressClosed(folder, NOW);
    const stop = new AbortController();
    const seen: string[] = [];
    for await (const { id } of followRecords(folder, ends, { signal: stop.signal })) {
      seen.push(id);
      if (id === "bbbbbb") put("2026-03-05.jsonl", line("cccccc", "2026-03-05T01:00:00.000Z"));
      if (id === "cccccc") stop.abort();
    }
    expect(seen).toEqual(["bbbbbb", "cccccc"]);
  });
});

describe("the sums of a closed day", () => {
  it("are kept beside it, and made again when it is another file", async () => {
    const time = "2026-03-03T01:00:00.000Z";
    const canary = {
      results: [{ hook: "canary", action: "deny", reason: "sluice doctor's canary 0", duration_ms: 1 }],
    };
    put("2026-03-03.jsonl", `${line("aaaaaa", time)}${line("bbbbbb", time, canary)}torn\n`);
    expect(knownSums(folder, "2026-03-03.jsonl", NOW)).toBeUndefined();
    const sums = sumsOf(folder, "2026-03-03.jsonl", NOW);
    expect(sums).toMatchObject({
      records: 1,
      broken: 1,
      first: time,
      last: time,
      agents: { x: 1 },
      tools: { Bash: 1 },
    });
    expect(sums.projects).toMatchObject([{ root: "/p", denied: 1, took: { "3.25": 1 }, hooks: { h: { denials: 1 } } }]);
    expect(knownSums(folder, "2026-03-03.jsonl", NOW)).toEqual(JSON.parse(JSON.stringify(sums)));
    put("2026-03-03.jsonl", line("cccccc", time) + line("dddddd", time));
    expect(sumsOf(folder, "2026-03-03.jsonl", NOW).records).toBe(2);
    await compressClosed(folder, NOW);
    expect(knownSums(folder, "2026-03-03.jsonl.gz", NOW)?.records).toBe(2);
  });

  it("of today are made each time, and names from outside are nothing but names", () => {
    put("2026-03-05.jsonl", line("aaaaaa", "2026-03-05T01:00:00.000Z", { tool: "__proto__", agent: "constructor" }));
    const { tools, agents } = sumsOf(folder, "2026-03-05.jsonl", NOW);
    expect(Object.entries({ ...agents })).toEqual([["constructor", 1]]);
    expect(Object.keys(tools)).toEqual(["__proto__"]);
    expect(readdirSync(folder)).toEqual(["2026-03-05.jsonl"]);
  });
});
