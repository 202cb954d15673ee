import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { cases, seedOr } from "../../tests/cases.ts";
import { costsAtMost, isFound, type Nfa, nfaOf } from "./nfa.ts";

const EXPRESSIONS = cases(200, 20_000);
const SEED = seedOr(20_260_101);

test(`${EXPRESSIONS} random expressions find what the engine finds, learned and computed`, { timeout: 600_000 }, () => {
  const chance = chanceOf(SEED);
  const seen = { found: 0, missed: 0 };
  for (let index = 0; index < EXPRESSIONS; index++) {
    const pattern = randomExpression(chance, 4);
    const engine = compiled(pattern);
    if (engine === undefined) continue;
    const learning = nfa(engine);
    const computing = nfa(engine);
    computing.learned = Number.POSITIVE_INFINITY;
    for (let times = 0; times < 8; times++) {
      const text = randomText(chance);
      const finds = engine.test(text);
      seen[finds ? "found" : "missed"]++;
      const place = `${pattern} in ${JSON.stringify(text)}`;
      expect(isFound(learning, text), `learned: ${place}`).toBe(finds);
      expect(isFound(computing, text), `computed: ${place}`).toBe(finds);
    }
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(EXPRESSIONS);
});

describe("an assertion sees what stands beside it, the halves of a pair stay together", () => {
  const rows: [pattern: string, text: string, finds: boolean][] = [
    ["^$", "", true],
    ["\\b", "", false],
    ["\\B", "", true],
    ["a$", "a\n", false],
    ["(?m)a$", "a\n", true],
    ["(?m)^$", "a\n\nb", true],
    ["\\bb\\b", "a b", true],
    ["\\bb\\b", "ab", false],
    ["\\bé", "é", false],
    ["^.$", "😀", true],
    ["^..$", "😀", false],
    ["^.$", "\ud83d", true],
    ["[😀-😂]b", "a😁b", true],
    ["\\x{D83D}", "😀", false],
    ["(?i)ſ", "S", true],
    ["(?i)k", "\u212a", true],
    ["(?s)a.b", "a\nb", true],
  ];
  test.each(rows)("%s in %j: %s", (pattern, text, finds) => {
    const engine = RE2JS.compile(pattern);
    expect(engine.test(text)).toBe(finds);
    expect(isFound(nfa(engine), text)).toBe(finds);
  });
});

test("many counts, choices and loops lead where the engine goes, on texts that are never learned", () => {
  const words = Array.from({ length: 40 }, (_, index) => `b${"ab".repeat(index % 4)}${index}`).join("|");
  const rows = [
    "[ab]*a[ab]{12}[cd]",
    "a[ab]{300}ba",
    "a.{0,200}b7",
    `(?:${words})+[cd]`,
    `(?:${words}){2}7`,
    "(?:a?b?){60}c",
    "\\b(?:[ab]{7}7?)+\\B[cd]",
  ];
  const chance = chanceOf(SEED);
  const texts = Array.from({ length: 6 }, (_, index) =>
    Array.from({ length: 900 }, () => "ab".charAt(chance(2)))
      .join("")
      .concat(["", "c", "7", "b7"][index % 4] ?? ""),
  );
  for (const pattern of rows) {
    const engine = RE2JS.compile(pattern);
    const one = nfa(engine);
    for (const text of texts) expect(isFound(one, text), `${pattern} in ${text}`).toBe(engine.test(text));
  }
});

describe("the price of a character grows with the expression, and not with the text", () => {
  const rows: [pattern: string, isCheap: boolean][] = [
    ["[ab]*a[ab]{450}[cd]", true],
    ["a.{0,200}b", true],
    ["\\b(?:rm|dd|mkfs|shred|wipefs)\\b.{0,100}", true],
    ["(?:[ab]?){240}c", false],
    ["[ab]{800}", false],
  ];
  test.each(rows)("%s: %s", (pattern, isCheap) => {
    expect(costsAtMost(nfa(RE2JS.compile(pattern)), 350)).toBe(isCheap);
  });
});

function nfa(engine: RE2JS): Nfa {
  const { prog, dfa } = engine.re2();
  return nfaOf(prog, dfa.classBounds);
}

function compiled(pattern: string): RE2JS | undefined {
  try {
    const engine = RE2JS.compile(pattern);
    return engine.programSize() <= 500 ? engine : undefined;
  } catch {
    return undefined;
  }
}

type Chance = (below: number) => number;

function chanceOf(seed: number): Chance {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const ATOMS = [
  ..."aabbcK1é😀 ",
  ...[".", "\\n", "[ab]", "[^a]", "[a-c1]", "[é-ж]", "[^\\n]", "\\d", "\\w", "\\W", "\\s", "\\p{L}", "\\P{Lu}"],
  ...["^", "$", "\\b", "\\B", "\\A", "\\z", "", "(?i)", "(?m)", "(?s)", "(?-i)", "(?:)"],
];
const COUNTS = ["*", "+", "?", "*?", "+?", "{2}", "{0,3}", "{1,}", "{3,12}", "{0}"];

function randomExpression(chance: Chance, depth: number): string {
  const parts = Array.from({ length: 1 + chance(3) }, () => randomPart(chance, depth));
  return parts.join(chance(4) === 0 ? "|" : "");
}

function randomPart(chance: Chance, depth: number): string {
  const isGroup = depth > 0 && chance(3) === 0;
  const part = isGroup
    ? `${["(", "(?:", "(?i:", "(?m:"][chance(4)]}${randomExpression(chance, depth - 1)})`
    : (ATOMS[chance(ATOMS.length)] ?? "");
  return chance(3) === 0 ? `${part}${COUNTS[chance(COUNTS.length)]}` : part;
}

function randomText(chance: Chance): string {
  return Array.from({ length: chance(14) }, () => LETTERS[chance(LETTERS.length)]).join("");
}

const LETTERS = [..."aaabbbcKk1 _é\nж😀", "\u212a", "\ud83d", "\ude00"];
