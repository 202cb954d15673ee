import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { writeState } from "../../trust/state-file.ts";
import { endPause, MAX_PAUSE_MS, openPause, pauseAt, timeLeft } from "./pause.ts";

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
  expect(openPause(10 * MAX_PAUSE_MS, where, START)?.end).toBe(START.now + MAX_PAUSE_MS);
});

it("a pause can be ended once", () => {
  const where = place();
  openPause(MINUTE, where, START);
  expect(endPause(where)).toBe(true);
  expect(pauseAt(where, START)).toBe(undefined);
  expect(endPause(where)).toBe(false);
});

const WINDOW = { start: START.now, end: START.now + 10 * MINUTE, startedUp: START.up, boot: "one" };

it.each([
  ["as it is written", {}, later(MINUTE), true],
  ["as long as one may be", { end: START.now + MAX_PAUSE_MS }, later(MINUTE), true],
  ["longer than one may be", { end: START.now + MAX_PAUSE_MS + 1 }, later(MINUTE), false],
  ["of another start of the machine", { boot: "two" }, later(MINUTE), false],
  ["over by the clock, though not by the time that the machine runs", {}, { ...START, now: WINDOW.end }, false],
  ["over by the time that the machine runs", {}, { ...START, up: START.up + 600 }, false],
  ["just not over by it", {}, { ...START, up: START.up + 599 }, true],
  ["that begins with a text", { start: String(WINDOW.start) }, later(MINUTE), false],
  ["that ends with a text", { end: String(WINDOW.end) }, later(MINUTE), false],
  ["that counts in texts", { startedUp: String(WINDOW.startedUp) }, later(MINUTE), false],
  ["of a start that is no text", { boot: 1 }, { ...later(MINUTE), boot: 1 as never }, false],
])("a window in the file, %s", (_, change, clock, isOpen) => {
  const where = place();
  writeState("protect/pause.json", { ...WINDOW, ...change }, where);
  expect(pauseAt(where, clock)).toEqual(isOpen ? { ...WINDOW, ...change } : undefined);
});

it.each([null, 5, "open", [1]])("a file with %j opens nothing", (content) => {
  const where = place();
  writeState("protect/pause.json", content as never, where);
  expect(pauseAt(where, START)).toBe(undefined);
});

it("a pause belongs to this boot of the machine, and is open at once", () => {
  const where = place();
  const pause = openPause(MINUTE, where);
  expect(pauseAt(where)).toEqual(pause);
  expect(pause?.end).toBe((pause?.start ?? 0) + MINUTE);
  if (process.platform === "linux")
    expect(pause?.boot).toBe(readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
});

it.each([
  [-5000, "0 s"],
  [0, "0 s"],
  [89_400, "89 s"],
  [89_600, "2 min"],
  [150_000, "3 min"],
  [MAX_PAUSE_MS, "60 min"],
])("%d ms are left: %s", (left, words) => {
  expect(timeLeft({ ...WINDOW, end: 1000 + left }, 1000)).toBe(words);
});
