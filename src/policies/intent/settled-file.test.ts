import { mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { SettledFiles } from "./settled-file.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-settled-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file, and how often it was read so far. */
function watched(name: string) {
  const path = join(folder, name);
  const files = new SettledFiles<number>();
  let reads = 0;
  return { path, read: () => files.read(path, () => ++reads) };
}

describe("a file that is read again and again", () => {
  test("is read into once it has settled, and then no more until it changes", async () => {
    const { path, read } = watched("a");
    writeFileSync(path, "one");
    expect([read(), read()]).toEqual([1, 2]);
    await pause(150);
    expect([read(), read(), read()]).toEqual([3, 3, 3]);
    writeFileSync(path, "two");
    expect([read(), read()]).toEqual([4, 5]);
  });

  test("is noticed when another one takes its place, with the same length and times", async () => {
    const { path, read } = watched("b");
    const other = join(folder, "other");
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

  test("is read each time where it is a link, or not there", async () => {
    const link = watched("link");
    symlinkSync(join(folder, "nowhere"), link.path);
    await pause(150);
    expect([link.read(), link.read()]).toEqual([1, 2]);
    const absent = watched("absent");
    expect([absent.read(), absent.read()]).toEqual([1, 2]);
  });
});
