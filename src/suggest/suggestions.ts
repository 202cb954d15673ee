import type { HookData } from "../config/hook-list.ts";
import { STRICTNESS } from "../decision/result.ts";
import type { Hook } from "../hook/hook.ts";
import { Problem } from "../problem/problem.ts";
import { readHookRules } from "../rule/hook-rules.ts";
import type { DecisionRecord } from "../trace/record.ts";
import { recordedInput, recordedText } from "../trace/recorded-event.ts";
import type { CallHistory, StoppedCall } from "./call-history.ts";
import { addedHookEdit, type ConfigEdit, changedHookEdit, exceptionEdit } from "./config-edit.ts";
import { type ExceptionContext, exceptionsFor } from "./narrow-exceptions.ts";

/** What history supports: an edit of the configuration, or a look at a hook that does nothing. */
export interface Suggestion {
  readonly kind: SuggestionKind;
  /** The hook, or the rule of a guard, that it is about. */
  readonly about: string;
  /** What to do, in one sentence. */
  readonly title: string;
  /** What the journal has in its favour. */
  readonly why: string;
  readonly count: number;
  readonly sessions: number;
  /** The newest calls that support it. */
  readonly calls: readonly SuggestedCall[];
  readonly edit?: ConfigEdit | undefined;
  /** A call that has to come out like this afterwards, for a test. */
  readonly test?: SuggestedTest | undefined;
  /** The command line that does it or shows more, where there is no edit. */
  readonly next?: string | undefined;
}

/** A call that supports a suggestion. */
interface SuggestedCall {
  readonly id: string;
  readonly time: string;
  readonly agent?: string | undefined;
  readonly text: string;
}

/** A recorded call, and its required decision. */
interface SuggestedTest {
  readonly record: DecisionRecord;
  readonly expect: "continue" | "deny" | "ask";
}

/** What suggestions are made from. */
export interface SuggestionContext extends ExceptionContext {
  readonly history: CallHistory;
  /** The hooks that are written down here, without the built-in ones. */
  readonly hooks: readonly Hook[];
}

type SuggestionKind = keyof typeof SUGGESTIONS;

/** Everything that history supports, by kind, the most frequent first. */
export function suggestions(context: SuggestionContext): Suggestion[] {
  return Object.values(SUGGESTIONS).flatMap((find) =>
    find(context).sort((one, other) => other.count - one.count || (one.about < other.about ? -1 : 1)),
  );
}

/** One row per kind of suggestion. */
const SUGGESTIONS = {
  exception: guardExceptions,
  allow_rule: ownExceptions,
  deny_rule: denials,
  enforce: readyToEnforce,
  unused: unusedHooks,
  shadowed: shadowedHooks,
} as const satisfies Record<string, (context: SuggestionContext) => Suggestion[]>;

/** What a guard stopped and the user always let pass becomes the narrowest exception. */
function guardExceptions(context: SuggestionContext): Suggestion[] {
  const found = stoppedBy(context, (name) => name.startsWith("guard:")).slice(0, MAX_LOOKED_AT);
  const narrow = found.flatMap((call) => {
    const exceptions = exceptionsOf(call.record, context);
    return exceptions === undefined ? [] : [{ call, exceptions, key: JSON.stringify(exceptions) }];
  });
  return groupsOf(narrow, ({ key }) => key).flatMap((group) => {
    const calls = group.map(({ call }) => call);
    const [first] = group;
    if (first === undefined || calls.length < ENOUGH || !calls.every(({ isApproved }) => isApproved)) return [];
    const { record } = first.call;
    const rules = first.exceptions.map(({ rule }) => rule).join(", ");
    const reason = `stopped and allowed ${calls.length} times by ${today()}`;
    return [
      {
        kind: "exception",
        about: rules,
        title: `Let "${textOf(record)}" pass: an exception of ${rules}.`,
        why: `${times(calls.length)} stopped, and you let it pass each time.`,
        ...factsOf(calls),
        edit: exceptionEdit(
          first.exceptions.map((one) => ({ ...one, reason })),
          context,
        ),
        test: { record, expect: "continue" },
      },
    ];
  });
}

function exceptionsOf(record: DecisionRecord, context: SuggestionContext) {
  try {
    return exceptionsFor(record, context);
  } catch (error) {
    // A call that no narrow exception would let pass supports none.
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** What a rule of one's own asks about and is always answered with yes becomes a rule that comes first. */
function ownExceptions(context: SuggestionContext): Suggestion[] {
  return ownGroups(context, (calls) => calls.every(({ isApproved }) => isApproved)).flatMap(({ hook, calls, text }) => {
    const rules = hook === undefined ? undefined : rulesWith(hook, `${text} -> continue()`);
    const [first] = calls;
    if (hook === undefined || first === undefined || rules === undefined) return [];
    return [
      {
        kind: "allow_rule",
        about: hook.name,
        title: `Let "${textOf(first.record)}" pass in ${hook.name}.`,
        why: `${times(calls.length)} asked about, and you said yes each time.`,
        ...factsOf(calls),
        edit: changedHookEdit(hook, { rules }),
        test: { record: first.record, expect: "continue" },
      },
    ];
  });
}

/** What is asked about and always refused becomes a denial: the question is not asked again. */
function denials(context: SuggestionContext): Suggestion[] {
  const asked = context.history.stopped.filter(({ told, record }) => told === "ask" && isSettled(record));
  return groupsOf(asked, ({ record }) => conditionOf(record) ?? "").flatMap((calls) => {
    const [first] = calls;
    if (first === undefined || calls.length < ENOUGH) return [];
    if (calls.some(({ isApproved }) => isApproved)) return [];
    const words = textOf(first.record);
    const hook = hookDenying(first.record, `You refused this ${calls.length} times.`);
    if (hook === undefined) return [];
    return [
      {
        kind: "deny_rule",
        about: first.by?.rule ?? first.by?.hook ?? "",
        title: `Deny "${words}" without a question.`,
        why: `${times(calls.length)} asked about, and you never said yes.`,
        ...factsOf(calls),
        edit: addedHookEdit(hook, context),
        test: { record: first.record, expect: "deny" },
      },
    ];
  });
}

/** A hook that denies this call and no other; undefined if the call was recorded in part. */
export function hookDenying(record: DecisionRecord, reason: string): HookData | undefined {
  const condition = conditionOf(record);
  return condition === undefined
    ? undefined
    : {
        name: `never-${slug(textOf(record))}`,
        event: `tool:pre_execute:${record.tool ?? "*"}`,
        rules: `${condition} -> deny(${JSON.stringify(reason)})`,
      };
}

/** A hook that only watches and would have stopped something is ready to be enforced. */
function readyToEnforce({ history, hooks }: SuggestionContext): Suggestion[] {
  return hooks.flatMap((hook) => {
    const { watched = [] } = history.hooks.get(hook.name) ?? {};
    if (hook.mode !== "monitor" || watched.length === 0) return [];
    return [
      {
        kind: "enforce",
        about: hook.name,
        title: `Let ${hook.name} count: take \`mode: monitor\` away.`,
        why: `It would have stopped ${countOf(watched.length, "call")}. Look at them first.`,
        ...factsOfRecords(watched),
        edit: changedHookEdit(hook, {}, ["mode"]),
        test: enforcedTest(hook.name, watched),
      },
    ];
  });
}

/** What the hook alone decides from then on. */
function enforcedTest(name: string, watched: readonly DecisionRecord[]): SuggestedTest | undefined {
  for (const record of watched) {
    const expect = record.results.find(({ hook }) => hook === name)?.monitor;
    if (expect === "deny" || (expect === "ask" && record.action !== "deny")) return { record, expect };
  }
  return undefined;
}

/** A hook that no call has ever reached, in a time with many calls. */
function unusedHooks({ history, hooks }: SuggestionContext): Suggestion[] {
  if (history.total < MANY) return [];
  return hooks.flatMap((hook) => {
    const known = history.hooks.get(hook.name);
    if (!hook.enabled || (known !== undefined && known.decided > 0)) return [];
    if (known !== undefined && hook.type !== "inline") return [];
    const why =
      known === undefined
        ? `Of ${countOf(history.total, "call")}, none was one that it matches.`
        : `It was asked about ${countOf(known.asked, "call")} and never said anything.`;
    return [
      {
        kind: "unused",
        about: hook.name,
        title: `Look at ${hook.name}: it has done nothing.`,
        why,
        count: 0,
        sessions: 0,
        calls: [],
        ...switchedOff(hook),
      },
    ];
  });
}

/** A hook all of whose objections another one made, too, and made as strictly. Of two such hooks the first stays. */
function shadowedHooks({ history, hooks }: SuggestionContext): Suggestion[] {
  const staying = new Set(hooks.filter(({ enabled, mode }) => enabled && mode !== "monitor").map(({ name }) => name));
  return hooks.toReversed().flatMap((hook) => {
    const { name } = hook;
    const records = history.stopped.map(({ record }) => record).filter((record) => objection(record, name) > 0);
    if (!staying.has(name) || records.length < ENOUGH) return [];
    const other = coveringHook(name, records, (one) => staying.has(one) || one.startsWith("guard:"));
    if (other === undefined) return [];
    staying.delete(name);
    return [
      {
        kind: "shadowed",
        about: name,
        title: `Look at ${name}: ${other} says the same.`,
        why: `Whenever it stopped a call, ${other} did, too.`,
        ...factsOfRecords(records),
        ...switchedOff(hook),
      },
    ];
  });
}

function coveringHook(
  name: string,
  records: readonly DecisionRecord[],
  isMeant: (hook: string) => boolean,
): string | undefined {
  const [first] = records;
  const others = new Set(first?.results.map(({ hook }) => hook).filter((hook) => hook !== name && isMeant(hook)));
  return [...others].find((other) => records.every((record) => objection(record, other) >= objection(record, name)));
}

/** How strictly a hook stopped a call; 0 where it did not. */
function objection({ results }: DecisionRecord, name: string): number {
  const stopping = results.filter(({ hook, action }) => hook === name && (action === "deny" || action === "ask"));
  return Math.max(0, ...stopping.map(({ action }) => STRICTNESS[action]));
}

/** The edit that switches a hook off; the command for it if it is in no list of hooks. */
function switchedOff(hook: Hook): Pick<Suggestion, "edit" | "next"> {
  const edit = changedHookEdit(hook, { enabled: false });
  return edit === undefined ? { next: `sluice disable ${hook.name}` } : { edit };
}

interface OwnGroup {
  readonly hook: Hook | undefined;
  readonly calls: readonly StoppedCall[];
  /** The condition that names the call. */
  readonly text: string;
}

function ownGroups(
  context: SuggestionContext,
  isMeant: (calls: readonly StoppedCall[]) => boolean,
): readonly OwnGroup[] {
  const found = stoppedBy(context, (name) => !name.startsWith("guard:"));
  const key = ({ by, record }: StoppedCall) => `${by?.hook} ${conditionOf(record)}`;
  return groupsOf(found, key).flatMap((calls) => {
    const [first] = calls;
    const text = first && conditionOf(first.record);
    if (first === undefined || text === undefined || calls.length < ENOUGH || !isMeant(calls)) return [];
    return [{ hook: context.hooks.find(({ name }) => name === first.by?.hook), calls, text }];
  });
}

/** Calls that one hook alone stopped, that were put to a person or denied, and that are old enough for an answer. */
function stoppedBy({ history }: SuggestionContext, isMeant: (hook: string) => boolean): StoppedCall[] {
  return history.stopped.filter(
    ({ by, record, told, isApproved }) =>
      by !== undefined &&
      isMeant(by.hook) &&
      (isApproved || (isSettled(record) && !(record.action === "ask" && told === "deny"))),
  );
}

/** A question of a moment ago may still be answered. */
function isSettled({ time }: DecisionRecord): boolean {
  return Date.now() - Date.parse(time) > OPEN_MS;
}

/** The condition of a rule that names this call and no other; undefined if it was recorded in part. */
function conditionOf(record: DecisionRecord): string | undefined {
  if (record.redacted?.length || record.cut?.length) return undefined;
  const input = recordedInput(record);
  const fields = typeof input === "object" && input !== null ? (input as Readonly<Record<string, unknown>>) : {};
  const key = NAMING_FIELDS.find((name) => typeof fields[name] === "string" && fields[name] !== "");
  return key === undefined ? undefined : `args.${key} equals ${JSON.stringify(fields[key])}`;
}

/** The rules of a hook after one more line; undefined if they are not written as text. */
function rulesWith(hook: Hook, line: string): string | undefined {
  const { rules } = hook.toJSON() as { readonly rules?: unknown };
  return typeof rules === "string" && readHookRules(hook).written.length > 0 ? `${line}\n${rules}` : undefined;
}

function factsOf(calls: readonly StoppedCall[]) {
  return factsOfRecords(calls.map(({ record }) => record));
}

function factsOfRecords(records: readonly DecisionRecord[]): Pick<Suggestion, "count" | "sessions" | "calls"> {
  return {
    count: records.length,
    sessions: new Set(records.map(({ session_id: id }) => id)).size,
    calls: records
      .slice(0, SHOWN)
      .map((record) => ({ id: record.id, time: record.time, agent: record.agent, text: textOf(record) })),
  };
}

function groupsOf<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [item]);
    else known.push(item);
  }
  return [...groups.values()];
}

function textOf(record: DecisionRecord): string {
  const text = recordedText(record).replaceAll(/\s+/g, " ").trim();
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
}

function slug(text: string): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? ["call"];
  return words.slice(0, 5).join("-").slice(0, 40);
}

function times(count: number): string {
  return count === 1 ? "Once" : `${count} times`;
}

function countOf(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

function today(): string {
  return new Date().toISOString().slice(0, "2000-01-01".length);
}

const NAMING_FIELDS = ["command", "file_path", "path", "url"];
/** Fewer calls of a kind do not show a habit. */
const ENOUGH = 3;
/** Fewer calls do not show whether a hook that did nothing is needed. */
const MANY = 200;
/** A reading of the shell is needed for each. */
const MAX_LOOKED_AT = 500;
const SHOWN = 5;
const MAX_TEXT = 100;
const OPEN_MS = 10 * 60 * 1000;
