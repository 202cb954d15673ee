import { expect, test } from "vitest";
import { WorkBudget } from "./work-budget.ts";

/** A budget of 100 ms, with clocks that a test sets. */
function budget() {
  const at = { processor: 0, clock: 0 };
  const made = new WorkBudget(100, { processor: () => at.processor, clock: () => at.clock });
  const work = (ms: number) => {
    at.processor += ms;
    at.clock += ms;
  };
  return { at, made, work };
}

test("work counts, whatever it was for", () => {
  const { made, work } = budget();
  work(60);
  expect(made.isSpent()).toBe(false);
  work(60);
  expect(made.isSpent()).toBe(true);
});

test("a process that has to wait for the processor spends nothing", () => {
  const { at, made } = budget();
  at.clock += 5000;
  expect(made.isSpent()).toBe(false);
});

test("what a process does while a hook runs elsewhere hardly counts, but thousands of hooks do", () => {
  const { made, work } = budget();
  work(10);
  made.pause();
  work(5000);
  made.resume();
  expect(made.isSpent()).toBe(false);
  for (let hook = 0; hook < 100; hook++) {
    made.pause();
    work(1);
    made.resume();
  }
  expect(made.isSpent()).toBe(true);
});

test("a thousand moments count as much as one long piece of work, and none of them twice", () => {
  const { made, work } = budget();
  for (let hook = 0; hook < 90; hook++) {
    work(0.5);
    made.pause();
    work(0.5);
    made.resume();
  }
  work(5);
  made.pause();
  expect(made.isSpent()).toBe(false);
  work(10);
  made.pause();
  expect(made.isSpent()).toBe(true);
});

test("the processor is not asked about a moment", () => {
  let asked = 0;
  let clock = 0;
  const processor = () => {
    asked++;
    return clock;
  };
  const made = new WorkBudget(100, { processor, clock: () => clock });
  for (let hook = 0; hook < 50; hook++) {
    clock += 0.1;
    made.pause();
    made.resume();
  }
  expect(asked).toBe(1);
});

test("calls that follow one another ask the processor once in 20 ms, and none pays for the work of another", () => {
  let asked = 0;
  let now = 0;
  const processor = () => {
    asked++;
    return now;
  };
  const clocks = { processor, clock: () => now };
  const budgets: WorkBudget[] = [];
  for (; now < 100; now += 0.5) budgets.push(new WorkBudget(100, clocks));
  expect(asked).toBe(5);
  now += 80;
  for (const budget of budgets) budget.pause();
  expect(budgets.map((budget) => budget.isSpent())).toEqual(budgets.map(({ began }) => now - began >= 100));
});
