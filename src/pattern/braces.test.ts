import { describe, expect, test } from "vitest";
import { expandBraces } from "./braces.ts";
import { compileGlob } from "./glob.ts";
import { compilePath } from "./path.ts";

describe("braces stand for each of their choices", () => {
  const rows: [pattern: string, stands: string[]][] = [
    ["a", ["a"]],
    ["{a,b}", ["a", "b"]],
    ["x{a,b}y", ["xay", "xby"]],
    ["{a,b}{c,d}", ["ac", "ad", "bc", "bd"]],
    ["{a,{b,c}d}", ["a", "bd", "cd"]],
    ["{,.local}", ["", ".local"]],
    ["{a}", ["{a}"]],
    ["{a}{b,c}", ["{a}b", "{a}c"]],
    ["{a,b", ["{a,b"]],
    ["a,b}", ["a,b}"]],
    ["[{]a,b}", ["[{]a,b}"]],
    ["{[,],b}", ["[,]", "b"]],
  ];
  test.each(rows)("%s", (pattern, stands) => {
    expect(expandBraces(pattern)).toEqual(stands);
  });

  test("more choices than a person writes by hand stay as they are", () => {
    const pattern = "{a,b}".repeat(40);
    expect(expandBraces(pattern)).toEqual([pattern]);
  });
});

test("every kind of pattern knows braces", () => {
  expect(compileGlob("git {push,pull}*")("git pull --rebase")).toBe(true);
  expect(compileGlob("git {push,pull}*")("git fetch")).toBe(false);
  expect(compilePath("*.{ts,tsx}")("src/a.tsx")).toBe(true);
  expect(compilePath("{src,lib}/**")("lib/a/b.ts")).toBe(true);
  expect(compilePath("{src,lib}/**")("docs/b.ts")).toBe(false);
});

test("a file pattern knows no other signs", () => {
  expect(compilePath("!src/**")("docs/a.md")).toBe(false);
  expect(compilePath("+(a|b).ts")("a.ts")).toBe(false);
  expect(compilePath("+(a|b).ts")("+(a|b).ts")).toBe(true);
});
