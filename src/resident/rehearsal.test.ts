import { expect, it, onTestFinished, vi } from "vitest";
import type { Request } from "./protocol.ts";
import { rehearse } from "./rehearsal.ts";

const REQUESTS: readonly Request[] = ["one", "two"].map((payload) => ({ words: [], env: {}, cwd: "/", payload }));

function patience(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

it("an engine makes calls up in turn, one after the other, and asks nobody whether it may go on", async () => {
  patience();
  const made: string[] = [];
  let underWay = 0;
  rehearse(
    REQUESTS,
    async ({ payload }, consent) => {
      expect(underWay++).toBe(0);
      made.push(payload);
      expect([await consent.ask(), await consent.given]).toEqual([false, false]);
      underWay--;
    },
    () => made.length === 5,
  );
  expect(made).toEqual([]);
  await vi.advanceTimersByTimeAsync(5500);
  expect(made).toEqual(["one", "two", "one", "two", "one"]);
});

it("what is never told to stop ends by itself", async () => {
  patience();
  let made = 0;
  rehearse(
    REQUESTS,
    async () => {
      made++;
    },
    () => false,
  );
  await vi.runAllTimersAsync();
  expect(made).toBe(2000);
});

it("where nothing can be made up, nothing is", async () => {
  patience();
  const answer = vi.fn();
  rehearse([], answer, () => false);
  await vi.runAllTimersAsync();
  expect(answer).not.toHaveBeenCalled();
});
