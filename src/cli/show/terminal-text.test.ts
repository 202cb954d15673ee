import { expect, test } from "vitest";
import { columns, oneLine, textWidth } from "./terminal-text.ts";

test.each([
  ["abc", 3],
  ["\u001b[31mabc\u001b[0m", 3],
  ["日本", 4],
  ["e\u0301", 1],
  ["👍 ok", 5],
])("%s takes %i columns", (text, width) => {
  expect(textWidth(text)).toBe(width);
});

test("a text that is too long is cut at the column, whatever its characters take", () => {
  expect(oneLine("a\n  long\ttext", 8)).toBe("a long …");
  expect(oneLine("日本語の文", 5)).toBe("日本…");
  expect(oneLine("as it is", Number.POSITIVE_INFINITY)).toBe("as it is");
});

test("columns are as wide as their cells, and the widest give way to the terminal", () => {
  const rows = [
    ["a", "a text that is rather long", "x"],
    ["bb", "\u001b[36mshort\u001b[0m", "a reason that is rather long as well"],
  ];
  expect(columns(rows)).toEqual([
    "a   a text that is rather long  x",
    "bb  \u001b[36mshort\u001b[0m                       a reason that is rather long as well",
  ]);
  const narrow = columns(rows, 40);
  for (const line of narrow) expect(textWidth(line)).toBeLessThanOrEqual(40);
  expect(narrow[1]).toContain("\u001b[36mshort\u001b[0m");
});
