import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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
  ["**/two.ts", ["a/two.ts"]],
  ["*/two.ts", ["a/two.ts"]],
  ["**/__pycache__", []],
  ["none", ["none"]],
])("%s names %j", (glob, names) => {
  expect(pathsOnDisk(join(base, glob)).sort()).toEqual(names.map((name) => join(base, name)));
});

it("any number of `**` in a row is one, and a glob that is deeper than any path matches nothing", () => {
  expect(pathsOnDisk(`${base}/${"**/".repeat(100_000)}*.md`)).toEqual([join(base, "a/b/four.md")]);
  expect(pathsOnDisk(`${base}${"/**/*".repeat(100_000)}`)).toEqual([]);
  expect(pathsOnDisk(`${base}${"/a".repeat(100_000)}/*`)).toEqual([]);
});

it("a star matches hidden names only if the shell is configured so, and follows links to folders", () => {
  const own = join(base, "own");
  mkdirSync(join(own, ".hidden"), { recursive: true });
  mkdirSync(join(own, "plain"));
  writeFileSync(join(own, "plain/f"), "");
  writeFileSync(join(own, ".hidden/f"), "");
  symlinkSync("plain", join(own, "link"));
  const found = (glob: string, findsHidden = false) => pathsOnDisk(join(own, glob), findsHidden).sort();
  expect(found("*")).toEqual(["link", "plain"].map((name) => join(own, name)));
  expect(found("*/f")).toEqual(["link/f", "plain/f"].map((name) => join(own, name)));
  expect(found("*/f", true)).toEqual([".hidden/f", "link/f", "plain/f"].map((name) => join(own, name)));
  expect(found("**/*idden")).toEqual([join(own, ".hidden")]);
  expect(found("**/f*")).toEqual([".hidden/f", "plain/f"].map((name) => join(own, name)));
});

it("`**` skips large folders", () => {
  for (const name of ["big/node_modules/x", "big/.git/x", "big/src/x"])
    mkdirSync(join(base, name), { recursive: true });
  expect(pathsOnDisk(join(base, "big/**"))).toEqual([join(base, "big/src"), join(base, "big/src/x")]);
});

it("the number of results is limited, and so is the number of entries", () => {
  mkdirSync(join(base, "many/files"), { recursive: true });
  mkdirSync(join(base, "many/links"));
  for (let at = 0; at < 499; at++) {
    writeFileSync(join(base, "many/files", `f${at}`), "");
    symlinkSync("../files", join(base, "many/links", `l${at}`));
  }
  expect(pathsOnDisk(join(base, "many/*/*/*"))).toHaveLength(1000);
  // The links themselves, and nine of the folders that they lead to, are five thousand entries.
  expect(pathsOnDisk(join(base, "many/links/*/f49[8]"))).toHaveLength(9);
  rmSync(join(base, "many"), { recursive: true });
});

it("a glob begins at the root of the disk, and a missing folder has no names", () => {
  expect(pathsOnDisk("/*")).toContain(`/${base.split("/")[1]}`);
  expect(pathsOnDisk(join(base, "one.ts/*"))).toEqual([]);
  expect(pathsOnDisk(join(base, "*.ts/x"))).toEqual([]);
});
