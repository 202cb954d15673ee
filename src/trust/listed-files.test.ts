import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { GAP } from "../effects/parse/command.ts";
import { listedFiles, matchedFiles, searchedFiles } from "./listed-files.ts";
import { observedDisk } from "./observed-disk.ts";

let root = "";
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "sluice-listed-")));
  for (const file of "a.sh b.sh axsh one/a.sh one/two/a.sh one/two/b(1).sh node_modules/a.sh .git/a.sh one/c+d.sh new\nline/last.md sorted/0.md".split(
    " ",
  )) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), "");
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const names = (paths: readonly string[]) => paths.map((path) => relative(root, path)).sort();

test.each<[pattern: string, files: string[]]>([
  ["a.sh", ["a.sh", "one/a.sh", "one/two/a.sh"]],
  ["./a.sh", ["a.sh", "one/a.sh", "one/two/a.sh"]],
  ["../a.sh", ["a.sh", "one/a.sh", "one/two/a.sh"]],
  [`${GAP}/a.sh`, ["a.sh", "one/a.sh", "one/two/a.sh"]],
  ["two/a.sh", ["one/two/a.sh"]],
  ["one/*.sh", ["one/a.sh", "one/c+d.sh"]],
  ["one/**/a.sh", ["one/a.sh", "one/two/a.sh"]],
  ["one**a.sh", ["one/a.sh", "one/two/a.sh"]],
  [`one${GAP}a.sh`, ["one/a.sh", "one/two/a.sh"]],
  ["one/?.sh", ["one/a.sh"]],
  ["two/[ab].sh", ["one/two/a.sh"]],
  ["b(1).sh", ["one/two/b(1).sh"]],
  ["c+d.sh", ["one/c+d.sh"]],
  [`${GAP}last.md`, ["new\nline/last.md"]],
  ["x", []],
])("files of a project whose paths end as %j does", (pattern, files) => {
  expect(names(listedFiles(root, pattern, observedDisk()))).toEqual(files);
});

test("the files in one folder that match a pattern", () => {
  expect(names(matchedFiles(join(root, "*.sh"), observedDisk()))).toEqual(["a.sh", "b.sh"]);
  for (const at of [5, 2, 9, 1, 7]) writeFileSync(join(root, "sorted", `${at}.sh`), "");
  const sorted = matchedFiles(join(root, "sorted/*.sh"), observedDisk());
  expect(sorted.map((path) => relative(join(root, "sorted"), path))).toEqual("1.sh 2.sh 5.sh 7.sh 9.sh".split(" "));
  expect(names(matchedFiles(join(root, "on*"), observedDisk()))).toEqual([]);
  expect(names(matchedFiles(join(root, "nowhere/*"), observedDisk()))).toEqual([]);
});

test("a folder of programs has its own files and those of its packages", () => {
  expect(names(searchedFiles(join(root, "one"), observedDisk()))).toEqual([
    "one/a.sh",
    "one/c+d.sh",
    "one/two/a.sh",
    "one/two/b(1).sh",
  ]);
});

test("the first two hundred files of packages are found", () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-listed-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["one", "two"]) {
    mkdirSync(join(folder, name));
    for (let at = 0; at < 101; at++) writeFileSync(join(folder, name, `${at}.py`), "");
  }
  expect(searchedFiles(folder, observedDisk())).toHaveLength(200);
});

test("the first two hundred files are found, in the first five hundred folders", () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-listed-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (let at = 0; at < 201; at++) writeFileSync(join(folder, `${1000 + at}.txt`), "");
  expect(listedFiles(folder, "*.txt", observedDisk())).toHaveLength(200);
  expect(matchedFiles(join(folder, "*.txt"), observedDisk())).toHaveLength(200);
  expect(matchedFiles(join(folder, "1200.*"), observedDisk())).toEqual([]);
  mkdirSync(join(folder, Array.from({ length: 500 }, () => "d").join("/")), { recursive: true });
  const deep = (levels: number) => join(folder, Array.from({ length: levels }, () => "d").join("/"), "x.sh");
  for (const levels of [499, 500]) writeFileSync(deep(levels), "");
  expect(listedFiles(folder, "x.sh", observedDisk())).toEqual([deep(499)]);
});
