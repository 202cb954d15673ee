import { appendFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { Ledger } from "./ledger.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-ledger-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("what other processes add is counted, also a line that is still being written", () => {
  const ledger = new Ledger(folder);
  const add = (text: string) => appendFileSync(join(folder, "day-1.jsonl"), text);
  expect(ledger.book("day-1", { tokens: 1, usd: 0 })).toBe(true);
  expect(ledger.spent("day-1").tokens).toBe(1);
  add('{"tokens":10,"usd":0}\nnot a line\n{"tokens":100,');
  expect(ledger.spent("day-1").tokens).toBe(11);
  add('"usd":2}\n{"tokens":1000,"usd":0}');
  expect(ledger.spent("day-1")).toEqual({ tokens: 1111, usd: 2 });
  expect(ledger.spent("day-1")).toEqual({ tokens: 1111, usd: 2 });
  rmSync(join(folder, "day-1.jsonl"));
  expect(ledger.spent("day-1").tokens).toBe(0);
});

test("a question that cost nothing is not written down", () => {
  const ledger = new Ledger(folder);
  expect(ledger.book("day-2", { tokens: 0, usd: 0 })).toBe(true);
  expect(readdirSync(folder)).not.toContain("day-2.jsonl");
});
