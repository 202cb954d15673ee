import type { ConditionSpec } from "./combination.ts";
import { Hook } from "./hook.ts";
import type { EventPatternText, HookInput } from "./hook-input.ts";
import { fieldNamed } from "./schema.ts";

/** What the whole matches: a pattern, or everything a hook can say besides what it does. */
export type Whole =
  | EventPatternText
  | Pick<HookInput, "name" | "event" | "matcher" | "description" | "tags" | "enabled" | How>;
type How = "priority" | "timeout" | "onError" | "exitCodes" | "mode" | "async" | "parallel";

/** What a member does, or a whole hook: that one runs only for the events it matches itself. */
export type Member = Omit<HookInput, "event" | "matcher" | "priority" | "mode" | "async" | "parallel"> | Hook;

/** All members run; the strictest verdict applies, with every reason and every context. */
export function all(whole: Whole, ...members: readonly Member[]): Hook {
  return combined(whole, (data) => ({ all: members.map(data) }));
}

/** The members run until one lets the call pass; it is denied when none does. */
export function any(whole: Whole, ...members: readonly Member[]): Hook {
  return combined(whole, (data) => ({ any: members.map(data) }));
}

/** The members run in order, each on what the former made of the call, up to the first denial. */
export function pipe(whole: Whole, ...members: readonly Member[]): Hook {
  return combined(whole, (data) => ({ pipe: members.map(data) }));
}

/** The member runs again when it failed, never when it denied, at most `times` more. */
export function retry(
  whole: Whole,
  { times, delay }: { readonly times: number; readonly delay?: number | string },
  member: Member,
): Hook {
  return combined(whole, (data) => ({ retry: { times, ...(delay === undefined ? {} : { delay }), of: data(member) } }));
}

/** The member runs where the condition holds, the other one, if there is one, everywhere else. */
export function when(
  whole: Whole,
  condition: ConditionSpec & { readonly if?: string | undefined },
  member: Member,
  otherwise?: Member,
): Hook {
  return combined(whole, (data) => ({
    when: { ...condition, ...branch(data(member)), ...(otherwise === undefined ? {} : { else: data(otherwise) }) },
  }));
}

function combined(whole: Whole, describe: (data: (member: Member) => object) => object): Hook {
  const outer = typeof whole === "string" ? { event: whole } : whole;
  return Hook.fromJSON({ ...outer, type: "combine", ...describe((member) => asData(member, outer.event)) });
}

/** A hook keeps its ears and its temper, whatever the whole's are. */
function asData(member: Member, pattern: string | undefined): object {
  if (!(member instanceof Hook)) return member;
  const rest = Object.entries(member.toJSON()).filter(([key]) => !LEFT_OUT.includes(fieldNamed(key) ?? ""));
  const { name, onError, exitCodes, timeout, eventPattern, matcher } = member;
  const data = { ...Object.fromEntries(rest), name, onError, exitCodes, timeout };
  const matchesTheSame = matcher === undefined && (eventPattern === pattern || eventPattern === "*");
  return matchesTheSame ? data : { when: { event: eventPattern, ...(matcher && { matcher }), ...branch(data) } };
}

function branch(data: object): object {
  // biome-ignore lint/suspicious/noThenProperty: this is the word people write; it is never a function.
  return { then: data };
}

const LEFT_OUT = ["name", "event", "matcher", "priority", "parallel", "onError", "exitCodes", "timeout"];
