import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { appendRegularFile, NOT_REGULAR, readEnd, readRegularFile, readRegularText } from "./regular-file.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-regular-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = (name: string) => join(folder, name);
writeFileSync(path("file"), "text");
writeFileSync(path("lines"), "one\ntwo\nthree\n");
symlinkSync("file", path("link"));
symlinkSync("/dev/zero", path("zero"));
execFileSync("mkfifo", [path("pipe")]);

test.each(["file", "link"])("a regular file is read, also through a symlink: %s", (name) => {
  expect(readRegularFile(path(name)).toString()).toBe("text");
});

test.each(["pipe", "zero", "."])("anything but a regular file is refused at once, without waiting: %s", (name) => {
  const refused = expect.objectContaining({ code: NOT_REGULAR });
  expect(() => readRegularFile(path(name))).toThrow(refused);
  expect(() => readEnd(path(name))).toThrow(refused);
});

test.each(["pipe", "zero"])("nothing is appended to anything but a regular file, without waiting: %s", (name) => {
  expect(() => appendRegularFile(path(name), "more")).toThrow(expect.objectContaining({ code: NOT_REGULAR }));
});

test("text is appended to a file; a new file is readable only by its owner", () => {
  for (const text of ["one", "two"]) appendRegularFile(path("new"), text);
  expect(readRegularText(path("new"))).toBe("onetwo");
  expect(statSync(path("new")).mode & 0o777).toBe(0o600);
});

test("a missing file is reported with the system's error", () => {
  expect(() => readRegularFile(path("none"))).toThrow("ENOENT");
});

test.each([
  [{}, "one\ntwo\nthree\n"],
  [{ from: 4 }, "two\nthree\n"],
  [{ maxBytes: 6 }, "three\n"],
  [{ maxBytes: 600 }, "one\ntwo\nthree\n"],
  [{ from: 12, maxBytes: 6 }, "e\n"],
  [{ from: 4, maxBytes: 6 }, "three\n"],
  [{ from: 14 }, ""],
  [{ from: 99 }, ""],
  [{ maxBytes: 0 }, ""],
])("the requested end of a file is read: %o", (asked, text) => {
  expect(readEnd(path("lines"), asked).toString()).toBe(text);
});

test("the end of a missing file is an error", () => {
  expect(() => readEnd(path("none"))).toThrow("ENOENT");
});
