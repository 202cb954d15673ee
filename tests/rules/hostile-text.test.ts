import { describe, expect, test } from "vitest";
import { HookEvent } from "../../src/event/event.ts";
import { compileCondition } from "../../src/rule/evaluate.ts";
import { operatorNamed, operatorWords } from "../../src/rule/operator-words.ts";
import { prepareTools } from "../../src/rule/tools.ts";
import { cases } from "../cases.ts";

const SIZE = 100 * 1024;
const tools = await prepareTools([
  { when: { kind: "compare", field: "x", operator: "matches", value: "" }, action: "deny" },
  { when: { kind: "compare", field: "x", operator: "runs", value: "x" }, action: "deny" },
]);

/** Seconds of work, not of waiting: what else the machine does is not counted. */
function secondsOf(act: () => void): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function matches(operator: string, wanted: unknown, text: string): boolean {
  const event = EVENTS.get(text) ?? HookEvent.toolPreExecute("bash", { command: text });
  EVENTS.set(text, event);
  return compileCondition({ kind: "compare", field: "args.command", operator, value: wanted }, tools)(event);
}

/** A call is read by the first operator that asks what it does. */
const EVENTS = new Map<string, HookEvent>();

const as = `${"a".repeat(SIZE - 1)}!`;
const mixed = Array.from(
  { length: SIZE },
  (_, index) => "ab -/x\n\u00e9"[(index * index * 7919 + index * 31) % 8],
).join("");
const random = randomText();
const flags = `rm ${"-r -f ".repeat(SIZE / 6)}/ `;

/** Hardly any part of it comes twice: nothing that was learned from the text before helps. */
function randomText(): string {
  let state = 1;
  return Array.from({ length: SIZE }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return "ab"[state >>> 31];
  }).join("");
}

describe("no expression is slow on 100 KB of hostile text", () => {
  const patterns = [
    "(a+)+$",
    "(a|a)*$",
    "(a|aa)+$",
    "(.*)*[xy]$",
    "(x+x+)+y|(a*)*[cd]",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(\\w+\\s?)*$",
    "rm\\s+.*-.*r.*f.*\\/$",
    "(?:a|b|ab)*[cd]",
    "([a-zA-Z]+)*[0-9]",
    "(a?){60}a{60}$",
    "^(a?b?c?)*$",
    "\\s+$",
    "[ab]*a[ab]{12}[cd]",
    "[ab]*a[ab]{450}[cd]",
    "(?:[ab]{14}c?){16}[de]",
    "(?m)(?:^|\\b|a)[^c]*a[^c]{400}[cd]\\b",
  ];
  // In a test run each expression has one of the texts, the next one another.
  test.each(patterns.map((pattern, at) => [pattern, at] as const))("%s", (pattern, at) => {
    for (const text of [as, mixed, flags, random].filter((_, index) => (index + at) % cases(4, 1) === 0)) {
      expect(secondsOf(() => matches("matches", pattern, text))).toBeLessThan(1);
    }
  });
});

describe("no operator is slow on 100 KB of hostile text", () => {
  const wanted = {
    text: "*a*a*a*a*b",
    texts: ["*a*a*a*a*b", "a"],
    number: 5,
    list: [as, mixed],
    nothing: undefined,
    anything: `${as}!`,
  };
  const words = operatorWords().filter((word) => !/matches|regex/.test(word));
  test.each(words.map((word, at) => [word, at] as const))("%s", (word, at) => {
    const value = wanted[operatorNamed(word)?.row.takes ?? "nothing"];
    for (const text of [as, mixed, "9".repeat(SIZE)].filter((_, index) => (index + at) % cases(3, 1) === 0)) {
      expect(secondsOf(() => matches(word, value, text))).toBeLessThan(1);
    }
  });
});
