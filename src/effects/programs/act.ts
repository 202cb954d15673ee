import type { PathChange, Role } from "../effect.ts";
import type { Word } from "../parse/command.ts";
import * as run from "./call.ts";
import { type Call, has, type InputUse, known, pieceOf, type RunReport, value, values } from "./call.ts";

/** The paths or addresses of a field: `operands`, `operand(0)`, `option("output")`, or a function. */
export type Select = (call: Call) => readonly (Word | undefined)[];

/** One of these options is given (main names, separated by spaces), or the function returns true. */
export type RunCondition = string | RunTest;
type RunTest = (call: Call) => boolean;

/** What a run does, for what the fields of an act cannot state. */
type Step = (call: Call) => void;

/**
 * What a run does, and under which condition. A row or a verb contains these fields directly. They take effect in the
 * order in which they are written; roles of the row or verb itself come first.
 */
export interface Act {
  /** Only for these names of the row: `names: "vercel now"`. */
  readonly names?: string;
  /** Only if all of these hold: `when: "push tags"` (`--push` or `--tags` is given), `when: operandIs(0, /^rm$/)`. */
  readonly when?: RunCondition | readonly RunCondition[];
  /** Not if one of these holds: `unless: "list help"`. */
  readonly unless?: RunCondition | readonly RunCondition[];
  /** What the run does if the condition does not hold: `otherwise: { roles: ["cloud"] }`. */
  readonly otherwise?: Act;
  /** `roles: ["cloud", "work-loss"]`. */
  readonly roles?: readonly Role[];
  /** The paths that it reads: `reads: operands`. */
  readonly reads?: Select;
  /** The paths that it creates or changes: `writes: option("output", "a.out")`. */
  readonly writes?: Select;
  /** The paths that it removes: `deletes: operands`, with `roles: ["delete"]`. */
  readonly deletes?: Select;
  /** The files that it runs as code: `scripts: operand(0)`. */
  readonly scripts?: Select;
  /** These paths are folders with everything in them: `tree: true`, `tree: "recursive"`. */
  readonly tree?: true | RunCondition;
  /** These paths are overwritten without a question: `forced: "force"`. */
  readonly forced?: true | RunCondition;
  /** How these paths change: `by: "unpack"`. */
  readonly by?: PathChange;
  /** What is put at the paths that it writes: `source: operand(0)`. */
  readonly source?: Select;
  /** If a path that it writes is a folder, the source is put into it. */
  readonly landsIn?: true;
  /** It talks to another machine: `talks: "out", to: operand(0)`; without an address, to an unknown one. */
  readonly talks?: "in" | "out" | "both";
  readonly to?: Select;
  /** What it sends to that machine, its standard input or the files that it reads: `sends: "reads"`. */
  readonly sends?: "input" | "reads" | "both";
  /** It prints keys, tokens or passwords: `keys: true`. */
  readonly keys?: true;
  /** What its output contains: `gives: "text"` for decoded text. */
  readonly gives?: RunReport["gives"];
  /** What it does with its standard input: `input: "run"`. */
  readonly input?: InputUse;
  /** Its output contains nothing of what it read. */
  readonly silent?: true | RunCondition;
  /** The first of these acts whose condition holds, and no other. */
  readonly first?: readonly Act[];
  /** More acts, each with its own condition, or functions. */
  readonly does?: Step | readonly (Step | Act)[];
}

/** Reports everything that an act of a row does in this run; returns false if its condition does not hold. */
export function perform(act: Act, call: Call): boolean {
  if (!applies(act, call)) return act.otherwise !== undefined && perform(act.otherwise, call);
  for (const field in act) STEPS[field as keyof Act]?.(call, act);
  return true;
}

function applies({ names, when, unless }: Act, call: Call): boolean {
  if (names !== undefined && !` ${names} `.includes(` ${call.report.program} `)) return false;
  if (when !== undefined && !(Array.isArray(when) ? when : [when]).every((one) => holds(one, call))) return false;
  return unless === undefined || !(Array.isArray(unless) ? unless : [unless]).some((one) => holds(one, call));
}

function holds(condition: true | RunCondition | undefined, call: Call): boolean {
  if (typeof condition === "function") return condition(call);
  return typeof condition === "string" ? has(call, ...condition.split(" ")) : condition === true;
}

const STEPS: Readonly<Partial<Record<keyof Act, (call: Call, act: Act) => void>>> = {
  roles: (call, { roles = [] }) => run.addRoles(call.report, roles),
  reads: (call, act) => touch(call, "read", act.reads, act),
  writes: (call, act) => touch(call, "write", act.writes, act),
  deletes: (call, act) => touch(call, "delete", act.deletes, act),
  scripts: (call, { scripts }) => {
    for (const path of scripts?.(call) ?? []) if (path !== undefined) call.report.scripts.push(path);
  },
  talks: (call, { talks = "both", to }) => {
    const addresses = to?.(call) ?? [];
    for (const address of addresses.length === 0 ? [undefined] : addresses) run.talks(call, talks, address);
  },
  sends: (call, { sends }) => {
    if (sends !== "reads") run.sends(call, "input");
    if (sends !== "input") run.sends(call, "reads");
  },
  keys: run.reveals,
  gives: ({ report }, { gives }) => {
    report.gives = gives;
  },
  input: ({ report }, { input = "ignored" }) => {
    report.input = input;
  },
  silent: (call, { silent }) => {
    call.report.isSilent = holds(silent, call);
  },
  first: (call, { first }) => void first?.some((act) => perform(act, call)),
  does: (call, { does = [] }) => {
    for (const step of typeof does === "function" ? [does] : does)
      if (typeof step === "function") step(call);
      else perform(step, call);
  },
};

/** Whether an act has no other fields than roles and a function, which need no interpretation. */
export function isPlain(act: Act): boolean {
  if (typeof act.does === "object") return false;
  return !Object.keys(act).some(
    (field) => CONDITIONS.has(field) || (field in STEPS && !/^(?:roles|does)$/.test(field)),
  );
}

const CONDITIONS: ReadonlySet<string> = new Set(["names", "when", "unless"]);

function touch(call: Call, does: "read" | "write" | "delete", select: Select | undefined, act: Act): void {
  const [isTree, isForced] = [holds(act.tree, call), holds(act.forced, call)];
  const source = act.source?.(call)[0];
  const { by = call.report.by, landsIn = false } = act;
  const touch = { isTree, isForced, by, source, ...(landsIn && { landsIn }) };
  for (const path of select?.(call) ?? []) run.addPath(call.report, does, path, touch);
}

/** Selects every operand. */
export const operands: Select = ({ operands }) => operands;

/** Selects the operands from a position on; all of them if one of the options is given that takes the place of those before. */
export function operandsFrom(at: number, unless = ""): Select {
  return (call) => (holds(unless, call) ? call.operands : call.operands.slice(at));
}

/** Selects one operand, or something else if there is none; -1 is the last one. */
export function operand(at: number, other?: string | Select): Select {
  return (call) => orOther(call.operands.at(at), other, call);
}

/** Selects the last value of an option, or something else if it is not given. */
export function option(name: string, other?: string | Select): Select {
  return (call) => orOther(value(call, name), other, call);
}

function orOther(word: Word | undefined, other: string | Select | undefined, call: Call): ReturnType<Select> {
  if (word !== undefined || other === undefined) return [word];
  return typeof other === "string" ? [known(other)] : other(call);
}

/** Selects words that are all known to be there. */
type SelectWords = (call: Call) => readonly Word[];

/** Selects all values of these options; the names are separated by spaces. */
export function allValues(names: string): SelectWords {
  return (call) => values(call, ...names.split(" "));
}

/** Selects fixed paths. */
export function paths(...texts: readonly string[]): SelectWords {
  return () => texts.map(known);
}

/** Selects the operands that match. */
export function operandsLike(pattern: RegExp): SelectWords {
  return ({ operands }) => operands.filter(({ text }) => pattern.test(text));
}

/** Selects the operands that do not match. */
export function operandsUnlike(pattern: RegExp): SelectWords {
  return ({ operands }) => operands.filter(({ text }) => !pattern.test(text));
}

/** Selects the arguments that do not match. */
export function argumentsUnlike(pattern: RegExp): SelectWords {
  return ({ command }) => command.args.filter(({ text }) => !pattern.test(text));
}

/** Selects the arguments that follow one that matches. */
export function argumentsAfter(pattern: RegExp): SelectWords {
  return ({ command }) => command.args.filter((_, at, all) => pattern.test(all[at - 1]?.text ?? ""));
}

/** Selects one of the words that are selected; -1 is the last one. */
export function nth(at: number, select: Select): Select {
  return (call) => [select(call).at(at)];
}

/** Selects the words without the part of each that matches. */
export function without(pattern: RegExp, select: Select): Select {
  return (call) => select(call).map((word) => word && pieceOf(word, word.text.replace(pattern, "")));
}

/** Selects what several select, one after the other. */
export function each(...selects: readonly Select[]): Select {
  return (call) => selects.flatMap((select) => select(call));
}

/** Holds if one of these conditions holds. */
export function either(...conditions: readonly RunCondition[]): RunTest {
  return (call) => conditions.some((condition) => holds(condition, call));
}

/** Holds if there are operands. */
export function hasOperands({ operands }: Call): boolean {
  return operands.length > 0;
}

/** Holds if there are arguments. */
export function hasArguments({ command }: Call): boolean {
  return command.args.length > 0;
}

/** Holds if the operand at a position matches; a missing operand is an empty text. */
export function operandIs(at: number, pattern: RegExp): RunTest {
  return ({ operands }) => pattern.test(operands.at(at)?.text ?? "");
}

/** Holds if one of the operands matches. */
export function anyOperand(pattern: RegExp): RunTest {
  return (call) => run.someOperand(call, pattern);
}

/** Holds if one of the arguments matches, as it is written: options, their values and operands. */
export function anyArgument(pattern: RegExp): RunTest {
  return (call) => run.someArgument(call, pattern);
}

/** Holds if the argument at a position matches; a missing argument is an empty text. */
export function argumentIs(at: number, pattern: RegExp): RunTest {
  return ({ command }) => pattern.test(command.args.at(at)?.text ?? "");
}

/** Holds if the arguments match, joined by blanks. */
export function argumentsAre(pattern: RegExp): RunTest {
  return (call) => pattern.test(run.argumentText(call));
}

/** Holds if the operands match, joined by blanks. */
export function operandsAre(pattern: RegExp): RunTest {
  return ({ operands }) => pattern.test(operands.map(({ text }) => text).join(" "));
}

/** Holds if a value of one of these options matches; the names are separated by spaces. */
export function valueIs(names: string, pattern: RegExp): RunTest {
  return (call) => values(call, ...names.split(" ")).some(({ text }) => pattern.test(text));
}

/** Holds if the last value of an option matches; a missing value is an empty text. */
export function lastValueIs(name: string, pattern: RegExp): RunTest {
  return (call) => pattern.test(run.valueText(call, name));
}

/** Holds if the verb that was chosen matches. */
export function verbIs(pattern: RegExp): RunTest {
  return ({ report }) => pattern.test(report.verb ?? "");
}

/** Holds if the name of the program matches. */
export function programIs(pattern: RegExp): RunTest {
  return ({ report }) => pattern.test(report.program);
}
