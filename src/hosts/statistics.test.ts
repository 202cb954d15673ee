import { expect, test } from "vitest";
import type { HookResult } from "../decision/result.ts";
import { Hook } from "../hook/hook.ts";
import { Statistics } from "./statistics.ts";

const hook = Hook.fromJSON({ name: "h", event: "*", command: "true" });

function ran(durationMs: number, more: Partial<HookResult> = {}): HookResult {
  const run = { success: true, shouldContinue: true, timedOut: false, exitCode: 0, stdout: "", stderr: "" };
  return { hook, action: "continue", ...run, duration: durationMs / 1000, durationMs, ...more };
}

test("runs, failures and denials are counted apart", () => {
  const statistics = new Statistics();
  statistics.add(ran(1));
  statistics.add(ran(2, { action: "deny" }));
  statistics.add(ran(3, { action: "deny", failure: { why: "timeout", afterMs: 3 } }));
  statistics.add(ran(4, { failure: { why: "exited", exitCode: 3 } }));
  expect(statistics.all([])).toEqual({ h: { calls: 4, errors: 2, denials: 2, totalMs: 10, p50Ms: 2, p99Ms: 4 } });
});

test("half of the runs took no longer than p50, and 99 of 100 no longer than p99", () => {
  const statistics = new Statistics();
  for (let ms = 200; ms >= 1; ms--) statistics.add(ran(ms));
  expect(statistics.all([]).h).toMatchObject({ p50Ms: 100, p99Ms: 198 });
});

test("percentiles forget old runs, counts do not", () => {
  const statistics = new Statistics();
  for (let run = 0; run < 1000; run++) statistics.add(ran(500));
  for (let run = 0; run < 1000; run++) statistics.add(ran(1));
  expect(statistics.all([]).h).toMatchObject({ calls: 2000, totalMs: 501_000, p50Ms: 1, p99Ms: 1 });
});

test("a hook that never ran has zeros, whatever its name", () => {
  const nothing = { calls: 0, errors: 0, denials: 0, totalMs: 0, p50Ms: 0, p99Ms: 0 };
  const all = new Statistics().all(["quiet", "__proto__"]);
  expect(Object.entries(all)).toEqual([
    ["quiet", nothing],
    ["__proto__", nothing],
  ]);
});
