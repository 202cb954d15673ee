import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { pathsOnDisk } from "./glob-on-disk.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "sluice-glob-")));
afterAll(() => rmSync(base, { recursive: true, force: true }));
mkdirSync(join(base, "a/b"), { recursive: true });
for (const file of ["one.ts", "a/two.ts", "a/b/three.ts", "a/b/four.md"]) writeFileSync(join(base, file), "");

it.each([
  ["*.ts", ["one.ts"]],
  ["**/*.ts", ["a/b/three.ts", "a/two.ts", "one.ts"]],
  ["a/**", ["a/b", "a/b/four.md", "a/b/three.ts", "a/two.ts"]],
  ["**/b/*.md", ["a/b/four.md"]],
  ["a/none/*", []],
])("%s names %j", (glob, names) => {
  expect(pathsOnDisk(join(base, glob)).sort()).toEqual(names.map((name) => join(base, name)));
});

it("any number of `**` in a row is one, and a glob that is deeper than any path names nothing", () => {
  expect(pathsOnDisk(`${base}/${"**/".repeat(100_000)}*.md`)).toEqual([join(base, "a/b/four.md")]);
  expect(pathsOnDisk(`${base}${"/**/*".repeat(100_000)}`)).toEqual([]);
});
