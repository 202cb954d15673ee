import { expect, it, onTestFinished, vi } from "vitest";
import type { Request } from "./protocol.ts";
import { othersUse, warmUp } from "./warm-up.ts";

const REQUESTS: readonly Request[] = ["one", "two"].map((payload) => ({ words: [], env: {}, cwd: "/", payload }));

function patience(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

it("a daemon makes calls up in turn, one after the other, and asks no client whether it may go on", async () => {
  patience();
  const made: string[] = [];
  let underWay = 0;
  warmUp(
    REQUESTS,
    async ({ payload }, consent) => {
      expect(underWay++).toBe(0);
      made.push(payload);
      expect([await consent.ask(), await consent.given]).toEqual([false, false]);
      underWay--;
    },
    { isOver: () => made.length === 5, isBusy: () => false },
  );
  expect(made).toEqual([]);
  await vi.advanceTimersByTimeAsync(5500);
  expect(made).toEqual(["one", "two", "one", "two", "one"]);
});

it("what is never told to stop ends by itself", async () => {
  patience();
  let made = 0;
  warmUp(
    REQUESTS,
    async () => {
      made++;
    },
    { isOver: () => false, isBusy: () => false },
  );
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(made).toBe(2000);
});

it("where nothing can be made up, nothing is", async () => {
  patience();
  const answer = vi.fn();
  warmUp([], answer, { isOver: () => false });
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(answer).not.toHaveBeenCalled();
});

it("a machine that has something to do is left alone until it has not, and not for ever looked at", async () => {
  patience();
  let [made, looks] = [0, 0];
  const answer = async () => void made++;
  warmUp(REQUESTS, answer, { isOver: () => false, isBusy: () => looks++ < 3 });
  await vi.advanceTimersByTimeAsync(15_500);
  expect(made).toBe(0);
  await vi.advanceTimersByTimeAsync(5000);
  expect(made).toBeGreaterThan(0);
  const before = made;
  warmUp(REQUESTS, answer, { isOver: () => false, isBusy: () => true });
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(made - before).toBeLessThanOrEqual(2000 - before);
});

it.each([
  ["nothing else runs", { idle: 2000, own: 0 }, false],
  ["the daemon itself has used all of them", { idle: 0, own: 2000 }, false],
  ["others have used half of them", { idle: 1000, own: 0 }, false],
  ["others have used most of them", { idle: 200, own: 0 }, true],
  ["others have used most of them, and the daemon the rest", { idle: 0, own: 200 }, true],
])("a daemon sees by its processors that a machine is busy: %s", (_, { idle, own }, isBusy) => {
  let time = { total: 900_000, idle: 500_000, own: 300 };
  const look = othersUse(() => time);
  expect(look(), "no time has passed").toBe(false);
  // What was before a look does not count at the next one.
  for (const _ of [1, 2]) {
    time = { total: time.total + 2000, idle: time.idle + idle, own: time.own + own };
    expect(look()).toBe(isBusy);
    time = { ...time, total: time.total + 2000, idle: time.idle + 2000 };
    expect(look()).toBe(false);
  }
});

it("while real calls come in, no call is made up beside them", async () => {
  patience();
  let [made, last] = [0, Date.now() + 10_000];
  const answer = async () => void made++;
  warmUp(REQUESTS, answer, { isOver: () => false, isBusy: () => false, sinceCall: () => Date.now() - last });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(made).toBe(0);
  await vi.advanceTimersByTimeAsync(50);
  expect(made).toBeGreaterThan(0);
  last = Date.now();
  const before = made;
  await vi.advanceTimersByTimeAsync(15);
  expect(made).toBe(before);
});
