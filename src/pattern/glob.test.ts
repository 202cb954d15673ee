import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../tests/cases.ts";
import { compileGlob, expandBraces } from "./glob.ts";
import { compilePath } from "./path-pattern.ts";

describe("a glob fits as its signs say", () => {
  const rows: [pattern: string, text: string, fits: boolean][] = [
    ["bash", "bash", true],
    ["bash", "Bash", false],
    ["*", "", true],
    ["*", "anything/at all\nover lines", true],
    ["b*", "bash", true],
    ["*sh", "bash", true],
    ["b*h", "bash", true],
    ["b*h", "bas", false],
    ["**", "bash", true],
    ["a*b*c", "a-b-b-c", true],
    ["a*b*c", "a-c-b", false],
    ["?ash", "bash", true],
    ["?ash", "ash", false],
    ["?", "😀", true],
    ["[bc]ash", "cash", true],
    ["[bc]ash", "dash", false],
    ["[a-c]ash", "bash", true],
    ["[!b]ash", "cash", true],
    ["[!b]ash", "bash", false],
    ["[^b]ash", "bash", false],
    ["[]x]", "]", true],
    ["[!]x]", "]", false],
    ["[a-]", "-", true],
    ["[z-a]", "m", false],
    ["[ab", "[ab", true],
    ["[ab", "a", false],
    ["[]", "[]", true],
    ["a[*]b", "a*b", true],
    ["a[*]b", "axb", false],
    ["", "", true],
    ["", "a", false],
    ["a.c", "abc", false],
    ["(a+)+$", "(a+)+$", true],
  ];
  test.each(rows)("%s and %s: %s", (pattern, text, fits) => {
    expect(compileGlob(pattern)(text)).toBe(fits);
  });
});

describe("no sign stands for the barrier", () => {
  const rows: [pattern: string, text: string, fits: boolean][] = [
    ["*", "a:b", false],
    ["a?b", "a:b", false],
    ["a[!x]b", "a:b", false],
    ["a[:]b", "a:b", false],
    ["a:b", "a:b", true],
    ["*:*", "a:b", true],
    ["*:b", "a:b:b", false],
    ["*a*:b", "a:ba:b", false],
    ["x*y:*z", "x-y:-z", true],
  ];
  test.each(rows)("%s and %s: %s", (pattern, text, fits) => {
    expect(compileGlob(pattern, ":")(text)).toBe(fits);
  });
});

test("a compiled glob agrees with the plainest matcher there is", () => {
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", ":", "*", "?", "[ab]", "[!a]", "[a-b]"), maxLength: 8 });
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c", ":"), maxLength: 8 });
  fc.assert(
    fc.property(pattern, text, fc.constantFrom("", ":"), (glob, string, barrier) => {
      expect(compileGlob(glob, barrier)(string)).toBe(naive(glob, string, barrier));
    }),
    { numRuns: cases(500, 200_000) },
  );
});

describe("a hostile pattern on a hostile text comes to an end", () => {
  const text = "a".repeat(20_000);
  const rows: [name: string, pattern: string, fits: boolean][] = [
    ["many stars that fit", "*a".repeat(100), true],
    ["many stars that do not", `${"*a".repeat(100)}b`, false],
    ["only stars", "*".repeat(10_000), true],
    ["stars and questions", `${"*?".repeat(100)}b`, false],
    ["open brackets", "[".repeat(2000), false],
  ];
  test.each(rows)("%s", (_name, pattern, fits) => {
    expect(compileGlob(pattern, ":")(text)).toBe(fits);
  });
});

/** Tries everything, remembers nothing. */
function naive(pattern: string, text: string, barrier: string): boolean {
  if (pattern === "") return text === "";
  const [head = "", tail] = [text[0], text.slice(1)];
  const free = text !== "" && head !== barrier;
  if (pattern[0] === "*") return naive(pattern.slice(1), text, barrier) || (free && naive(pattern, tail, barrier));
  if (pattern[0] === "?") return free && naive(pattern.slice(1), tail, barrier);
  const set = /^\[(!?)([^\]]+)\]/.exec(pattern);
  if (set === null) return text !== "" && head === pattern[0] && naive(pattern.slice(1), tail, barrier);
  const members = (set[2] ?? "").replace("a-b", "ab");
  const inside = members.includes(head) !== (set[1] === "!");
  return free && inside && naive(pattern.slice(set[0].length), tail, barrier);
}

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
