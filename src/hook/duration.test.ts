import { describe, expect, test } from "vitest";
import { readSeconds } from "./duration.ts";

describe("a time is seconds, or a text with its unit", () => {
  const rows: [given: unknown, seconds: number | undefined][] = [
    [5, 5],
    [0.1, 0.1],
    ["500ms", 0.5],
    ["5s", 5],
    ["1.5s", 1.5],
    ["2m", 120],
    [" 5 s ", 5],
    [86_400, 86_400],
    [86_401, undefined],
    [0, undefined],
    [-1, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    ["5", undefined],
    ["5h", undefined],
    ["-5s", undefined],
    ["0s", undefined],
    ["1e3s", undefined],
    ["", undefined],
    [null, undefined],
    [true, undefined],
    [[5], undefined],
  ];
  test.each(rows)("%j is %s", (given, seconds) => {
    expect(readSeconds(given)).toBe(seconds);
  });
});
