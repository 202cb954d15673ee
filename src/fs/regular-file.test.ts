import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readEnd } from "./read-end.ts";
import { appendRegularFile, NOT_REGULAR, readRegularFile, readRegularText } from "./regular-file.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-regular-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = (name: string) => join(folder, name);
writeFileSync(path("file"), "text");
symlinkSync("file", path("link"));
symlinkSync("/dev/zero", path("zero"));
execFileSync("mkfifo", [path("pipe")]);

test.each(["file", "link"])("a regular file is read whole, also through a symlink: %s", (name) => {
  expect(readRegularFile(path(name)).toString()).toBe("text");
});

test.each(["pipe", "zero", "."])("what is no regular file is refused at once, and not waited for: %s", (name) => {
  const refused = expect.objectContaining({ code: NOT_REGULAR });
  expect(() => readRegularFile(path(name))).toThrow(refused);
  expect(() => readEnd(path(name))).toThrow(refused);
});

test.each(["pipe", "zero"])("nothing is added to what is no regular file, and nothing waits for it: %s", (name) => {
  expect(() => appendRegularFile(path(name), "more")).toThrow(expect.objectContaining({ code: NOT_REGULAR }));
});

test("what is added to a file lies behind what it held; a new one is its owner's alone", () => {
  for (const text of ["one", "two"]) appendRegularFile(path("new"), text);
  expect(readRegularText(path("new"))).toBe("onetwo");
  expect(statSync(path("new")).mode & 0o777).toBe(0o600);
});

test("a file that is not there is told as the system tells it", () => {
  expect(() => readRegularFile(path("none"))).toThrow("ENOENT");
});
