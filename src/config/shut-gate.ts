import { attempt } from "../event/attempt.ts";
import { EVENT_NAMES, eventSpec } from "../event/catalogue.ts";
import { compilePattern } from "../event/pattern.ts";
import { meantPattern } from "../hook/event-problems.ts";
import { Hook, type HookSurroundings, type Origin } from "../hook/hook.ts";
import { fieldNamed } from "../hook/schema.ts";
import { formatPlace, type Problem } from "../problem/problem.ts";

/** Rules that ask about every call of a pattern that can still be stopped. At the end of a session only once, or the session would never end. */
export function askAtGates(reason: string, pattern = "*"): string {
  const { events } = compilePattern(pattern);
  const gates = EVENT_NAMES.filter((name) => eventSpec(name).gate && events.has(name));
  const [ends, others] = [
    gates.filter((name) => eventSpec(name).keepsWorking),
    gates.filter((name) => !eventSpec(name).keepsWorking),
  ];
  const text = JSON.stringify(reason);
  return [
    ...(others.length === 0 ? [] : [`event in ${JSON.stringify(others)} -> ask(${text})`]),
    ...(ends.length === 0
      ? []
      : [`event in ${JSON.stringify(ends)} and stop_hook_active equals false -> ask(${text})`]),
  ].join("\n");
}

/**
 * The hook in place of an entry that cannot be read: it asks about every call that the entry may have guarded, whatever the
 * entry's `on_error` is. `undefined` for an entry that could not stop a call: one that is off, in the background, or on no gate.
 */
export function shutGateOf(
  data: unknown,
  [problem]: readonly Problem[],
  origin: Origin,
  { isDisabled }: Pick<HookSurroundings, "isDisabled">,
): Hook | undefined {
  const given = Object.fromEntries(Object.entries(Object(data)).map(([key, value]) => [fieldNamed(key) ?? key, value]));
  const { event, matcher, mode, async: isAsync, enabled, priority } = given;
  const name = typeof given.name === "string" ? given.name : undefined;
  const isOff = enabled === false || isAsync === true || mode === "monitor";
  if (problem === undefined || isOff || (name !== undefined && isDisabled?.(name))) return undefined;
  const label = name === undefined ? "A hook" : `The hook ${plainName(name)}`;
  const place = formatPlace(problem.place ?? origin.place);
  const fact = [problem.message, problem.fix].filter((text) => text !== undefined).join(" ");
  const rules = askAtGates(
    `${label} guards this call and cannot be read: ${place}: ${cut(fact)} Until it is corrected, the user has to decide.`,
  );
  const common = { name: name ?? "unreadable-hook", rules, ...(typeof priority === "number" && { priority }) };
  const events: unknown = event ?? (Object(matcher) as { readonly events?: unknown }).events;
  const meant = meantPattern(Array.isArray(events) ? events.join(",") : events);
  const hook =
    made({ ...common, ...(event !== undefined && { event }), ...(matcher !== undefined && { matcher }) }, origin) ??
    made({ ...common, event: meant, ...(event !== undefined && matcher !== undefined && { matcher }) }, origin) ??
    made({ ...common, event: meant }, origin);
  const isGate = EVENT_NAMES.some((one) => eventSpec(one).gate && hook?.toolsFor(one) !== "never");
  return isGate ? hook : undefined;
}

function made(spec: object, origin: Origin): Hook | undefined {
  return attempt(() => Hook.fromJSON(spec, origin, { isChecked: true }));
}

/** A name as messages to agents show it: names come from projects too. */
export function plainName(name: string): string {
  const plain = name.replaceAll(/[^\w.:@*-]+/g, "_");
  return plain.length > LONGEST_NAME ? `${plain.slice(0, LONGEST_NAME)}…` : plain;
}

function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > LONGEST_FACT ? `${line.slice(0, LONGEST_FACT)}…` : line;
}

const LONGEST_NAME = 40;
const LONGEST_FACT = 400;
