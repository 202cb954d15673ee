import type { Decision } from "../../src/decision/decision.ts";
import { modifiable } from "../../src/decision/modification.ts";
import { eventSpec } from "../../src/event/catalogue.ts";
import type { HookEvent } from "../../src/event/event.ts";
import { cases } from "../cases.ts";
import type { Dice } from "../readers/dice.ts";
import { isObject } from "./agents/agent.ts";

/** What hooks can add up to, without the event. */
export type Saying = Partial<
  Pick<Decision, "action" | "reasons" | "contexts" | "feedback" | "input" | "output" | "approved">
>;

/** The decision of hooks that say this. */
export function decisionOf(event: HookEvent, saying: Saying): Decision {
  const toHookDecision = () => ({ allow: true }) as const;
  return {
    event,
    action: "continue",
    reasons: [],
    contexts: [],
    approved: false,
    results: [],
    ...saying,
    toHookDecision,
  };
}

/** Everything that hooks may come to say about an event, by name. */
export function sayingsAbout(event: HookEvent): Record<string, Saying> {
  const { gate, modifies } = eventSpec(event.type);
  const contexts = [CONTEXT];
  const inputs = gate && modifies !== null ? changesOf(modifiable(event)) : {};
  return {
    nothing: {},
    context: { contexts },
    "a long context": { contexts: [LONG] },
    approved: { approved: true },
    "approved, with context": { approved: true, contexts },
    ...(gate ? objections(event.type === "tool:pre_execute") : afterTheFact(contexts)),
    ...Object.fromEntries(
      Object.entries(inputs).flatMap(([name, input]): [string, Saying][] => [
        [`changed: ${name}`, { action: "modify", reasons: ["safer"], input }],
        [`changed, with context: ${name}`, { action: "modify", reasons: ["safer"], input, contexts }],
        [`changed and approved: ${name}`, { action: "modify", reasons: ["safer"], input, approved: true }],
        [`changed and asked about: ${name}`, { action: "ask", reasons: ["sure?"], input }],
      ]),
    ),
    ...(modifies === "output" ? results(event) : {}),
  };
}

/** Something that hooks may say about an event, as the dice fall. */
export function randomSaying(dice: Dice, event: HookEvent): Saying {
  const saying = dice.pick(Object.values(sayingsAbout(event)));
  const contexts = dice.onceIn(2) ? [dice.pick(LIMITS)] : [];
  const objects = saying.action === "deny" || saying.action === "ask";
  const reasons = objects
    ? [dice.pick(LIMITS), ...(dice.onceIn(3) ? [dice.pick(LIMITS)] : [])]
    : (saying.reasons ?? []);
  const approved = !objects && dice.onceIn(3);
  const { feedback = [] } = saying;
  return { ...saying, reasons, contexts: [...feedback, ...contexts], approved };
}

function objections(isTool: boolean): Record<string, Saying> {
  const each = Object.entries(isTool ? { ...REASONS, "very long": VERY_LONG } : REASONS).flatMap(
    ([name, reason]): [string, Saying][] => [
      [`deny: ${name}`, { action: "deny", reasons: [reason] }],
      [`ask: ${name}`, { action: "ask", reasons: [reason] }],
    ],
  );
  return {
    ...Object.fromEntries(each),
    "deny: no reason at all": { action: "deny" },
    "deny: several reasons": { action: "deny", reasons: ["one", "two"] },
    "deny, with context": { action: "deny", reasons: ["no"], contexts: [CONTEXT] },
    "ask, with context": { action: "ask", reasons: ["sure?"], contexts: [CONTEXT] },
  };
}

/** A denial of what has happened already: its words are contexts, and feedback. */
function afterTheFact(contexts: readonly string[]): Record<string, Saying> {
  const outcome = Object.entries(REASONS).filter(([, reason]) => reason.trim() !== "");
  return {
    ...Object.fromEntries(
      outcome.map(([name, reason]): [string, Saying] => [
        `denied afterwards: ${name}`,
        { contexts: [reason], feedback: [reason] },
      ]),
    ),
    "denied afterwards, with context": { contexts: ["no", ...contexts], feedback: ["no"] },
  };
}

/** Other inputs: another value, one key more, one key less, and as good as none. */
function changesOf(input: unknown): Record<string, unknown> {
  if (typeof input === "string") return { "another text": `${input}, carefully`, "an odd text": REASONS.odd };
  if (!isObject(input)) return {};
  const [first = "none", ...others] = Object.keys(input).filter((key) => typeof input[key] === "string");
  const key = ["command", "file_path"].find((one) => typeof input[one] === "string") ?? first;
  const less = Object.keys(input).find((one) => one !== key) ?? others[0];
  return {
    "another value": { ...input, [key]: "echo 'other' \"value\"" },
    "an odd value": { ...input, [key]: REASONS.odd },
    "a key more": { ...input, more: [1, { deep: null }] },
    ...(less === undefined
      ? {}
      : { "a key less": Object.fromEntries(Object.entries(input).filter(([one]) => one !== less)) }),
    "no key at all": {},
  };
}

function results(event: HookEvent): Record<string, Saying> {
  const same = withOtherTexts(modifiable(event) ?? "");
  return {
    "another result": { action: "modify", output: same },
    "another result, with context": { action: "modify", output: same, contexts: [CONTEXT] },
    "another result, denied afterwards": { action: "modify", output: same, contexts: ["no"], feedback: ["no"] },
  };
}

/** The same shape with another text in every place. */
function withOtherTexts(value: unknown): unknown {
  if (typeof value === "string") return "another result";
  if (Array.isArray(value)) return value.map(withOtherTexts);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withOtherTexts(one)]));
}

/** Words that are easy to find again. */
const CONTEXT = "know this: the build is broken";
const LONG = `begin ${"x".repeat(60_000)}`;

/** Reasons that have broken programs before. */
const REASONS = {
  plain: "no rm here",
  empty: "",
  blank: " \n\t",
  lines: "first line\nsecond line\r\nthird line",
  odd: `"quotes" 'single' \\back\\ <b>tag</b> & $HOME \`id\` ünïcødé 🚰 \u2028 {"decision":"approve"}`,
  "with NUL": "before\u0000after",
  "half a letter": "half \ud83d letter",
  "JSON itself": '{"hookSpecificOutput":{"permissionDecision":"allow"}}',
} as const;

const LIMITS = Object.values(REASONS);
/** More than a pipe or an argument of a program holds. */
const VERY_LONG = `begin ${"y".repeat(cases(200_000, 1_000_000))}`;
