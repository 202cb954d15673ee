import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { endPause, LONGEST_MS, openPause, pauseAt } from "./pause.ts";

const START = { now: 1_000_000_000, up: 5000, boot: "one" };
const MINUTE = 60_000;

function place() {
  const home = mkdtempSync(join(tmpdir(), "sluice-pause-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return { home, root: join(home, "project"), env: { HOME: home } };
}

const later = (ms: number) => ({ now: START.now + ms, up: START.up + ms / 1000, boot: "one" });

it.each([
  ["at once", START, true],
  ["just before its end", later(10 * MINUTE - 1), true],
  ["at its end", later(10 * MINUTE), false],
  ["a day later", later(24 * 60 * MINUTE), false],
  ["after the clock was turned back", { ...later(20 * MINUTE), now: START.now + MINUTE }, false],
  ["before it began", { ...START, now: START.now - 1 }, false],
  ["after the machine was started again", { now: START.now + MINUTE, up: 20, boot: "two" }, false],
  [
    "after a start that the system does not tell from the first",
    { now: START.now + MINUTE, up: 20, boot: "one" },
    false,
  ],
])("a pause of ten minutes, %s: %o", (_, clock, isOpen) => {
  const where = place();
  openPause(10 * MINUTE, where, START);
  expect(pauseAt(where, clock) !== undefined).toBe(isOpen);
});

it("no pause is longer than an hour", () => {
  const where = place();
  expect(openPause(10 * LONGEST_MS, where, START)?.end).toBe(START.now + LONGEST_MS);
});

it("a pause that is ended is over, and can be ended once", () => {
  const where = place();
  openPause(MINUTE, where, START);
  expect(endPause(where)).toBe(true);
  expect(pauseAt(where, START)).toBe(undefined);
  expect(endPause(where)).toBe(false);
});
