import { expect, onTestFinished, test } from "vitest";
import { verifyTrace } from "../../src/trace/change/verify.ts";
import { cases } from "../cases.ts";
import { diceFrom, ground, killedInBetween, unnoticed, writtenAtOnce } from "./stress.ts";

const fresh = () => {
  const made = ground();
  onTestFinished(made.forget);
  return made;
};

test("processes that record at once lose and tear nothing, and the chain holds", async () => {
  const at = fresh();
  const [writers, each] = [cases(4, 8), cases(150, 5_000)];
  const seen = await writtenAtOnce(at, writers, each);
  expect(verifyTrace(at.place)).toMatchObject({ records: writers * each, notes: [] });
  expect(verifyTrace(at.place)).not.toHaveProperty("broken");
  const turns = Array.from({ length: each }, (_, index) => index);
  expect([...seen.keys()].sort()).toEqual(Array.from({ length: writers }, (_, index) => `writer${index}`));
  for (const written of seen.values()) expect(written).toEqual(turns);
});

test("a process that is killed while it records leaves a trace that goes on whole", { timeout: 180_000 }, async () => {
  const times = cases(8, 300);
  const halves = await Promise.all([7, 8].map((seed) => killedInBetween(fresh(), times, diceFrom(seed))));
  const outcomes = halves.flat();
  expect(outcomes).toHaveLength(2 * times);
  expect(outcomes.filter(({ broken }) => broken !== undefined)).toEqual([]);
});

test("whatever is done to a trace behind its back is found", () => {
  expect(unnoticed(fresh(), cases(250, 20_000), diceFrom(11))).toEqual([]);
});
