import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { diskEntry, type EntryCache, isWithin, lexicalAndResolved, realPath, resolvePath } from "./resolve-path.ts";

let base: string;
const at = (path: string) => path.replace("BASE", base);

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "sluice-resolve-")));
  mkdirSync(join(base, "far", "deep"), { recursive: true });
  mkdirSync(join(base, "src"));
  writeFileSync(join(base, "src", "a.ts"), "");
  symlinkSync(join(base, "far", "deep"), join(base, "absolute"));
  symlinkSync("src", join(base, "relative"));
  symlinkSync("relative/a.ts", join(base, "chain"));
  symlinkSync("far/not-yet", join(base, "dangling"));
  symlinkSync("../far/../src", join(base, "src", "climbing"));
  symlinkSync("loop-b", join(base, "loop-a"));
  symlinkSync("loop-a", join(base, "loop-b"));
  symlinkSync("self", join(base, "self"));
  symlinkSync("/", join(base, "root"));
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

test.each([
  ["BASE", "BASE", "folder"],
  ["BASE/src/a.ts", "BASE/src/a.ts", "file"],
  ["BASE//src/./a.ts", "BASE/src/a.ts", "file"],
  ["BASE/absolute/x", "BASE/far/deep/x", "nothing"],
  ["BASE/relative/a.ts", "BASE/src/a.ts", "file"],
  ["BASE/chain", "BASE/src/a.ts", "file"],
  ["BASE/src/climbing/a.ts", "BASE/src/a.ts", "file"],
  ["BASE/root", "/", "folder"],
  ["/", "/", "folder"],
])("%s leads to %s, a %s", (path, resolved, is) => {
  expect(resolvePath(at(path))).toEqual({ path: at(resolved), is });
});

test.each([
  ["BASE/dangling", "BASE/far/not-yet"],
  ["BASE/dangling/below/it", "BASE/far/not-yet/below/it"],
  ["BASE/new/deeper/file", "BASE/new/deeper/file"],
  ["BASE/src/a.ts/below-a-file", "BASE/src/a.ts/below-a-file"],
])("missing parts are appended to the existing ones: %s leads to %s", (path, resolved) => {
  expect(resolvePath(at(path))).toEqual({ path: at(resolved), is: "nothing" });
});

test.each([
  ["BASE/absolute/../x", "BASE/far/x"],
  ["BASE/new/../relative/a.ts", "BASE/src/a.ts"],
  ["BASE/new/er/../../relative/a.ts", "BASE/src/a.ts"],
  ["BASE/dangling/../deep", "BASE/far/deep"],
  ["/../..", "/"],
])("`..` is relative to the target of the links before it: %s leads to %s", (path, resolved) => {
  expect(resolvePath(at(path)).path).toBe(at(resolved));
});

test.each(["BASE/loop-a", "BASE/loop-b/x", "BASE/self", "BASE/relative/../self/x"])("%s is a loop of links", (path) => {
  expect(resolvePath(at(path)).is).toBe("loop");
});

test("a path with more links than the system follows is a loop", () => {
  const folder = mkdtempSync(join(base, "many-"));
  mkdirSync(join(folder, "end"));
  for (let step = 0; step < 45; step++) symlinkSync(step === 0 ? "end" : `l${step - 1}`, join(folder, `l${step}`));
  expect(resolvePath(join(folder, "l39"))).toEqual({ path: join(folder, "end"), is: "folder" });
  expect(resolvePath(join(folder, "l40")).is).toBe("loop");
});

test.skipIf(process.getuid?.() === 0)("a folder that may not be searched hides everything below it", () => {
  const folder = mkdtempSync(join(base, "hidden-"));
  mkdirSync(join(folder, "closed"));
  chmodSync(join(folder, "closed"), 0);
  expect(resolvePath(join(folder, "closed", "x", "y"))).toEqual({
    path: join(folder, "closed", "x", "y"),
    is: "hidden",
  });
  chmodSync(join(folder, "closed"), 0o700);
});

describe("a folder whose canonical path is known", () => {
  it("is where resolving begins", () => {
    const known = { path: join(base, "relative"), real: join(base, "far") };
    expect(resolvePath(join(base, "relative", "deep"), { known })).toEqual({
      path: join(base, "far/deep"),
      is: "folder",
    });
    expect(resolvePath(join(base, "relative"), { known }).path).toBe(join(base, "far"));
    expect(resolvePath(`${join(base, "relative")}s`, { known }).path).toBe(join(base, "relatives"));
  });
});

test("paths below /proc stay unresolved if they depend on the process that reads them", () => {
  const link = join(base, "processes");
  symlinkSync("/proc/self", link);
  expect(resolvePath(join(link, "cwd", "x"), { procfs: "keep" }).path).toBe("/proc/self/cwd/x");
  if (process.platform === "linux") expect(resolvePath("/proc/self/root/etc").path).toBe("/etc");
});

test("a cache is used instead of the disk, and gets every entry of the path", () => {
  const cache: EntryCache = new Map();
  const link = join(base, "moving");
  symlinkSync("src", link);
  expect(resolvePath(join(link, "a.ts"), { cache }).path).toBe(join(base, "src/a.ts"));
  expect(cache.get(link)).toEqual({ kind: "link", target: "src" });
  rmSync(link);
  expect(resolvePath(join(link, "a.ts"), { cache }).path).toBe(join(base, "src/a.ts"));
  expect(diskEntry(link)).toEqual({ kind: "nothing" });
});

test("the lexical and the resolved path are one if there is no link on the way", () => {
  expect(lexicalAndResolved(join(base, "src", "a.ts"))).toEqual([join(base, "src/a.ts")]);
  expect(lexicalAndResolved(`${base}/absolute/../x`)).toEqual([join(base, "x"), join(base, "far/x")]);
});

test("the canonical path of a missing file is the path itself", () => {
  expect(realPath(join(base, "chain"))).toBe(join(base, "src/a.ts"));
  expect(realPath(join(base, "relative", "new"))).toBe(join(base, "relative", "new"));
});

test.each([
  ["/a", "/a", true],
  ["/a", "/a/b", true],
  ["/a", "/ab", false],
  ["/", "/a", true],
  ["C:\\a", "C:\\a\\b", true],
  ["C:\\", "C:\\a", true],
  ["\\\\host\\a", "\\\\host\\a\\b", true],
  ["/a\\b", "/a\\b/c", true],
  ["/a", "/a\\b", false],
  ["/a\\", "/a\\b", false],
])("%s contains %s: %s", (folder, path, expected) => {
  expect(isWithin(folder, path)).toBe(expected);
});

test("a path that is too long for any system stays as it is written, however many parts it has", () => {
  const long = `${base}/relative/..${"/a".repeat(300_000)}`;
  expect(resolvePath(long)).toEqual({ path: `${base}${"/a".repeat(300_000)}`, is: "nothing" });
});
