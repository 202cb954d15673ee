import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished, test } from "vitest";
import { cachedStat, FileCache, withStatCache } from "./stat-cache.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "sluice-look-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

it("within one call every reader gets the same stat, and the next call gets a new one", () => {
  const file = join(folder(), "f");
  writeFileSync(file, "1");
  withStatCache(() => {
    const first = cachedStat(file);
    writeFileSync(file, "22");
    expect(cachedStat(file)).toBe(first);
    expect(cachedStat(file)?.size).toBe(1);
  });
  expect(withStatCache(() => cachedStat(file)?.size)).toBe(2);
});

it("outside of a call every stat is a new one, also after a call that threw", () => {
  const file = join(folder(), "f");
  expect(() =>
    withStatCache(() => {
      cachedStat(file);
      throw new Error("broken");
    }),
  ).toThrow("broken");
  writeFileSync(file, "1");
  expect(cachedStat(file)?.size).toBe(1);
  writeFileSync(file, "22");
  expect(cachedStat(file)?.size).toBe(2);
});

it("a missing file may appear within the call", () => {
  const path = join(folder(), "new");
  withStatCache(() => {
    expect(cachedStat(path)).toBeUndefined();
    mkdirSync(path);
    expect(cachedStat(path)?.isDirectory()).toBe(true);
  });
});

/** A file, and how often it was read so far. */
function watched(name: string) {
  const path = join(folder(), name);
  const files = new FileCache<number>();
  let reads = 0;
  return { path, read: () => files.read(path, () => ++reads) };
}

describe("a file that is read again and again", () => {
  test("is cached once it has settled, until it changes", async () => {
    const { path, read } = watched("a");
    writeFileSync(path, "one");
    expect([read(), read()]).toEqual([1, 2]);
    await pause(150);
    expect([read(), read(), read()]).toEqual([3, 3, 3]);
    writeFileSync(path, "two");
    expect([read(), read()]).toEqual([4, 5]);
  });

  test("is read again if another file replaces it with the same length and times", async () => {
    const { path, read } = watched("b");
    const other = `${path}-other`;
    for (const file of [path, other]) {
      writeFileSync(file, "same");
      utimesSync(file, 1000, 1000);
    }
    await pause(150);
    expect([read(), read()]).toEqual([1, 1]);
    renameSync(other, path);
    await pause(150);
    expect(read()).toBe(2);
  });

  test("is read each time if it is a link or missing", async () => {
    const link = watched("link");
    symlinkSync("nowhere", link.path);
    await pause(150);
    expect([link.read(), link.read()]).toEqual([1, 2]);
    const absent = watched("absent");
    expect([absent.read(), absent.read()]).toEqual([1, 2]);
  });
});
