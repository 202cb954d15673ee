import { expect, test } from "vitest";
import { patienceIn, timeLeft } from "./patience.ts";

test.each([
  [120, 116_000],
  [10, 6000],
  [5, 3000],
])("of %d seconds that an agent waits, hooks and the answer have %d ms", (seconds, ms) => {
  expect(patienceIn(seconds)).toBe(ms);
});

test("what reading the configuration took is not there for hooks any more", () => {
  expect(timeLeft(6000, 1000, 3500.5)).toBe(3499);
  expect(timeLeft(6000, 1000, 90_000)).toBe(1);
});
