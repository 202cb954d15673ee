import { type Answer, withRemedy } from "../decision/result.ts";
import type { CallFiles } from "../effects/call-files.ts";
import type { CallEffects } from "../effects/effect.ts";
import type { RepositoryFacts } from "../effects/parse/command.ts";
import { eventSpec } from "../event/catalogue.ts";
import { dataField, dataKey, type EventFacts, FIELD_SPELLINGS, type FieldName } from "../event/field.ts";
import { once } from "../event/once.ts";
import { unpacked } from "../event/packed.ts";
import { compilePath } from "../pattern/path-pattern.ts";
import { problems } from "../problem/problem.ts";
import { callFieldNamed, isCommandField } from "./call-fields.ts";
import { eventNames } from "./compare.ts";
import { countKey } from "./count-key.ts";
import { compileField, EVENT_NAME_FIELDS } from "./field.ts";
import { operatorNamed } from "./operator-words.ts";
import type { Operator, Tools } from "./operators.ts";
import { countedBefore } from "./recent.ts";
import { type Comparison, type Condition, type Count, ownComparisonsIn, type Rule, regexesIn } from "./rule.ts";
import { conditionText } from "./text.ts";

/**
 * Rules ready to run: no look-up by name is left, and nothing here does I/O. `isLate` is called after every rule with a regular
 * expression; no answer when it says so. Throws only the problem of a change that the event does not allow.
 */
export type Evaluate = (event: EventFacts, isLate?: () => boolean) => Answer | undefined;

/** Compiles rules into one function; the first rule that matches decides, no match continues. */
export function compileRules(rules: readonly Rule[], tools: Tools): Evaluate {
  const compiled = rules.map((rule) => ({
    matches: compileCondition(rule.when, tools),
    answer: compileAnswer(rule),
    isSlow: regexesIn(rule.when).length > 0,
  }));
  return (event, isLate) => {
    for (const { matches, answer, isSlow } of compiled) {
      if (matches(event)) return answer(event);
      if (isSlow && isLate?.()) return undefined;
    }
    return CONTINUE;
  };
}

/** Whether a condition holds for an event. */
export type Matches = (event: EventFacts) => boolean;

/** Compiles a condition; what follows from the first parts alone is not asked further. */
export function compileCondition(condition: Condition, tools: Tools, meant?: FilesMeant): Matches {
  switch (condition.kind) {
    case "compare":
      return compileComparison(condition, tools, meant);
    case "count":
      return compileCount(condition, tools);
    case "not": {
      const inner = compileCondition(condition.of, tools, meant);
      return (event) => !inner(event);
    }
    case "all": {
      const named = filesMeant(condition.of, tools) ?? meant;
      return every(condition.of.map((one) => compileCondition(one, tools, named)));
    }
    case "any":
      return some(condition.of.map((one) => compileCondition(one, tools, meant)));
  }
}

/** Calls are counted before the rules run; where nothing is remembered, none is known. */
function compileCount({ of, per, operator, value }: Count, tools: Tools): Matches {
  const named = operatorNamed(operator);
  const key = countKey(of);
  const holds = named?.row.compile(value, tools) ?? (() => false);
  return (event) => {
    const counted = countedBefore(event, key, per);
    return counted !== undefined && holds(counted) !== named?.negated;
  };
}

/** Two parts are by far the most frequent, and need no loop. */
function every(parts: readonly Matches[]): Matches {
  const [first, second] = parts;
  if (first && second && parts.length === 2) return (event) => first(event) && second(event);
  return (event) => parts.every((holds) => holds(event));
}

function some(parts: readonly Matches[]): Matches {
  const [first, second] = parts;
  if (first && second && parts.length === 2) return (event) => first(event) || second(event);
  return (event) => parts.some((holds) => holds(event));
}

/** Positive: any value of the field holds. Negated: it has a value, and none holds. */
function compileComparison(comparison: Comparison, tools: Tools, meant: FilesMeant | undefined): Matches {
  const { field, operator, value: wanted } = withEventNames(comparison);
  const named = operatorNamed(operator);
  if (named === undefined) return () => false;
  const { one, all } = compileField(field, tools);
  const { negated, row } = named;
  if (named.name === "exists") return (event) => all(event).some(isThere) !== negated;
  if (row.onAct !== undefined) return onActs(field, row.onAct(wanted), negated ? row.isAbout : undefined, tools);
  if (row.onRepository !== undefined) {
    const values = callFieldNamed(field)?.holds === "paths" ? (event: EventFacts) => meant?.(event) ?? all(event) : all;
    return onRepository(values, row.onRepository(wanted), negated, tools);
  }
  const holds = (callFieldNamed(field)?.holds === "paths" && row.onPath?.(wanted)) || row.compile(wanted, tools);
  if (one !== undefined && !asksForNull(wanted)) {
    return (event) => {
      const value = one(event);
      return value !== undefined && value !== null && holds(value) !== negated;
    };
  }
  const counts = countsFor(wanted);
  return (event) => {
    const values = all(event).filter(counts);
    return values.length > 0 && values.some(holds) !== negated;
  };
}

/** The files of a call that other parts of a condition are about; undefined if none of them fits, or if they name none. */
type FilesMeant = (event: EventFacts) => readonly string[] | undefined;

/**
 * What git is asked about in `call writes "migrations/**" and path committed_on "origin/main"`: the files that are written there,
 * and not the other files of a patch.
 */
function filesMeant(parts: readonly Condition[], tools: Tools): FilesMeant | undefined {
  const isAboutGit = parts.flatMap(ownComparisonsIn).some(({ operator }) => operatorNamed(operator)?.row.onRepository);
  if (!isAboutGit) return undefined;
  const acts = parts.flatMap(actsOnFiles);
  const named = parts.flatMap((part) => (part.kind === "compare" ? testsOfPath(part, tools) : []));
  if (acts.length + named.length === 0) return undefined;
  const tests = acts.map(({ list, value }) => {
    const patterns = [value].flat().map((pattern) => compilePath(String(pattern)));
    return (files: CallFiles) =>
      files[list].filter(({ path, absolute }) => patterns.some((fits) => fits(path) || fits(absolute)));
  });
  return (event) => {
    const files = tools.files(event);
    const touched = acts.length > 0 ? tests.flatMap((test) => test(files)) : Object.values(files).flat();
    const found = touched.map(({ path }) => path).filter((path) => named.every((holds) => holds(path)));
    return found.length === 0 ? undefined : [...new Set(found)];
  };
}

/** What a part of a condition asks about a path, such as `path glob "migrations/**"`. */
function testsOfPath({ field, operator, value }: Comparison, tools: Tools): readonly ((path: string) => boolean)[] {
  const { row, negated, name } = operatorNamed(operator) ?? {};
  if (row === undefined || negated || name === "exists" || row.onRepository !== undefined) return [];
  return field === "path" || field === "paths" ? [row.onPath?.(value) ?? row.compile(value, tools)] : [];
}

/** The parts of a condition that say which files a call touches. */
function actsOnFiles(condition: Condition): readonly { list: keyof CallFiles; value: unknown }[] {
  if (condition.kind === "any" || condition.kind === "all") return condition.of.flatMap(actsOnFiles);
  if (condition.kind !== "compare" || condition.field !== "call") return [];
  const list = FILES_OF[condition.operator];
  return list === undefined ? [] : [{ list, value: condition.value }];
}

const FILES_OF: Readonly<Record<string, keyof CallFiles>> = { writes: "written", deletes: "deleted", reads: "read" };

/** Git is asked about each value; outside of a repository it knows none. */
function onRepository(
  all: (event: EventFacts) => readonly unknown[],
  holds: (value: unknown, repository: RepositoryFacts) => boolean,
  negated: boolean,
  tools: Tools,
): Matches {
  return (event) => {
    const values = all(event).filter(isThere);
    const repository = values.length === 0 ? undefined : tools.repository(event, true);
    const isSo = repository !== undefined && values.some((value) => holds(value, repository));
    return values.length > 0 && isSo !== negated;
  };
}

/** The same comparison with the canonical names of events, where it asks which event it is. */
export function withEventNames(comparison: Comparison): Comparison {
  const { name, negated } = operatorNamed(comparison.operator) ?? {};
  if (!EVENT_NAME_FIELDS.has(comparison.field) || (name !== "equals" && name !== "in")) return comparison;
  return { ...comparison, operator: negated ? "not_in" : "in", value: eventNames(comparison.value) };
}

/** `call` asks about the act itself, every other field about the command lines that it holds. */
function onActs(
  field: string,
  holds: (act: CallEffects) => boolean,
  isAbout: Operator["isAbout"],
  tools: Tools,
): Matches {
  const matches = (act: CallEffects | undefined) =>
    act !== undefined && (isAbout === undefined ? holds(act) : isAbout(act) && !holds(act));
  if (field === "call") return (event) => matches(tools.act(event));
  if (isCommandField(field)) return (event) => matches(tools.commandLine(event));
  const { all } = compileField(field, tools);
  return (event) => all(event).some((value) => typeof value === "string" && matches(tools.text(event, value)));
}

/** Which values an operator looks at: a null counts as missing, unless the rule asks for null. */
export function countsFor(wanted: unknown): (value: unknown) => boolean {
  return asksForNull(wanted) ? () => true : isThere;
}

function asksForNull(wanted: unknown): boolean {
  return wanted === null || (Array.isArray(wanted) && wanted.includes(null));
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function compileAnswer({ when, action, reason, remedy, modify }: Rule): (event: EventFacts) => Answer {
  switch (action) {
    case "continue":
      return always(reason === undefined ? CONTINUE : { action, reason });
    case "warn":
      // Most rules never match: what one says is put into words when it first does.
      return once((): Answer => {
        const said = instead(reason ?? `A rule warns: ${shortText(when)}`, remedy);
        return { action: "continue", reason: said, context: said };
      });
    case "deny":
      return once((): Answer => ({ action, reason: instead(reason ?? `Denied by rule: ${shortText(when)}`, remedy) }));
    case "ask":
      return once(
        (): Answer => ({
          action,
          reason: instead(reason ?? `A rule wants this approved: ${shortText(when)}`, remedy),
        }),
      );
    case "modify":
      return (event) => ({
        action,
        ...(reason === undefined ? {} : { reason }),
        modifiedData: modify ? modifiedData(event, modify.field, modify.value) : {},
      });
  }
}

function instead(reason: string, remedy: string | undefined): string {
  return withRemedy(reason, remedy === undefined ? [] : [remedy]) ?? reason;
}

function shortText(condition: Condition): string {
  const text = conditionText(condition);
  return text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON - 1)}…` : text;
}

const LONGEST_REASON = 500;

function always(answer: Answer): () => Answer {
  return () => answer;
}

/** What rules say when none of them matches. */
export const CONTINUE: Answer = Object.freeze({ action: "continue" });

/** What a rule's `modify` comes to as `modified_data`: the part of the event with one field set, on a copy. */
export function modifiedData(event: EventFacts, field: string, value: unknown): Record<string, unknown> {
  const part = partOf(event);
  if (part === undefined) throw PROBLEMS.nothingToChange({ event: event.type, field });
  const keys = keysInside(event, part, field.split("."));
  if (part.name === undefined) return { data: setIn(event.data, keys, value, field) };
  const whole = dataField(event, part.name);
  if (keys.length === 0) return { [part.word]: value };
  const inner = unpacked(whole);
  const changed = setIn(inner, keys, value, field);
  // What came as the text of its JSON is passed on as text.
  return { [part.word]: inner === whole ? changed : JSON.stringify(changed) };
}

/** The part of an event that may be changed: its place, and the word for it in `modified_data`. */
interface Part {
  /** `undefined` when it is all of the data. */
  readonly name: FieldName | undefined;
  readonly word: string;
}

const PARTS = {
  input: { name: "tool_args", word: "args" },
  output: { name: "tool_result", word: "result" },
  prompt: { name: "prompt", word: "prompt" },
} as const satisfies Record<string, Part>;

function partOf(event: EventFacts): Part | undefined {
  const { modifies } = eventSpec(event.type);
  if (modifies === null) return undefined;
  return event.type.startsWith("llm:") ? { name: undefined, word: "data" } : PARTS[modifies];
}

/**
 * `args.command`, `tool_input.command` and `command` are one field of a tool's input; `path` is the field with the path,
 * whatever its name.
 */
function keysInside(event: EventFacts, part: Part, [first = "", ...rest]: readonly string[]): readonly string[] {
  if (part.name === undefined) return first === "data" ? rest : [spelledIn(event, first), ...rest];
  const spellings: readonly string[] = FIELD_SPELLINGS[part.name];
  if (spellings.includes(first)) return PATHS.includes(rest.join(".")) ? [pathKey(event, rest)] : rest;
  const isElsewhere = part.name === "prompt" || ELSEWHERE.includes(first);
  if (isElsewhere) throw PROBLEMS.elsewhere({ event: event.type, field: [first, ...rest].join("."), word: part.word });
  return rest.length === 0 && PATHS.includes(first) ? [pathKey(event, [first])] : [first, ...rest];
}

const PATHS = ["path", "file_path"];
const ELSEWHERE: readonly string[] = [
  ...["tool", "tool_name", "event", "type", "session_id", "cwd", "agent", "timestamp", "data", "error"],
  ...FIELD_SPELLINGS.tool_args,
  ...FIELD_SPELLINGS.tool_result,
  ...FIELD_SPELLINGS.prompt,
];

/** The key under which the tool's input holds its path; the one that the rule names when it holds none. */
function pathKey(event: EventFacts, [named = ""]: readonly string[]): string {
  const args = Object(unpacked(dataField(event, "tool_args")));
  return [named, ...PATHS].find((key) => Object.hasOwn(args, key)) ?? named;
}

function spelledIn(event: EventFacts, key: string): string {
  const names = Object.keys(FIELD_SPELLINGS) as FieldName[];
  const name = names.find((candidate) => (FIELD_SPELLINGS[candidate] as readonly string[]).includes(key));
  return name === undefined || Object.hasOwn(event.data, key) ? key : dataKey(event, name);
}

/** Sets a nested value without touching what it was; a list stays a list, `*` stands for every item. */
function setIn(target: unknown, keys: readonly string[], value: unknown, field: string): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  if (target !== undefined && target !== null && typeof target !== "object") throw PROBLEMS.noInside({ field, key });
  const inner = (item: unknown) => setIn(item, rest, value, field);
  if (Array.isArray(target)) {
    if (key === "*") return target.map(inner);
    if (!/^\d{1,9}$/.test(key)) throw PROBLEMS.noInside({ field, key });
    const at = Math.min(Number(key), target.length);
    return [...target.slice(0, at), inner(target[at]), ...target.slice(at + 1)];
  }
  const entries = new Map(Object.entries(target ?? {}));
  if (key === "*") for (const [name, item] of entries) entries.set(name, inner(item));
  else entries.set(key, inner(entries.get(key)));
  return Object.fromEntries(entries);
}

const PROBLEMS = problems("rule", {
  nothingToChange: ({ event, field }: { event: string; field: string }) => ({
    what: `A rule wants to change ${field}, and nothing of ${event} can be changed.`,
    fix: "Let the rule deny or ask instead.",
  }),
  elsewhere: ({ event, field, word }: { event: string; field: string; word: string }) => ({
    what: `A rule wants to change ${field}, and of ${event} only ${word} can be changed.`,
    fix: `Name a field of ${word}.`,
  }),
  noInside: ({ field, key }: { field: string; key: string }) => ({
    what: `A rule wants to change ${field}, and there is no place for "${key}" in what the event holds.`,
    fix: "Change the field, or let another rule ask first whether it exists.",
  }),
});
