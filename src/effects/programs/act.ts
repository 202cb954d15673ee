import type { PathChange, Role } from "../effect.ts";
import type { Word } from "../parse/command.ts";
import {
  addPath,
  addRoles,
  type Call,
  has,
  type InputUse,
  known,
  type RunReport,
  reveals,
  sends,
  talks,
  value,
  values,
} from "./call.ts";

/** The paths or addresses of a field: `operands`, `operand(0)`, `option("output")`, or a function. */
export type Select = (call: Call) => readonly (Word | undefined)[];

/** One of these options is given (main names, separated by spaces), or the function returns true. */
export type RunCondition = string | ((call: Call) => boolean);

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
  /** It talks to another machine: `talks: "out", to: operand(0)`; without an address, to an unknown one. */
  readonly talks?: "in" | "out" | "both";
  readonly to?: Select;
  /** What it sends to that machine, its standard input or the files that it reads: `sends: "reads"`. */
  readonly sends?: "input" | "reads";
  /** It prints keys, tokens or passwords: `keys: true`. */
  readonly keys?: true;
  /** What its output contains: `gives: "text"` for decoded text. */
  readonly gives?: RunReport["gives"];
  /** What it does with its standard input: `input: "run"`. */
  readonly input?: InputUse;
  /** Its output contains nothing of what it read: `silent: true`. */
  readonly silent?: true;
  /** More acts, each with its own condition, or a function for what the fields cannot state. */
  readonly does?: readonly Act[] | ((call: Call) => void);
}

/** Reports everything that an act of a row does in this run. */
export function perform(act: Act, call: Call): void {
  if (applies(act, call)) for (const field in act) STEPS[field as keyof Act]?.(call, act);
  else if (act.otherwise !== undefined) perform(act.otherwise, call);
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
  roles: (call, { roles = [] }) => addRoles(call.report, roles),
  reads: (call, act) => touch(call, "read", act.reads, act),
  writes: (call, act) => touch(call, "write", act.writes, act),
  deletes: (call, act) => touch(call, "delete", act.deletes, act),
  scripts: (call, { scripts }) => {
    for (const path of scripts?.(call) ?? []) if (path !== undefined) call.report.scripts.push(path);
  },
  talks: (call, { talks: way = "both", to }) => {
    const addresses = to?.(call) ?? [];
    for (const address of addresses.length === 0 ? [undefined] : addresses) talks(call, way, address);
  },
  sends: (call, act) => sends(call, act.sends ?? "reads"),
  keys: reveals,
  gives: ({ report }, { gives }) => {
    report.gives = gives;
  },
  input: ({ report }, { input = "ignored" }) => {
    report.input = input;
  },
  silent: ({ report }) => {
    report.isSilent = true;
  },
  does: (call, { does }) => {
    if (typeof does === "function") does(call);
    else for (const act of does ?? []) perform(act, call);
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
  const { by = call.report.by } = act;
  for (const path of select?.(call) ?? []) addPath(call.report, does, path, { isTree, isForced, by, source });
}

/** Selects every operand. */
export const operands: Select = ({ operands }) => operands;

/** Selects the operands from a position on. */
export function operandsFrom(at: number): Select {
  return ({ operands }) => operands.slice(at);
}

/** Selects one operand, or a path if there is none; -1 is the last one. */
export function operand(at: number, path?: string): Select {
  return ({ operands }) => [operands.at(at) ?? (path === undefined ? undefined : known(path))];
}

/** Selects the last value of an option, or a path if it is not given. */
export function option(name: string, path?: string): Select {
  return (call) => [value(call, name) ?? (path === undefined ? undefined : known(path))];
}

/** Selects all values of these options; the names are separated by spaces. */
export function allValues(names: string): Select {
  return (call) => values(call, ...names.split(" "));
}

/** Selects fixed paths. */
export function paths(...texts: readonly string[]): Select {
  return () => texts.map(known);
}

/** Holds if there are operands. */
export function hasOperands({ operands }: Call): boolean {
  return operands.length > 0;
}

/** Holds if the operand at a position matches; a missing operand is an empty text. */
export function operandIs(at: number, pattern: RegExp): RunCondition {
  return ({ operands }) => pattern.test(operands.at(at)?.text ?? "");
}

/** Holds if one of the operands matches. */
export function anyOperand(pattern: RegExp): RunCondition {
  return ({ operands }) => operands.some(({ text }) => pattern.test(text));
}

/** Holds if one of the arguments matches, as it is written: options, their values and operands. */
export function anyArgument(pattern: RegExp): RunCondition {
  return ({ command }) => command.args.some(({ text }) => pattern.test(text));
}

/** Holds if a value of one of these options matches; the names are separated by spaces. */
export function valueIs(names: string, pattern: RegExp): RunCondition {
  return (call) => values(call, ...names.split(" ")).some(({ text }) => pattern.test(text));
}
