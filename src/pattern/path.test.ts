import { describe, expect, test } from "vitest";
import { isRooted, normalisePath, relativePath } from "./path.ts";
import { compilePath } from "./path-pattern.ts";

describe("a file pattern looks at the name, or at the whole path when it holds a slash", () => {
  const rows: [pattern: string, path: string, fits: boolean][] = [
    ["*.md", "README.md", true],
    ["*.md", "docs/deep/README.md", true],
    ["*.md", "README.mdx", false],
    ["AGENTS.md", "a/b/AGENTS.md", true],
    ["**/AGENTS.md", "AGENTS.md", true],
    ["**/AGENTS.md", "a/b/AGENTS.md", true],
    ["**/AGENTS.md", "a/b/MYAGENTS.md", false],
    ["src/**", "src/a/b.ts", true],
    ["src/**", "lib/src/a.ts", false],
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/a/b.ts", false],
    ["./src/**", "src/a.ts", true],
    ["src/./a.ts", "src/a.ts", true],
    ["/etc/**", "/etc/passwd", true],
    ["/etc/**", "etc/passwd", false],
    [".env*", ".env.local", true],
    ["**/.git/**", ".git/config", true],
    ["*.{ts,js}", "a.js", true],
    ["#notes", "#notes", true],
    ["*.MD", "a.md", false],
  ];
  test.each(rows)("%s and %s: %s", (pattern, path, fits) => {
    expect(compilePath(pattern)(path)).toBe(fits);
  });
});

describe("a path is normalised without asking the disk", () => {
  const rows: [path: string, normal: string][] = [
    ["a/./b//c/../d", "a/b/d"],
    ["./a", "a"],
    ["a/", "a"],
    ["../a", "../a"],
    ["../../a/../b", "../../b"],
    ["a/../../b", "../b"],
    ["/../etc", "/etc"],
    ["/", "/"],
    [".", ""],
    ["", ""],
    ["C:\\work\\a.ts", "C:/work/a.ts"],
  ];
  test.each(rows)("%s is %s", (path, normal) => {
    expect(normalisePath(path)).toBe(normal);
  });
});

describe("a path inside a folder is seen from that folder", () => {
  const rows: [path: string, folder: string, seen: string][] = [
    ["/p/src/a.ts", "/p", "src/a.ts"],
    ["/p/src/a.ts", "/p/", "src/a.ts"],
    ["/p/src/a.ts", "/p/x/..", "src/a.ts"],
    ["/etc/passwd", "/", "etc/passwd"],
    ["/other/a.ts", "/p", "/other/a.ts"],
    ["/project/a.ts", "/p", "/project/a.ts"],
    ["src/a.ts", "/p", "src/a.ts"],
  ];
  test.each(rows)("%s from %s is %s", (path, folder, seen) => {
    expect(relativePath(path, folder)).toBe(seen);
  });
});

test.each([
  ["/a", true],
  ["C:/a", true],
  ["a/b", false],
  ["../a", false],
  ["", false],
])("%s begins at a root: %s", (path, rooted) => {
  expect(isRooted(path)).toBe(rooted);
});
