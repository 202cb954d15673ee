import { expect, test } from "vitest";
import { changedParts, lineDiff } from "./line-diff.ts";

const shown = (before: string, after: string) =>
  lineDiff(before, after).map(({ kind, line }) => `${{ same: " ", gone: "-", new: "+" }[kind]}${line}`);

test.each([
  ["nothing changed", "a\nb", "a\nb", [" a", " b"]],
  ["a line was added in the middle", "a\nc", "a\nb\nc", [" a", "+b", " c"]],
  ["a line is gone at the end", "a\nb", "a", [" a", "-b"]],
  ["a line was changed", "a\nb\nc", "a\nx\nc", [" a", "-b", "+x", " c"]],
  ["lines changed places", "a\nb\nc", "b\na\nc", ["-a", " b", "+a", " c"]],
  ["most of them stay where one moves to the front", "b\nc\na", "a\nb\nc", ["+a", " b", " c", "-a"]],
  ["everything is new", "", "a", ["-", "+a"]],
  ["the same line stands more often", "a\na", "a\na\na", [" a", " a", "+a"]],
])("%s", (_, before, after, lines) => expect(shown(before, after)).toEqual(lines));

test("long unchanged parts are omitted around changes", () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  const parts = changedParts(lineDiff(lines.join("\n"), lines.with(10, "other").join("\n")));
  expect(parts.map((part) => part?.line)).toEqual([
    "line 8",
    "line 9",
    "line 10",
    "other",
    "line 11",
    "line 12",
    undefined,
  ]);
});

test("texts that are too long to compare are listed one after the other", () => {
  const long = (word: string) => Array.from({ length: 3000 }, (_, index) => `${word} ${index}`).join("\n");
  expect(lineDiff(long("a"), long("b"))).toHaveLength(6000);
});

test("the longest common subsequence of two texts is unchanged", () => {
  const texts = ["", "a", "b"].flatMap((x) =>
    ["a", "b", "c"].flatMap((y) => ["", "a", "b"].map((z) => [...`${x}${y}${z}x`])),
  );
  const common = ([one, ...rest]: string[], [other, ...others]: string[]): number => {
    if (one === undefined || other === undefined) return 0;
    if (one === other) return 1 + common(rest, others);
    return Math.max(common(rest, [other, ...others]), common([one, ...rest], others));
  };
  for (const before of texts)
    for (const after of texts) {
      const lines = lineDiff(before.join("\n"), [...after, ...before].join("\n"));
      const same = lines.filter(({ kind }) => kind === "same");
      expect(same).toHaveLength(common(before, [...after, ...before]));
    }
});
