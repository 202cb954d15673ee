import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { observedDisk } from "./observed-disk.ts";

/** A folder whose files have not changed for a while, by the test's clock. */
function project(): string {
  const folder = mkdtempSync(join(tmpdir(), "sluice-disk-"));
  mkdirSync(join(folder, "sub"));
  writeFileSync(join(folder, "file"), "one");
  mkdirSync(join(folder, "apart"));
  symlinkSync("nowhere", join(folder, "dangling"));
  symlinkSync("apart/nowhere", join(folder, "away"));
  vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ["Date"] });
  onTestFinished(() => {
    vi.useRealTimers();
    rmSync(folder, { recursive: true });
  });
  return folder;
}

test.each<[string, (folder: string) => void, boolean]>([
  ["nothing happens", () => {}, true],
  ["a file is written that was read", (folder) => writeFileSync(join(folder, "file"), "two!"), false],
  ["a file appears that was looked for", (folder) => writeFileSync(join(folder, "missing"), ""), false],
  ["a folder appears on the way to a file", (folder) => mkdirSync(join(folder, "far/off"), { recursive: true }), false],
  ["that file appears", farFile, false],
  ["a file appears behind a link", (folder) => writeFileSync(join(folder, "nowhere"), ""), false],
  [
    "a file appears in another folder behind a link",
    (folder) => writeFileSync(join(folder, "apart/nowhere"), ""),
    false,
  ],
  ["another file appears", (folder) => writeFileSync(join(folder, "other"), ""), true],
  ["a file appears in a folder that was listed", (folder) => writeFileSync(join(folder, "sub/new"), ""), false],
  ["a file is removed", (folder) => rmSync(join(folder, "file")), false],
  ["a file gets its old time back", (folder) => rewritten(join(folder, "file")), false],
])("%s", (_, act, isSame) => {
  const folder = project();
  const disk = observedDisk();
  for (const name of ["file", "missing", "far/file", "dangling", "away"]) disk.read(join(folder, name));
  disk.list(join(folder, "sub"));
  expect(disk.isSame()).toBe(true);
  expect(disk.isSame()).toBe(true);
  act(folder);
  expect(disk.isSame()).toBe(isSame);
});

test("a view of a file that was just written is not relied on, because it may change again under the same stamp", () => {
  const folder = project();
  vi.useRealTimers();
  const disk = observedDisk();
  disk.read(join(folder, "sub"));
  expect(disk.isSame()).toBe(true);
  disk.read(join(folder, "file"));
  expect(disk.isSame()).toBe(false);
});

test("a missing path is neither a file nor a folder", () => {
  const folder = project();
  const { isFile, isFolder } = observedDisk();
  const kinds = ["file", "sub", "missing"].map((name) => join(folder, name));
  expect(kinds.map(isFile)).toEqual([true, false, false]);
  expect(kinds.map(isFolder)).toEqual([false, true, false]);
});

function farFile(folder: string): void {
  mkdirSync(join(folder, "far"));
  writeFileSync(join(folder, "far/file"), "");
}

function rewritten(path: string): void {
  writeFileSync(path, "six");
  utimesSync(path, 1, 1);
}
