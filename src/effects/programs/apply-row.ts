import type { CodeReading, Role } from "../effect.ts";
import type { SimpleCommand, Word } from "../parse/command.ts";
import { addRoles, hasVerb, type RunReport } from "./call.ts";
import { useInOneShape } from "./index.ts";
import { loadedBy } from "./loaded-code.ts";
import { type Options, readOptions } from "./options.ts";
import type { Inner, Invocation, Language, Program, Use } from "./program.ts";
import { interpreted } from "./runs.ts";

/** Lets a program's row tell what this run of it does. */
export function applyRow(row: Program, command: SimpleCommand, report: RunReport): void {
  const own = ownOptions(row, command.args);
  report.code = row.code ?? (row.interpreter && CODE[row.interpreter.language]);
  if (isAboutItself(row, own, command.args)) return;
  const chosen = row.verbs && choose(layoutOf(row.verbs), own.operands);
  const options = chosen && optionsFor(chosen);
  // `docker push --help`: only a manual is shown.
  if (options?.given.has("help")) {
    report.verb = chosen?.verb;
    return;
  }
  tellUse(row, own, command, report);
  if (row.verbs === undefined) return;
  report.verb = chosen?.verb ?? own.operands[0]?.text;
  if (chosen !== undefined && options !== undefined) tellUse(chosen.use, options, command, report);
}

/** The options that a run may be given: those of its program, and those of the verb that is asked for. */
export function optionSpecs(row: Program, args: readonly Word[]): readonly string[] {
  const { options = "" } = row;
  const chosen = row.verbs && choose(layoutOf(row.verbs), ownOptions(row, args).operands);
  return chosen?.use.options === undefined ? [options] : [options, chosen.use.options];
}

/** The arguments that are for a program itself, and not for the program that it runs: `sudo -u me`, of `sudo -u me cat x`. */
export function ownArguments(row: Program, args: readonly Word[]): readonly Word[] {
  if (row.runs === undefined || row.verbs !== undefined || !row.style?.endsWith("first")) return args;
  return args.slice(0, args.length - ownOptions(row, args).operands.length);
}

/** The verb and the operands of a run, read with the options of its row; without a row, what is not an option. */
export function operandsOf(row: Program | undefined, args: readonly Word[]): Options & { readonly verb?: string } {
  if (row === undefined) return readOptions(args);
  const own = ownOptions(row, args);
  if (row.verbs === undefined) return own;
  const chosen = choose(layoutOf(row.verbs), own.operands);
  if (chosen !== undefined) return { ...optionsFor(chosen), verb: chosen.verb };
  return { ...readOptions(own.operands.slice(1)), verb: own.operands[0]?.text ?? "" };
}

/** Whether a program runs or loads as code what it is given; an editor or a database only has a small language. */
export function takesCode({ is, interpreter, code }: Program): boolean {
  if (is?.["takes-code"] !== undefined) return true;
  return interpreter === undefined ? code === "read" || code === "unread" : CODE[interpreter.language] !== undefined;
}

/**
 * `rm --help -rf x`: a program of one use only shows words. Behind an operand that holds for some systems; on others the
 * option is one more file. A program that runs code may run it all the same.
 */
function isAboutItself({ verbs, runs, interpreter }: Program, { given }: Options, args: readonly Word[]): boolean {
  if (!given.has("help") && !given.has("version")) return false;
  if (verbs !== undefined || runs !== undefined || interpreter !== undefined) return false;
  const asked = args.find(({ text }) => text === "--help" || text === "--version" || text === "--" || text[0] !== "-");
  return asked !== undefined && asked.text.length > 2 && asked.text[0] === "-";
}

/** Whether a run changes nothing beyond its effects, by the program's row; `undefined` where the row does not say. */
export function isReadOnlyRun(row: Program | undefined, args: readonly Word[]): boolean | undefined {
  if (row === undefined) return asksByUsualVerbs(args) || undefined;
  if (row.verbs === undefined && row.dry === undefined && (row.readOnly === undefined || row.readOnly === true))
    return row.readOnly;
  const own = ownOptions(row, args);
  const chosen = row.verbs && choose(layoutOf(row.verbs), own.operands);
  const ofVerb = chosen && readOnlyBy(chosen.use, optionsFor(chosen));
  return ofVerb ?? readOnlyBy(row, own);
}

/** `tool ls`, `tool image ls`: verbs that look something up in most programs, for one without a row. */
function asksByUsualVerbs(args: readonly Word[]): boolean {
  const [first = "", second = ""] = args.flatMap(({ text }) => (text.startsWith("-") ? [] : text));
  return USUAL_VERBS().test(first) || (USUAL_VERBS().test(second) && USUAL_NOUNS().test(first));
}

const USUAL_VERBS = () =>
  /^(?:audit|cat|check-ignore|describe|diff|doc|env|events|freeze|get|help|history|images|info|inspect|list|logs|ls|metadata|outdated|ping|ps|query|search|show|status|top|tree|version|view|whoami|why)$/;
const USUAL_NOUNS = () =>
  /^(?:api|cluster|compose|config|container|context|image|issue|network|pod|pods|pr|release|repo|service|stack|volume|workflow)$/;

function readOnlyBy({ dry, readOnly }: Use, options: Options): boolean | undefined {
  if (isDry(dry, options)) return true;
  if (typeof readOnly !== "string") return typeof readOnly === "function" ? readOnly(options) : readOnly;
  return hasVerb(options, readOnly) || undefined;
}

/** Whether a run changes what its program keeps beside the files. */
export function recordsRun(row: Program, args: readonly Word[]): boolean {
  const layout = row.verbs && layoutOf(row.verbs);
  const chosen = layout?.hasRecords ? choose(layout, ownOptions(row, args).operands) : undefined;
  return chosen?.use.records?.(optionsFor(chosen)) ?? false;
}

function isDry(dry: string | undefined, { given }: Options): boolean {
  if (dry === undefined || given.size === 0) return false;
  return dry.split(" ").some((name) => given.has(name) && !given.has(`no-${name}`));
}

/** What a program runs because of how it is called. */
export function runsOf(row: Program, run: Omit<Invocation, keyof Options>): readonly Inner[] {
  const runs = row.runs ?? (row.interpreter && interpreted(row.interpreter));
  const layout = row.verbs && layoutOf(row.verbs);
  if (runs === undefined && row.loads === undefined && !layout?.hasRuns) return NOTHING;
  const own = ownOptions(row, run.args);
  const inners = withLoaded(row.loads, invoked(run, own), runs);
  const chosen = layout?.hasRuns ? choose(layout, own.operands) : undefined;
  if (chosen?.use.runs === undefined && chosen?.use.loads === undefined) return inners;
  const more = withLoaded(chosen.use.loads, invoked(run, optionsFor(chosen)), chosen.use.runs);
  return inners.length === 0 ? more : [...inners, ...more];
}

/** What is loaded comes before the rest. */
function withLoaded(loads: Use["loads"], run: Invocation, runs: Use["runs"]): readonly Inner[] {
  const first = loads === undefined ? NOTHING : loadedBy(loads, run, run);
  const inners = runs?.(run) ?? NOTHING;
  return first.length === 0 ? inners : [...first, ...inners];
}

/** Written out, which is much faster than spreading one object after the other. */
function invoked(run: Omit<Invocation, keyof Options>, { given, operands }: Options): Invocation {
  const { name, args, stdin, shell, assignments, task, file } = run;
  return { given, operands, name, args, stdin, shell, assignments, task, file };
}

const NOTHING: readonly Inner[] = [];

/** The options of the program itself; those of a verb stand behind it. */
function ownOptions({ options = "", style, verbs }: Program, args: readonly Word[]): Options {
  return readOptions(args, options, verbs === undefined ? style : style === "whole" ? "whole first" : "first");
}

function optionsFor({ use: { options = "", style }, args }: Chosen): Options {
  return readOptions(args, options, style);
}

function tellUse({ roles, by, does, dry }: Use, options: Options, command: SimpleCommand, report: RunReport): void {
  if (dry !== undefined && isDry(dry, options)) return;
  const { given, operands } = options;
  if (by !== undefined) report.by = by;
  if (roles !== undefined) addRoles(report, roles);
  if (typeof does === "function") does({ given, operands, command, report });
}

/** How far code of a language is read; a filter or a build file is no program of its own. */
const CODE: Readonly<Record<Language, CodeReading | undefined>> = {
  python: "read",
  javascript: "read",
  perl: "read",
  ruby: "read",
  php: "read",
  lua: "read",
  r: "read",
  julia: "read",
  groovy: "read",
  tcl: "read",
  compiled: "unread",
  awk: "small",
  sed: undefined,
  make: undefined,
  other: "unread",
};

interface Chosen {
  readonly verb: string;
  readonly use: Use;
  readonly args: readonly Word[];
}

/** Two words choose before one: `stash drop` before `stash`. */
function choose(layout: Layout, operands: readonly Word[]): Chosen | undefined {
  const { uses } = layout;
  const first = operands[0]?.text;
  if (first === undefined) return undefined;
  const second = secondAt(first, operands, layout);
  if (second > 0) {
    const both = `${first} ${operands[second]?.text}`;
    const pair = uses.get(both);
    if (pair !== undefined) return { verb: both, use: pair, args: operands.filter((_, at) => at > 0 && at !== second) };
  }
  const use = uses.get(first);
  return use && { verb: first, use, args: operands.slice(1) };
}

/** Options of the first word may stand between, with values: `compose -f a.yml down`. */
function secondAt(first: string, operands: readonly Word[], { uses, pairs }: Layout): number {
  if (!pairs.has(first)) return -1;
  for (let at = 1; at < operands.length; at++) {
    const { text } = operands[at] as Word;
    if (text.startsWith("-")) continue;
    if (uses.has(`${first} ${text}`)) return at;
    if (!operands[at - 1]?.text.startsWith("-")) return -1;
  }
  return -1;
}

/** The verbs of a program, each by its own name. */
interface Layout {
  readonly uses: ReadonlyMap<string, Use>;
  /** The first words of those that are two words. */
  readonly pairs: ReadonlySet<string>;
  readonly hasRuns: boolean;
  readonly hasRecords: boolean;
}

function layoutOf(verbs: NonNullable<Program["verbs"]>): Layout {
  const known = LAYOUTS.get(verbs);
  if (known !== undefined) return known;
  const uses = new Map<string, Use>();
  for (const [names, use] of Object.entries(verbs))
    for (const name of names.split("|")) uses.set(name, useInOneShape(isRoles(use) ? { roles: use } : use));
  const all = [...uses.values()];
  const layout = {
    uses,
    pairs: new Set([...uses.keys()].flatMap((name) => (name.includes(" ") ? [name.split(" ", 1)[0] ?? ""] : []))),
    hasRuns: all.some(({ runs, loads }) => runs !== undefined || loads !== undefined),
    hasRecords: all.some(({ records }) => records !== undefined),
  };
  LAYOUTS.set(verbs, layout);
  return layout;
}

function isRoles(use: Use | readonly Role[]): use is readonly Role[] {
  return Array.isArray(use);
}

/** Verbs are laid out when their program first runs. */
const LAYOUTS = new WeakMap<NonNullable<Program["verbs"]>, Layout>();
