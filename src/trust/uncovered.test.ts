import { expect, test } from "vitest";
import { uncovered } from "./uncovered.ts";

const file = (path: string, text: string | undefined, script?: string) => ({
  path,
  real: path,
  sha256: "",
  text,
  script,
});

test.each<[line: string, reported: string[]]>([
  ["sh scripts/a.sh", []],
  ["$TOOL --fix", ["a program that is only known at run time"]],
  ["some-unknown-tool --fix", ["`some-unknown-tool`"]],
  ["./bin/some-unknown-tool", []],
  ["FOO=1", []],
  ["git -q rebase", ["`git`"]],
  ["git status", []],
  ["cargo build", ["`cargo`"]],
  ["eslint .", ["`eslint`"]],
  ["lerna run lint", ["`lerna`"]],
  ["terraform apply", ["`terraform`"]],
  ["node --test", ["`node`"]],
  ["node --test a.js", []],
  ["some-unknown-tool a; some-unknown-tool b", ["`some-unknown-tool`"]],
])("programs without known files are reported: %s", (line, reported) => {
  expect(uncovered([line], [])).toEqual(reported);
});

test("lines of scripts, recipes and packages are checked like those of the hook", () => {
  const line = "some-unknown-tool";
  for (const one of [
    file("/p/a.sh", line),
    file("/p/package.json", line, "lint"),
    file("/p/Makefile", `all:\n\t@${line}\n`),
    file("/p/rules.mk", `all:\n\t${line}\n`),
  ])
    expect(uncovered([], [one])).toEqual(["`some-unknown-tool`"]);
  expect(uncovered([], [file("/p/a.sh", undefined)])).toEqual([]);
  expect(uncovered([], [file("/p/notes.md", line), file("/p/a.mjs", line)])).toEqual([]);
});

test("packages that code imports are reported, and neither what Node brings nor what Sluice gives", () => {
  const code = 'import a from "left-pad";\nconst b = require("@x/y/z");\nimport "node:fs";\nimport "fs";\n';
  const own =
    'import "sluice";\nimport "sluice/plugin";\nimport "my-sluice";\nrequire ( "spaced" );\nimport "./near.mjs";\n';
  expect(uncovered([], [file("/p/a.mjs", code + own)])).toEqual([
    "the package left-pad",
    "the package @x/y/z",
    "the package my-sluice",
    "the package spaced",
  ]);
  expect(uncovered([], [file("/p/node_modules/.bin/x.mjs", code)])).toEqual([]);
  expect(uncovered([], [file("/p/a.py", code)])).toEqual([]);
  expect(uncovered([], [file("/p/package.json", code, "lint")])).not.toContain("the package left-pad");
  const many = Array.from({ length: 12 }, (_, at) => `import "pkg-${at}";`).join("\n");
  expect(uncovered([], [file("/p/a.mjs", many)])).toHaveLength(10);
});
