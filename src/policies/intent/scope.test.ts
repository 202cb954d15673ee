import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { project, put } from "../../../tests/intent/project.ts";
import { compileScope, whyOwnsNothing } from "./scope.ts";
import { Workspace } from "./workspace.ts";

function owns(root: string, patterns: readonly string[], path: string, cwd?: string, platform?: NodeJS.Platform) {
  const workspace = new Workspace(root, platform);
  const located = workspace.locate(path, cwd);
  return located.kind === "inside" && compileScope(patterns, workspace).owns(located);
}

const SCOPE = ["src/auth/**", "src/middleware/jwt.ts"];

describe("globs and exact paths begin at the project's root", () => {
  test.each<[path: string, owned: boolean]>([
    ["src/auth/a.ts", true],
    ["src/auth/deep/er/a.ts", true],
    ["src/auth/.hidden", true],
    ["./src/auth/a.ts", true],
    ["src//auth///a.ts", true],
    ["src/auth", true],
    ["src/other/../auth/a.ts", true],
    ["src/middleware/jwt.ts", true],
    ["src/middleware/jwt.ts/x", false],
    ["src/middleware/jwt.tsx", false],
    ["src/middleware/other.ts", false],
    ["src/authority/a.ts", false],
    ["src/auth/../other.ts", false],
    ["src/auth/../../../outside/x", false],
    ["../project-2/src/auth/a.ts", false],
    ["/etc/passwd", false],
    ["/proc/self/cwd/src/auth/a.ts", false],
    ["/dev/fd/3", false],
    ["", false],
    [".", false],
    ["src/auth/a\0.ts", false],
    ["src/auth/a\n.ts", false],
    ["src/auth/a\u001b.ts", false],
  ])("%j: %s", (path, owned) => {
    const { root } = project();
    expect(owns(root, SCOPE, path)).toBe(owned);
  });

  test("absolute paths, and paths from another folder, mean the same files", () => {
    const { root, home } = project({ "src/auth/a.ts": "" });
    symlinkSync(root, join(home, "way-in"));
    expect(owns(root, SCOPE, join(root, "src/auth/a.ts"))).toBe(true);
    expect(owns(root, SCOPE, "a.ts", join(root, "src/auth"))).toBe(true);
    expect(owns(root, SCOPE, "../auth/a.ts", join(root, "src/auth"))).toBe(true);
    expect(owns(join(home, "way-in"), SCOPE, join(home, "way-in/src/auth/a.ts"))).toBe(true);
    expect(owns(join(home, "way-in"), SCOPE, join(root, "src/auth/a.ts"))).toBe(true);
    expect(owns(root, SCOPE, "src/auth/a.ts", home)).toBe(false);
  });
});

test.each<[patterns: string[], path: string, owned: boolean]>([
  [["src/**", "!src/keys/**"], "src/a.ts", true],
  [["src/**", "!src/keys/**"], "src/keys/a.pem", false],
  [["src/**", "!src/keys/**"], "src/keys", false],
  [["!src/keys/**", "src/**"], "src/keys/a.pem", false],
  [["src/**", "!**/*.pem"], "src/deep/a.pem", false],
  [["src/**", "!src/a.ts"], "src/a.ts", false],
  [["!src/keys/**"], "src/a.ts", false],
  [["!(lib)/**"], "src/a.ts", true],
  [[], "a.ts", false],
  [["**"], "a/b/.c", true],
  [["."], "a/b", true],
  [["*"], "a", true],
  [["*"], "a/b", false],
  [["*.md"], "docs/a.md", false],
  [["**/*.md"], "docs/a.md", true],
  [["src/"], "src/a/b", true],
  [["./src/**"], "src/a", true],
  [["/src/**"], "src/a", false],
  [["src/../**"], "a", false],
  [["!src/**"], "a", false],
  [["#a"], "#a", true],
  [["src/{a,b}.ts"], "src/b.ts", true],
  [["x".repeat(500)], "x".repeat(500), false],
])("%j and %j: %s", (patterns, path, owned) => {
  const { root } = project();
  expect(owns(root, patterns, path)).toBe(owned);
});

describe("links are followed", () => {
  test.each<[what: string, path: string, owned: boolean]>([
    ["a file that links out of the scope", "src/auth/out.ts", false],
    ["a folder that links out of the project", "src/auth/far/x", false],
    ["a link to what is not there yet", "src/auth/dangling", false],
    ["a link to a link", "src/auth/twice", false],
    ["links in a circle", "src/auth/circle", false],
    ["a link inside of the scope", "src/auth/near", true],
    ["a link into the scope from elsewhere", "src/way/a.ts", false],
    ["`..` behind a link", "src/auth/far/../x", false],
    ["`..` behind a link that stays inside", "src/auth/nearby/../b.ts", true],
  ])("%s", (_, path, owned) => {
    const { root, home } = project({
      "src/auth/a.ts": "",
      "src/auth/sub/b.ts": "",
      "src/auth/out.ts": "→ ../other.ts",
      "src/auth/far": `→ ${"../../../outside"}`,
      "src/auth/dangling": "→ ../not-there.ts",
      "src/auth/twice": "→ out.ts",
      "src/auth/circle": "→ circle",
      "src/auth/near": "→ a.ts",
      "src/auth/nearby": "→ sub",
      "src/way": "→ auth",
    });
    mkdirSync(join(home, "outside"), { recursive: true });
    put(join(root, "src/other.ts"), "");
    expect(owns(root, SCOPE, path)).toBe(owned);
  });
});

test("disks that do not tell large letters from small ones own both", () => {
  const { root } = project();
  expect(owns(root, SCOPE, "SRC/Auth/a.ts", undefined, "darwin")).toBe(true);
  expect(owns(root, SCOPE, `${root.toUpperCase()}/src/auth/a.ts`, undefined, "linux")).toBe(false);
  expect(owns(root, SCOPE, "SRC/Auth/a.ts", undefined, "linux")).toBe(false);
});

test.each<[patterns: string[], folder: string, owned: boolean]>([
  [["src/**"], "src", true],
  [["src/**", "!src/keys/**"], "src", false],
  [["src/**", "!src/keys/**"], "src/keys/deep", false],
  [["src/**", "!src/keys/**"], "src/auth", true],
  [["src/**", "!**/*.pem"], "src/auth", false],
])("a folder with all that comes to lie in it, where %j: %s %s", (patterns, folder, owned) => {
  const { root } = project();
  const workspace = new Workspace(root);
  const located = workspace.locate(folder, undefined);
  expect(located.kind === "inside" && compileScope(patterns, workspace).ownsBelow(located)).toBe(owned);
});

test.each<[pattern: string, path: string, owned: boolean]>([
  ["src/[x].ts", "src/[x].ts", true],
  ["app/(g)/[id]/**", "app/(g)/[id]/p.ts", true],
  ["app/(g)/[id]/**", "app/(g)/[id]/deep/p.ts", true],
  ["app/(g)/[id]/**", "app/(g)/[id]", true],
  ["app/(g)/[id]/", "app/(g)/[id]/p.ts", true],
  ["app/[id]/**", "app/[idx]/p.ts", false],
  ["app/[id]/**", "app/other/p.ts", false],
  ["src/[x].ts", "src/y.ts", false],
])("a pattern also owns the path that it spells letter by letter: %s, %s", (pattern, path, owned) => {
  const { root } = project();
  expect(owns(root, [pattern], path)).toBe(owned);
  expect(owns(root, ["**", `!${pattern}`], path)).toBe(!owned);
});

test.each<[pattern: string, why: string | undefined]>([
  [".orchestration/**", "checked with"],
  ["./.orchestration", "checked with"],
  [".intentignore", "checked with"],
  ["!.orchestration/**", undefined],
  [".orchestrations/**", undefined],
  [".sluice/**", undefined],
  ["C:\\x", "root of a disk"],
  ["c:/x/**", "root of a disk"],
  ["~/x", "home"],
  ["./~/x", undefined],
  ["~x", undefined],
])("whether a pattern can ever own something: %s", (pattern, why) => {
  if (why === undefined) expect(whyOwnsNothing(pattern)).toBeUndefined();
  else expect(whyOwnsNothing(pattern)).toContain(why);
});

test.each<[pattern: string, why: string | undefined]>([
  ["", "it is empty"],
  ["  ", "it is empty"],
  ["!", "it is empty"],
  [" ! ", "it is empty"],
  ["x".repeat(400), undefined],
  ["x".repeat(401), "it is longer than 400 characters"],
  ["~", "it begins in a home folder; scopes begin at the project's root"],
  ["~/a", "it begins in a home folder; scopes begin at the project's root"],
  ["~a", undefined],
  ["a/../b", "it climbs with `..`"],
  [" !a/../b", "it climbs with `..`"],
  ["/etc", "it begins at the root of a disk; scopes begin at the project's root"],
  ["C:\\x", "it begins at the root of a disk; scopes begin at the project's root"],
  ["!C:/x", "it begins at the root of a disk; scopes begin at the project's root"],
  ["abC:/x", undefined],
  [".orchestration/x", "no intent owns what intents are checked with"],
  ["./.orchestration", "no intent owns what intents are checked with"],
  ["!.orchestration/x", undefined],
])("whether a pattern can mean something: %j", (pattern, why) => {
  expect(whyOwnsNothing(pattern)).toBe(why);
});

const located = (lexical: string, is: "file" | "folder", resolved = lexical) =>
  ({ kind: "inside", lexical, resolved, is, absolute: `/p/${lexical}` }) as const;

test.each<[patterns: string[], folder: string, owned: boolean]>([
  [["src/**"], "src", true],
  [["src/**"], "src/deep", true],
  [["src/"], "src", true],
  [["src/*"], "src", false],
  [["src/**/*.ts"], "src", false],
  [["src/*", "src/.*"], "src", false],
  [["**"], ".", true],
  [["./"], ".", true],
  [["src/**"], ".", false],
  [["src/**", "!src/keys/**"], "src", false],
  [["src/**", "!src/keys/**"], "src/keys", false],
  [["src/**", "!src/keys/**"], "src/keys/deep", false],
  [["src/**", "!src/keys/**"], "src/auth", true],
  [["src/**", " !src/keys/**"], "src", false],
  [["src/**", "!./src/keys/**"], "src", false],
  [["src/**", "!././src/keys/**"], "src", false],
  [["src/**", "!**/x"], "src/auth", false],
  [["**", "!docs/a.md"], ".", false],
  [["**", "!docs/a.md"], "docs", false],
  [["**", "!docs/a.md"], "src", true],
  [["**", "!docs"], "docs/deep", false],
  [["**", "!docs//deep/a.md"], "docs/deep", false],
  [["**", "!docs/./deep/a.md"], "docs/deep", false],
  [["**", "!./docs/.//./deep/a.md"], "docs/deep", false],
  [["**", "! docs/deep/a.md"], "docs/deep", false],
  [["**", "!docs//deep/a.md"], "docs/other", true],
  [["**", "!docs/deep/a.md"], "docs/deep/er", true],
  [["**", "!/docs/deep/a.md"], "docs/deep", false],
  [["src/*/**"], "src", false],
])("%j owns all that may come to lie in %s: %s", (patterns, folder, owned) => {
  expect(compileScope(patterns, new Workspace("/p")).ownsBelow(located(folder, "folder"))).toBe(owned);
});

test("what a link leads to has to be owned as well, with all that lies there", () => {
  const scope = compileScope(["src/**"], new Workspace("/p"));
  expect(scope.ownsBelow(located("src/link", "folder", "other"))).toBe(false);
  expect(scope.owns(located("src/link", "file", "other"))).toBe(false);
  expect(scope.owns(located("other", "file", "src/a"))).toBe(false);
});

test.each<[patterns: string[], path: string, is: "file" | "folder", owned: boolean]>([
  [["src/auth/**"], "src/auth", "folder", true],
  [["src/auth/**"], "src/auth", "file", false],
  [["src/auth/**/*"], "src/auth", "folder", true],
  [["src/[id]/**"], "src/[id]/a.ts", "file", true],
  [["src/[id]/**"], "src/[id]", "file", false],
  [["src/[id].ts"], "src/[id].ts", "file", true],
  [[" src/a.ts "], "src/a.ts", "file", true],
  [["././src/.//a.ts"], "src/a.ts", "file", true],
  [["src///a.ts"], "src/a.ts", "file", true],
  [["src/"], "src/a", "file", true],
  [["."], "a", "file", true],
  [["a!b"], "a!b", "file", true],
  [["#a"], "#a", "file", true],
  [["src/**", " !src/a.ts"], "src/a.ts", "file", false],
  [["src/**", "!src/keys"], "src/keys", "folder", false],
  [["src/**", "!src/keys/**"], "src/keys", "file", false],
  [["x./src/a.ts"], "x./src/a.ts", "file", true],
  [["src/*/**"], "src/auth", "folder", true],
  [["src/*/**"], "src/auth", "file", false],
  [["!docs/**"], "!docs/a.md", "file", false],
  [["!(keys)/**"], "src/a.ts", "file", true],
  [["!(keys)/**"], "keys/a.pem", "file", false],
  [["#*"], "#x", "file", true],
])("%j, %s as a %s: %s", (patterns, path, is, owned) => {
  expect(compileScope(patterns, new Workspace("/p")).owns(located(path, is))).toBe(owned);
});
