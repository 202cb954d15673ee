import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { append, journalFolder } from "./journal.ts";
import { findRecord, records } from "./read.ts";
import { makeRoom, rollOver } from "./rotation.ts";

let home: string;
let folder: string;
const NOON = new Date("2026-03-04T12:00:00Z");

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "sluice-journal-"));
  folder = journalFolder({ XDG_STATE_HOME: home });
});

afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

const line = (id: string, more: object = {}) =>
  JSON.stringify({
    v: 1,
    id,
    time: NOON.toISOString(),
    event: "session:stop",
    action: "deny",
    reasons: [],
    results: [],
    ...more,
  });
const ids = () => [...records(folder)].map(({ id }) => id);

describe("the journal", () => {
  it("lies in the state folder; a relative one does not count", () => {
    expect(journalFolder({ XDG_STATE_HOME: "/s", HOME: "/h" })).toBe("/s/sluice/decisions");
    expect(journalFolder({ XDG_STATE_HOME: "s", HOME: "/h" })).toBe("/h/.local/state/sluice/decisions");
    expect(journalFolder({ HOME: "/h" })).toBe("/h/.local/state/sluice/decisions");
    expect(journalFolder({ USERPROFILE: "/u" })).toBe("/u/.local/state/sluice/decisions");
    expect(append(journalFolder({}), "x")?.message).toContain("neither XDG_STATE_HOME nor HOME");
  });

  it("has one file a day that only its owner reads, in a folder that only its owner opens", () => {
    expect(append(folder, line("aaaaaa"), NOON)).toBeUndefined();
    expect(append(folder, line("bbbbbb"), NOON)).toBeUndefined();
    const file = join(folder, "2026-03-04.jsonl");
    expect(readFileSync(file, "utf8")).toBe(`${line("aaaaaa")}\n${line("bbbbbb")}\n`);
    expect([statSync(file).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
    chmodSync(file, 0o644);
    append(folder, line("cccccc"), NOON);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("is read newest first, over days and pieces of any size", () => {
    const long = { reasons: ["x".repeat(50_000)] };
    for (const [id, day] of [
      ["aaaaaa", 4],
      ["bbbbbb", 4],
      ["cccccc", 5],
      ["dddddd", 5],
    ] as const)
      append(folder, line(id, long), new Date(Date.UTC(2026, 2, day)));
    expect(ids()).toEqual(["dddddd", "cccccc", "bbbbbb", "aaaaaa"]);
  });

  it("begins a new line after a torn one, and readers pass over what is broken and count it", () => {
    append(folder, line("aaaaaa"), NOON);
    writeFileSync(join(folder, "2026-03-04.jsonl"), '{"v":1,"id":"bbbb', { flag: "a" });
    append(folder, line("cccccc"), NOON);
    append(folder, "null", NOON);
    append(folder, '{"v":2,"id":"dddddd"}', NOON);
    const counts = { broken: 0 };
    expect([...records(folder, counts)].map(({ id }) => id)).toEqual(["cccccc", "aaaaaa"]);
    expect(counts.broken).toBe(3);
  });

  it.each([
    ["a link in place of the file", () => symlinkSync(join(home, "victim"), join(folder, "2026-03-04.jsonl"))],
    ["a hard link in place of the file", () => linkSync(join(home, "victim"), join(folder, "2026-03-04.jsonl"))],
    [
      "a link in place of the folder",
      () => {
        rmSync(folder, { recursive: true });
        symlinkSync(join(home, "elsewhere"), folder);
      },
    ],
    [
      "a file in place of the folder",
      () => {
        rmSync(folder, { recursive: true });
        writeFileSync(folder, "");
      },
    ],
  ])("refuses %s, and says so", (_, plant) => {
    mkdirSync(folder, { recursive: true });
    mkdirSync(join(home, "elsewhere"));
    writeFileSync(join(home, "victim"), "mine");
    plant();
    const problem = append(folder, line("aaaaaa"), NOON);
    expect(problem?.code).toBe("journal/foreign");
    expect(problem?.fix).toContain("remove it");
    expect(readFileSync(join(home, "victim"), "utf8")).toBe("mine");
    expect(readdirSync(join(home, "elsewhere"))).toEqual([]);
    expect(ids()).toEqual([]);
  });

  it("begins anew when its file was removed, and soon after it was moved away", () => {
    const file = join(folder, "2026-03-04.jsonl");
    append(folder, line("aaaaaa"), NOON);
    rmSync(file);
    append(folder, line("bbbbbb"), NOON);
    append(folder, line("bbbbbc"), NOON);
    expect(ids()).toEqual(["bbbbbc", "bbbbbb"]);
    renameSync(file, join(folder, "moved"));
    append(folder, line("cccccc"), NOON);
    expect(readFileSync(join(folder, "moved"), "utf8")).toContain("cccccc");
    append(folder, line("dddddd"), new Date(NOON.getTime() + 1000));
    expect(ids()).toEqual(["dddddd"]);
  });

  it("says why it could not be written, and never throws", () => {
    mkdirSync(join(folder, "2026-03-04.jsonl"), { recursive: true });
    expect(append(folder, "x", NOON)?.format()).toMatch(/cannot be written, it is a folder\.\n.*decisions themselves/);
  });

  it("forgets days that are too old, then the oldest files until the rest is small enough", () => {
    mkdirSync(folder, { recursive: true });
    for (const name of ["2026-02-01", "2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"])
      writeFileSync(join(folder, `${name}.jsonl`), "x".repeat(100));
    writeFileSync(join(folder, "notes.txt"), "kept");
    append(folder, "y", new Date("2026-03-05T00:00:00Z"));
    expect(readdirSync(folder)).toHaveLength(6);
    makeRoom(folder, NOON, { bytes: 250 });
    expect(readdirSync(folder).sort()).toEqual([
      "2026-03-03.jsonl",
      "2026-03-04.jsonl",
      "2026-03-05.jsonl",
      "notes.txt",
    ]);
  });

  it("sets a file aside that has grown large, and reads its parts in order", () => {
    for (const [id, hour] of [
      ["aaaaaa", 1],
      ["bbbbbb", 2],
      ["cccccc", 3],
    ] as const) {
      const now = new Date(Date.UTC(2026, 2, 4, hour));
      append(folder, line(id), now);
      if (hour < 3) rollOver(join(folder, "2026-03-04.jsonl"), 100, now, 50);
    }
    expect(readdirSync(folder)).toHaveLength(3);
    expect(ids()).toEqual(["cccccc", "bbbbbb", "aaaaaa"]);
  });

  it("finds a record by its id or the beginning of it", () => {
    for (const id of ["abc123", "abd456", "ffffff"]) append(folder, line(id), NOON);
    expect(findRecord(folder, "abc")).toMatchObject({ found: "one", record: { id: "abc123" } });
    expect(findRecord(folder, "FFFFFF")).toMatchObject({ found: "one", record: { id: "ffffff" } });
    expect(findRecord(folder, "ab")).toMatchObject({ found: "several", records: [{ id: "abd456" }, { id: "abc123" }] });
    expect(findRecord(folder, "0")).toEqual({ found: "none" });
    append(folder, line("abc123", { reasons: ["newer"] }), NOON);
    expect(findRecord(folder, "abc123")).toMatchObject({ record: { reasons: ["newer"] } });
    expect(findRecord(join(home, "nothing"), "a")).toEqual({ found: "none" });
  });
});
