import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readEnd } from "./read-end.ts";
import { NOT_REGULAR, readRegularFile } from "./regular-file.ts";

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

test("a file that is not there is told as the system tells it", () => {
  expect(() => readRegularFile(path("none"))).toThrow("ENOENT");
});
