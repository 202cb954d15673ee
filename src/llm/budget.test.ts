import { appendFileSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { Budget, DEFAULT_LIMITS } from "./budget.ts";
import { Ledger } from "./ledger.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-budget-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let folders = 0;

const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);

function handLedger(on = day(0), path = join(folder, String(++folders))) {
  const clock = { wall: () => Date.parse(`${on}T12:00:00Z`), steady: () => 0 };
  return { path, ledger: new Ledger(path, clock) };
}

const most = { input: 10, output: 10 };

test("a day's budget is whole again the next day; a session's is not", () => {
  const { path, ledger } = handLedger();
  const limits = { dayTokens: 100, sessionTokens: 150 };
  new Budget(limits, ledger).admit("s", most).settle({ input: 60, output: 40 });
  expect(() => new Budget(limits, ledger).admit("s", most)).toThrow("of this day is used up: 100 of 100");
  const tomorrow = new Budget(limits, handLedger(day(1), path).ledger);
  tomorrow.admit("s", most).settle({ input: 60, output: 0 });
  expect(() => tomorrow.admit("s", most)).toThrow("of this session is used up: 160 of 150");
});

test("dollars are counted by the price of tokens", () => {
  const { ledger } = handLedger();
  const budget = new Budget({ dayUsd: 0.01, price: { input: 1, output: 5 } }, ledger);
  budget.admit("s", most).settle({ input: 4000, output: 1000 });
  budget.admit("s", most).settle({ input: 0, output: 200 });
  expect(() => budget.admit("t", most)).toThrow("0.01 of 0.01 (`day_usd`)");
});

test("a hook that states nothing has a limit all the same", () => {
  const { ledger } = handLedger();
  const budget = new Budget(undefined, ledger);
  budget.admit("s", most).settle({ input: DEFAULT_LIMITS.sessionTokens, output: 0 });
  expect(() => budget.admit("s", most)).toThrow("`session_tokens`");
});

test("zero asks no model", () => {
  expect(() => new Budget({ dayTokens: 0 }, handLedger().ledger).admit("s", most)).toThrow("0 of 0");
});

test("questions without a session share one", () => {
  const budget = new Budget({ sessionTokens: 10 }, handLedger().ledger);
  budget.admit(undefined, most).settle(most);
  expect(() => budget.admit(undefined, most)).toThrow("used up");
});

test("a question under way counts with the most it may cost, and once", () => {
  const budget = new Budget({ sessionTokens: 15 }, handLedger().ledger);
  const first = budget.admit("under way", most);
  expect(() => budget.admit("under way", most)).toThrow("20 of 15");
  first.settle({ input: 1, output: 1 });
  first.settle({ input: 100, output: 100 });
  expect(() => budget.admit("under way", most).settle(most)).not.toThrow();
});

test("lines that are not whole count for nothing, and old files go", () => {
  const { path, ledger } = handLedger();
  ledger.book("day-2020-01-01", { tokens: 1, usd: 0 });
  utimesSync(join(path, "day-2020-01-01.jsonl"), 1, 1);
  ledger.book("session-x", { tokens: 5, usd: 0 });
  appendFileSync(join(path, "session-x.jsonl"), '{"tokens":-7,"usd":0}\nnull\n{"tokens":');
  expect(ledger.spent("session-x").tokens).toBe(5);
  expect(readdirSync(path)).toEqual(["session-x.jsonl"]);
});
