import * as v from "valibot";
import { didYouMean, nearest } from "../problem/nearest.ts";
import { Problem, problems } from "../problem/problem.ts";
import { eventProblems } from "./event-problems.ts";
import { conditionProblems } from "./matcher.ts";
import { readMembers, within } from "./members.ts";
import { fieldFor, HOOK_FIELDS, type HookKind, type HookSpec, HookType, isFieldOf, KINDS, snake } from "./schema.ts";
import { choicesOf, gotInWords, stepInWords, wantedInWords } from "./schema-words.ts";

/** What a reader made of one entry: a hook that can be used, or the problems that forbid it. */
export interface ReadHook {
  readonly spec: HookSpec & { readonly type: HookKind };
  /** What makes the entry unusable. */
  readonly errors: readonly Problem[];
  /** What is most likely a mistake, and does no harm. */
  readonly warnings: readonly Problem[];
}

/** Reads one entry in either shape and either spelling, and collects everything that is wrong with it and its members; what costs nothing only where it is wanted. */
export function readHook(data: unknown, depth = 0, wantsWarnings = true): ReadHook {
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    return { spec: { type: "command" }, errors: [PROBLEMS.noObject({ is: typeInWords(data) })], warnings: [] };
  }
  const label = labelOf(data);
  const { fields, errors, warnings } = gather(data, label, wantsWarnings);
  const type = kindOf(fields);
  const wrong = checkFields(fields, label);
  errors.push(...wrong);
  const matchesNothing = fields.event === undefined && fields.matcher === undefined;
  const foreign = depth === 0 ? foreignHook(data) : undefined;
  if (foreign !== undefined) return { spec: { type }, errors: [foreign], warnings: [] };
  if (matchesNothing && depth === 0) errors.push(meantBy(PROBLEMS.noEvent({ label }), EVENT_FIELDS, data));
  errors.push(...withoutTask(fields, type, wrong, data), ...unknownConditions(fields, label));
  if (wantsWarnings) warnings.push(...strangers(fields, type, label));
  const spec: HookSpec = Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value]));
  errors.push(...eventProblems(data, spec).filter(({ path }) => !isAbout(wrong, path)));
  if (type === "combine") {
    const members = readMembers(spec, label, depth, (member) => readHook(member, depth + 1, wantsWarnings));
    errors.push(...members.errors);
    warnings.push(...members.warnings);
  }
  // What an error names is not told a second time.
  const told = new Set(errors.map(({ path }) => path?.join(".")));
  return { spec: { ...spec, type }, errors, warnings: warnings.filter(({ path }) => !told.has(path?.join("."))) };
}

interface Given {
  readonly key: string;
  readonly value: unknown;
}

function gather(data: object, label: string, wantsWarnings: boolean) {
  const fields: Record<string, Given> = {};
  const errors: Problem[] = [];
  const warnings: Problem[] = [];
  for (const [key, value] of Object.entries(data)) {
    const name = fieldFor(key, value);
    if (name === undefined) {
      if (wantsWarnings) warnings.push(PROBLEMS.unknownKey({ key, label }, { path: [key] }));
    } else if (fields[name] !== undefined)
      errors.push(PROBLEMS.saidTwice({ key, other: fields[name].key, label }, { path: [key] }));
    else if (value !== undefined && value !== null) fields[name] = { key, value };
  }
  return { fields, errors, warnings };
}

/** The stated kind, else the kind whose keys are there, else a command. */
function kindOf(fields: Readonly<Record<string, Given>>): HookKind {
  const stated = fields.type?.value;
  if (typeof stated === "string" && Object.hasOwn(KINDS, stated)) return stated as HookKind;
  const kinds = Object.entries(KINDS) as [HookKind, { needs: readonly string[] }][];
  return kinds.find(([, { needs }]) => needs.some((need) => fields[need] !== undefined))?.[0] ?? "command";
}

function checkFields(fields: Readonly<Record<string, Given>>, label: string): Problem[] {
  return Object.entries(fields).flatMap(([name, { key, value }]) => {
    const field = HOOK_FIELDS[name];
    if (field === undefined || isPlainly(field.schema, value)) return [];
    const result = v.safeParse(field.schema, value);
    return (result.issues ?? []).slice(0, 1).map((issue) => wrongValue(issue, { key, label, instead: field.instead }));
  });
}

/** Nothing says what the hook does, or what says it is empty. */
function withoutTask(
  fields: Readonly<Record<string, Given>>,
  type: HookKind,
  wrong: readonly Problem[],
  data: object,
): Problem[] {
  const { needs, missing }: { needs: readonly string[]; missing: string } = KINDS[type];
  if (needs.some((need) => isGiven(fields[need]?.value))) return [];
  const key = needs.map((need) => fields[need]?.key).find((written) => written !== undefined);
  // Which kind is meant is not known, so neither is what it needs.
  if (key === undefined && wrong.some(({ path }) => path?.[0] === "type")) return [];
  if (key === undefined) return [missingTask(fields, type, missing, data)];
  if (wrong.some(({ path }) => path?.[0] === key)) return [];
  return [PROBLEMS.empty({ key, text: missing }, { path: [key] })];
}

/** The stated kind is not that of the keys that are there, or a key is misspelt, or there is none. */
function missingTask(fields: Readonly<Record<string, Given>>, type: HookKind, text: string, data: object): Problem {
  const written = fields.type && kindOf({ ...fields, type: { key: "type", value: undefined } });
  const key = written && KINDS[written].needs.map((need: string) => fields[need]?.key).find(Boolean);
  if (key !== undefined)
    return PROBLEMS.missing(
      { text, fix: `Write \`type: ${written}\`, which has \`${key}\`, or leave \`type\` out.` },
      { path: [key] },
    );
  const kinds = fields.type === undefined ? Object.values(KINDS) : [KINDS[type]];
  const problem = PROBLEMS.missing({ text });
  return meantBy(
    problem,
    kinds.flatMap(({ needs }): readonly string[] => needs),
    data,
  );
}

/** The problem of a field that is missing, at the misspelt key that is there for it. */
function meantBy(problem: Problem, wanted: readonly string[], data: object): Problem {
  for (const [key, value] of Object.entries(data)) {
    const meant = fieldFor(key, value) === undefined ? nearest(key, wanted.map(snake)) : undefined;
    if (meant !== undefined)
      return new Problem(
        problem.code,
        { what: problem.message, fix: `Rename \`${key}\` to \`${meant}\`.` },
        { path: [key] },
      );
  }
  return problem;
}

const EVENT_FIELDS = ["event", "matcher"];

/** A hook in the words of other tools (`on:`, `when:` with a text, `if:`, `then:`), as the hook that was most likely meant. */
function foreignHook(data: object): Problem | undefined {
  const given = data as Readonly<Record<string, unknown>>;
  const text = (...keys: readonly string[]) => keys.map((key) => given[key]).find((value) => typeof value === "string");
  const key = ["on", "when", "if", "condition"].find((name) => typeof given[name] === "string");
  if (key === undefined || given.rules !== undefined || given.command !== undefined) return undefined;
  const [condition, event] = [text("when", "if", "condition"), text("event", "on")];
  const action = text("then", "do", "action") ?? "deny";
  const known = /^(?:deny|ask|warn|continue)\b/.test(action) ? action : "deny";
  const rule = `${OTHER_SIGNS.reduce((found, [sign, word]) => found.replaceAll(sign, word), condition ?? "tool exists")} -> ${known.includes("(") ? known : `${known}(${JSON.stringify(text("reason", "message") ?? "say why")})`}`;
  const name = text("name") ?? "my-rule";
  const lines = [
    "hooks:",
    `  - name: ${name}`,
    `    event: ${event ?? "tool:pre_execute"}`,
    "    rules: |",
    `      ${rule}`,
  ];
  return PROBLEMS.foreign({ key, meant: lines.join("\n") }, { path: [key] });
}

/** How other languages write what a rule writes in words. */
const OTHER_SIGNS = [
  [/\s*={2,3}\s*/g, " equals "],
  [/\s*!={1,2}\s*/g, " not_equals "],
  [/\s*&&\s*/g, " and "],
  [/\s*\|\|\s*/g, " or "],
] as const;

/** Most fields are a text or a switch; that is seen without a schema's help. */
function isPlainly(schema: v.GenericSchema, value: unknown): boolean {
  const isSimple = (schema.type === "string" || schema.type === "boolean") && !("pipe" in schema);
  return isSimple && typeof value === schema.type;
}

/** Whether one of these problems is about the same key, or a part of it. */
function isAbout(found: readonly Problem[], path: Problem["path"] = []): boolean {
  return found.some(({ path: other = [] }) => other.every((key, index) => path[index] === key));
}

/** Keys that belong to another kind. */
function strangers(fields: Readonly<Record<string, Given>>, type: HookKind, label: string): Problem[] {
  const foreign = Object.entries(fields).filter(([name]) => !isFieldOf(type, name));
  return foreign.map(([, { key }]) => PROBLEMS.otherKind({ key, type, label }, { path: [key] }));
}

/** Conditions that no matcher has: without them the hook would match more than was meant, or everything. */
function unknownConditions(fields: Readonly<Record<string, Given>>, label: string): Problem[] {
  const inWhen = (Object(fields.when?.value) as { readonly matcher?: unknown }).matcher;
  return [
    ...conditionProblems(fields.matcher?.value, label).map(([key, problem]) => within(["matcher", key], problem)),
    ...conditionProblems(inWhen, label).map(([key, problem]) => within(["when", "matcher", key], problem)),
  ];
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);
}

/** All fields in the spelling of a key: files write `on_error`, programs `onError`. */
function spelledLike(key: string): string[] {
  const names = Object.keys(HOOK_FIELDS);
  return /[A-Z]/.test(key) ? names : names.map(snake);
}

function labelOf(data: object): string {
  const { name, event, event_pattern: pattern } = data as Record<string, unknown>;
  const label = name ?? event ?? pattern;
  return typeof label === "string" ? `hook "${label}"` : "a hook";
}

/** The kind of a value that is not an object. It is not quoted: it may be a line of any file. */
function typeInWords(data: unknown): string {
  if (data === null || data === undefined) return "empty";
  return Array.isArray(data) ? "a list" : `a ${typeof data}`;
}

const PROBLEMS = problems("hook", {
  noObject: ({ is }: { is: string }) => ({
    what: `A hook is ${is}; it has to be an object.`,
    fix: "Give it `event` and `command`, for example.",
  }),
  noEvent: ({ label }: { label: string }) => ({
    what: `Hook requires 'event' or 'matcher': ${label} matches nothing.`,
    fix: 'Add `event: "tool:pre_execute"`, for example; `sluice events` lists them all.',
  }),
  foreign: ({ key, meant }: { key: string; meant: string }) => ({
    what: `Hook requires 'event' or 'matcher', and rules; \`${key}\` is a key of another tool.`,
    fix: `Write:\n${meant}`,
  }),
  missing: ({ text, fix = "Add it, or change the hook's `type`." }: { text: string; fix?: string }) => ({
    what: text,
    fix,
  }),
  /** The same words; they name the key that was written. */
  empty: ({ key, text }: { key: string; text: string }) => ({
    what: text.includes(`'${snake(key)}'`) ? text : `${text} or '${key}'`,
    fix: `\`${key}\` is empty: write what the hook does, or change its \`type\`.`,
  }),
  saidTwice: ({ key, other, label }: { key: string; other: string; label: string }) => ({
    what: `${label} says the same thing twice: \`${other}\` and \`${key}\`.`,
    fix: "Keep one of them.",
  }),
  unknownKey: ({ key, label }: { key: string; label: string }) => ({
    what: `${label} has a key \`${key}\`, which no hook has. It is kept and does nothing.`,
    fix: didYouMean(key, spelledLike(key)) || "Remove it.",
  }),
  otherKind: ({ key, type, label }: { key: string; type: string; label: string }) => ({
    what: `${label} has a key \`${key}\`, which a hook of type ${type} does not use.`,
    fix: "Remove it, or change the hook's `type`.",
  }),
});

/** The field that a value was written for. */
interface Field {
  readonly key: string;
  /** What a message calls its hook. */
  readonly label: string;
  /** What to write in place of a value of the wrong kind. */
  readonly instead?: string | undefined;
}

/** A value that does not fit its field, or a part of it, and what to write. */
function wrongValue(issue: v.BaseIssue<unknown>, { key, label, instead }: Field): Problem {
  const path = [key, ...(issue.path ?? []).map((item) => item.key as string | number)];
  const last = issue.path?.at(-1);
  if (last?.origin === "key") {
    const [holder, missing] = [path.slice(0, -1).join("."), String(last.key)];
    const meant = nearest(missing, Object.keys(Object(last.input)));
    const fix = meant === undefined ? "Add it." : `Rename \`${meant}\` to \`${missing}\`.`;
    return VALUE_PROBLEMS.wrongValue({ label, fact: `\`${holder}\` has no \`${missing}\``, fix }, { path });
  }
  const fact = `\`${path.join(".")}\` is ${gotInWords(issue)}; it has to be ${wantedInWords(issue)}`;
  const fix = stepFor(issue) || (path.length === 1 && instead) || stepInWords(issue, String(path.at(-1)));
  return VALUE_PROBLEMS.wrongValue({ label, fact, fix }, { path });
}

/** What to write, if what was written shows it. */
function stepFor(issue: v.BaseIssue<unknown>): string {
  const { input, expected } = issue;
  if (typeof input !== "string") return expected === "string" && isPlain(input) ? "Put it in quotes." : "";
  if (input === HookType.INTERNAL && choicesOf(issue).includes("plugin")) return NOT_INTERNAL;
  if (expected !== "boolean") return didYouMean(input, choicesOf(issue));
  const word = input.trim().toLowerCase();
  return `Write ${SWITCHES[word] ?? "`true` or `false`"}, without quotes.`;
}

const NOT_INTERNAL =
  "An internal hook is a function of the host program, which passes it as `run`: registry.register({ event, run }). In a file, put it into a module and write `module: ./plugins/name.ts` instead of `type`; `runPlugins` calls plugins that a program has in hand.";

function isPlain(input: unknown): boolean {
  return typeof input === "number" || typeof input === "boolean";
}

/** Words for a switch that other notations know; here they are texts. */
const SWITCHES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(["on", "yes", "y", "true", "1"].map((word) => [word, "`true`"])),
  ...Object.fromEntries(["off", "no", "n", "false", "0"].map((word) => [word, "`false`"])),
};

const VALUE_PROBLEMS = problems("hook", {
  wrongValue: ({ label, fact, fix }: Record<"label" | "fact" | "fix", string>) => ({ what: `${label}: ${fact}.`, fix }),
});
