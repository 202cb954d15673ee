import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { changedRanges, linesOf, wholeRange } from "./line-ranges.ts";

const seen = (before: string, after: string) =>
  changedRanges(before, after).ranges.map(({ start_line, end_line }) => `${start_line}-${end_line}`);

test.each([
  ["one line is changed", "a\nb\nc\n", "a\nx\nc\n", ["2-2"]],
  ["lines are added in the middle", "a\nc\n", "a\nb\nb2\nc\n", ["2-3"]],
  ["two places are changed", "a\nb\nc\nd\ne\n", "A\nb\nc\nd\nE\n", ["1-1", "5-5"]],
  ["lines are only removed", "a\nb\nc\n", "a\nc\n", []],
  ["everything is new", "", "a\nb\n", ["1-2"]],
  ["everything is gone", "a\nb\n", "", []],
  ["only the ends of lines are another system's", "a\nb\n", "a\r\nb\r\n", []],
  ["only the last line break is missing", "a\nb\n", "a\nb", []],
  ["the last line is added without a break", "a\n", "a\nb", ["2-2"]],
  ["an empty line is added at the end", "a\n", "a\n\n", ["2-2"]],
])("when %s, the ranges are those of the new text", (_, before, after, ranges) => {
  expect(seen(before, after)).toEqual(ranges);
});

test("the hash is of the lines of the range, joined by line feeds, without a final one", () => {
  const hash = createHash("sha256").update("x\ny").digest("hex");
  expect(changedRanges("a\nb\n", "a\r\nx\r\ny\r\nb\r\n").ranges).toEqual([
    { start_line: 2, end_line: 3, content_hash: `sha256:${hash}` },
  ]);
  expect(wholeRange("x\ny\n")).toEqual(wholeRange("x\r\ny"));
});

test("what lies outside of the ranges was there before, in the same order, and no shorter way is missed", () => {
  let state = 5;
  const dice = (sides: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
  for (let turn = 0; turn < 500; turn++) {
    const lines = () => Array.from({ length: 1 + dice(30) }, () => "abcdef"[dice(6)] ?? "");
    const [old, young] = [lines(), lines()];
    const { ranges, removed } = changedRanges(`${old.join("\n")}\n`, `${young.join("\n")}\n`);
    const kept = young.filter(
      (_, at) => !ranges.some((range) => range.start_line <= at + 1 && at + 1 <= range.end_line),
    );
    expect(isInside(kept, old)).toBe(true);
    expect(kept.length).toBe(commonLength(old, young));
    expect(old.length - removed).toBe(kept.length);
  }
});

test("texts that have little in common are not compared for long", () => {
  const text = (word: string) => Array.from({ length: 20_000 }, (_, at) => `${word} ${at}`).join("\n");
  expect(seen(`same\n${text("old")}\nend`, `same\n${text("new")}\nend`)).toEqual(["2-20001"]);
});

test("an empty text has no lines", () => {
  expect(linesOf("")).toEqual([]);
  expect(wholeRange("")).toEqual([]);
});

function isInside(some: readonly string[], all: readonly string[]): boolean {
  let at = 0;
  for (const line of all) if (line === some[at]) at++;
  return at === some.length;
}

function commonLength(one: readonly string[], other: readonly string[]): number {
  const rows = Array.from({ length: one.length + 1 }, () => new Array<number>(other.length + 1).fill(0));
  for (let a = one.length - 1; a >= 0; a--)
    for (let b = other.length - 1; b >= 0; b--) {
      const row = rows[a] ?? [];
      row[b] = one[a] === other[b] ? (rows[a + 1]?.[b + 1] ?? 0) + 1 : Math.max(rows[a + 1]?.[b] ?? 0, row[b + 1] ?? 0);
    }
  return rows[0]?.[0] ?? 0;
}
