import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readEnd } from "./read-end.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-end-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "lines");
writeFileSync(file, "one\ntwo\nthree\n");

test.each([
  [{}, "one\ntwo\nthree\n"],
  [{ from: 4 }, "two\nthree\n"],
  [{ most: 6 }, "three\n"],
  [{ most: 600 }, "one\ntwo\nthree\n"],
  [{ from: 12, most: 6 }, "e\n"],
  [{ from: 4, most: 6 }, "three\n"],
  [{ from: 14 }, ""],
  [{ from: 99 }, ""],
  [{ most: 0 }, ""],
])("of a file's end is read what is asked for: %o", (asked, text) => {
  expect(readEnd(file, asked).toString()).toBe(text);
});

test("a file that is not there has no end", () => {
  expect(() => readEnd(join(folder, "none"))).toThrow("ENOENT");
});
