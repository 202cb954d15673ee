import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { callEffects, textEffects } from "../../src/effects/call-effects.ts";
import { answerOf } from "../../src/policies/guards/findings.ts";
import { guardsUnder } from "../../src/policies/guards/guard-hooks.ts";
import type { GuardCall } from "../../src/policies/guards/index.ts";
import { eventOf } from "./judged.ts";

/** A call that a rule finds, and all that the guard of the rule says about it in a preset; without one in paranoid. */
interface Row {
  readonly rule: string;
  readonly preset?: "standard";
  readonly call: string | GuardCall;
  readonly says: readonly string[];
}

const ROWS: readonly Row[] = readFileSync(new URL("../../fixtures/guards/messages.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const POLICY = { severities: new Map(), exceptions: [], isMonitored: false, errors: [], warnings: [] };
const STANDARD = guardsUnder("standard", POLICY);
const PARANOID = guardsUnder("paranoid", POLICY);

test("every message is the one that is written down, word for word", () => {
  const read = { act: callEffects, text: textEffects };
  const said = ROWS.map((row) => {
    const all = row.preset === "standard" ? STANDARD : PARANOID;
    const own = all.byGuard.find((rules) => rules.some((active) => active.rule.name === row.rule)) ?? [];
    return { ...row, says: answerOf(own, all, eventOf(row.call), read)?.reason?.split("\n") };
  });
  expect(said).toEqual(ROWS);
});

test("every rule of a guard has a message of its own", () => {
  const rules = PARANOID.byGuard.flat().map(({ rule }) => rule.name);
  expect(rules.filter((name) => ROWS.every(({ rule }) => rule !== name))).toEqual([]);
});
