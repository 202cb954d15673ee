import { describe, expect, test } from "vitest";
import { loadRegex } from "./regex.ts";

const compile = await loadRegex();

function found(pattern: string, text: string): boolean {
  const regex = compile(pattern);
  if ("refused" in regex) throw new Error(regex.refused);
  return regex.test(text);
}

describe("an expression is looked for anywhere in the text", () => {
  const rows: [pattern: string, text: string, finds: boolean][] = [
    ["b", "abc", true],
    ["^b", "abc", false],
    ["^rm\\s+-rf", "rm  -rf /", true],
    ["(?i)drop table", "DROP TABLE x", true],
    ["a\\/b", "a/b", true],
    ["\\u0041", "A", true],
    ["\\cA", "\u0001", true],
    ["(?<name>a+)", "caat", true],
    ["[^]", "\n", true],
    ["\\p{L}+", "é", true],
    ["^.$", "😀", true],
    ["^.$", "a\nb", false],
    ["(?m)^b$", "a\nb", true],
    ["", "", true],
    ["[(?=]", "=", true],
    ["\\\\1", "\\1", true],
  ];
  test.each(rows)("%s in %j: %s", (pattern, text, finds) => {
    expect(found(pattern, text)).toBe(finds);
  });
});

describe("a long text is searched like a short one", () => {
  const long = "x y\n".repeat(500);
  const rows: [pattern: string, text: string, finds: boolean][] = [
    ["sudo", `${long}sudo`, true],
    ["sudo", `${long}su do`, false],
    ["(?:curl|wget)\\b.*\\| *(?:ba)?sh\\b", `${long}wget -q u |bash\n${long}`, true],
    ["(?:curl|wget)\\b.*\\| *(?:ba)?sh\\b", `${long}wget -q u\n|bash${long}`, false],
    ["^b", `${long}b`, false],
    ["(?m)^b", `${long}b${long}`, true],
    ["b$", `${long}b`, true],
    ["y$", long, false],
    ["(?i)rm +-[a-z]*r", `${long}RM -fR`, true],
    ["\\p{Lu}.{400}é", `${long}Ä${"😀".repeat(400)}é`, true],
    ["\\p{Lu}.{400}é", `${long}Ä${"😀".repeat(399)}é`, false],
    ["", long, true],
  ];
  test.each(rows)("%s", (pattern, text, finds) => {
    expect(found(pattern, text)).toBe(finds);
    expect(found(pattern, text)).toBe(finds);
  });
});

describe("what cannot be done in linear time is refused, with the way out", () => {
  const rows: [pattern: string, says: RegExp, instead: RegExp][] = [
    ["(?=a)b", /looks ahead/, /not_matches/],
    ["a(?!b)", /looks ahead/, /not_matches/],
    ["(?<=a)b", /looks behind/, /the text before/],
    ["(?<!a)b", /looks behind/, /the text before/],
    ["(a)\\1", /refers back/, /Write out/],
    ["(?<n>a)\\k<n>", /refers back/, /Write out/],
    ["[]a(?=]", /looks ahead/, /not_matches/],
  ];
  test.each(rows)("%s", (pattern, says, instead) => {
    expect(compile(pattern)).toEqual({
      refused: expect.stringMatching(says),
      instead: expect.stringMatching(instead),
    });
  });
});

describe("what cannot be read is told in words", () => {
  const rows: [pattern: string, says: string][] = [
    ["(", 'has a "(" without its ")" at ('],
    [")", 'has a ")" without its "(" at )'],
    ["[a", 'has a "[" without its "]" at [a'],
    ["*a", "repeats nothing at *"],
    ["a**", "repeats a repetition at **"],
    ["\\", "ends in a backslash"],
    ["x{2,1}", "has a repeat count that is not a number, or over 1000 at {2,1}"],
    ["[z-a]", "has a class that means nothing at z-a"],
    ["(?>a)", "cannot be read at (?>"],
  ];
  test.each(rows)("%s %s", (pattern, says) => {
    expect(compile(pattern)).toMatchObject({ refused: says, instead: expect.stringMatching(/\.$/) });
  });
});

describe("an expression is small enough that no text makes it slow", () => {
  const rows: [name: string, pattern: string, says: RegExp][] = [
    ["a long one", "a".repeat(1001), /1001 characters/],
    ["large counts", "(a{999}){999}", /repeats too much/],
    ["many steps", "(?:ab|cd|ef){200}", /comes to \d+ steps, and 1000/],
    ["a long way", "[ab]{800}", /too large to be quick/],
    ["many ways", "(?:[ab]?){200}c", /too large to be quick/],
    ["deep nesting", `${"(".repeat(499)}${")".repeat(499)}`, /steps|deep/],
  ];
  test.each(rows)("%s is refused", (_name, pattern, says) => {
    expect(compile(pattern)).toMatchObject({ refused: expect.stringMatching(says) });
  });
});

test("an expression is compiled once", () => {
  expect(compile("once")).toBe(compile("once"));
});
