import { oncePerObject } from "../../event/once.ts";
import type { CodeReading, Role } from "../effect.ts";
import type { SimpleCommand, Word } from "../parse/command.ts";
import { addRoles, hasVerb, type RunReport } from "./call.ts";
import { useInOneShape } from "./index.ts";
import { loadedBy } from "./loaded-code.ts";
import { type Options, readOptions } from "./options.ts";
import type { Inner, Invocation, Language, Program, Use } from "./program.ts";
import { interpreted } from "./runs.ts";

/** Reports what a run of a program does, by the program's row. */
export function applyRow(row: Program, command: SimpleCommand, report: RunReport): void {
  const own = ownOptions(row, command.args);
  report.code = row.code ?? (row.interpreter && CODE[row.interpreter.language]);
  if (isAboutItself(row, own, command.args) || asksForManual(row, command.args)) return;
  const chosen = row.verbs && choose(layoutOf(row.verbs), own.operands);
  const options = chosen && optionsFor(chosen);
  // `docker push --help` only prints a manual.
  if (options?.given.has("help")) {
    report.verb = chosen?.verb;
    return;
  }
  tellUse(row, own, command, report);
  if (row.verbs === undefined) return;
  report.verb = chosen?.verb ?? own.operands[0]?.text;
  if (chosen !== undefined && options !== undefined) tellUse(chosen.use, options, command, report);
}

/** The options of a run: those of its program, and those of its verb. */
export function optionSpecs(row: Program, args: readonly Word[]): readonly string[] {
  const { options = "" } = row;
  const chosen = row.verbs && choose(layoutOf(row.verbs), ownOptions(row, args).operands);
  return chosen?.use.options === undefined ? [options] : [options, chosen.use.options];
}

/** The arguments of a wrapper itself, without the program that it runs: `-u me` of `sudo -u me cat x`. */
export function ownArguments(row: Program, args: readonly Word[]): readonly Word[] {
  if (row.runs === undefined || row.verbs !== undefined || !row.style?.endsWith("first")) return args;
  return args.slice(0, args.length - ownOptions(row, args).operands.length);
}

/** The verb and the operands of a run, by the options of its row; without a row, all arguments that are not options. */
export function operandsOf(row: Program | undefined, args: readonly Word[]): Options & { readonly verb?: string } {
  if (row === undefined) return readOptions(args);
  const own = ownOptions(row, args);
  if (row.verbs === undefined) return own;
  const chosen = choose(layoutOf(row.verbs), own.operands);
  if (chosen !== undefined) return { ...optionsFor(chosen), verb: chosen.verb };
  return { ...readOptions(own.operands.slice(1)), verb: own.operands[0]?.text ?? "" };
}

/** Whether a program runs or loads its files or arguments as code; an editor or a database only has a small language. */
export function takesCode({ is, interpreter, code }: Program): boolean {
  if (is?.["takes-code"] !== undefined) return true;
  return interpreter === undefined ? code === "read" || code === "unread" : CODE[interpreter.language] !== undefined;
}

/**
 * `rm --help -rf x`: a program without verbs only prints its manual. After an operand, the option is a file on some
 * systems. A program that runs code may run it in spite of the option.
 */
function isAboutItself({ verbs, runs, interpreter }: Program, { given }: Options, args: readonly Word[]): boolean {
  if (!given.has("help") && !given.has("version")) return false;
  if (verbs !== undefined || runs !== undefined || interpreter !== undefined) return false;
  const asked = args.find(({ text }) => text === "--help" || text === "--version" || text === "--" || text[0] !== "-");
  return asked !== undefined && asked.text.length > 2 && asked.text[0] === "-";
}

/** `fly apps destroy --help`, `artisan help migrate`: a verb of a program is explained. Where the first argument is a file, the last may be one as well. */
function asksForManual({ interpreter, is, runs, verbs }: Program, args: readonly Word[]): boolean {
  const [first = "", last = ""] = [args[0]?.text, args.at(-1)?.text];
  if (interpreter !== undefined || is?.["takes-code"] !== undefined || is?.shell !== undefined) return false;
  if (args.length === 1 && /^(?:-V|--?version|--?help)$/.test(last)) return true;
  if (
    (runs !== undefined && verbs === undefined && is?.["holds-services"] === undefined) ||
    args.some(({ text }) => text === "--")
  )
    return false;
  return (
    (MANUAL.test(last) && /^[a-z][a-z0-9:_-]*$/.test(first) && args.every(({ text }) => !/[\s./]/.test(text))) ||
    first === "help"
  );
}

const MANUAL = /^(?:--?help|-h)$/;

/** Whether a run changes nothing beyond its effects, by the program's row; undefined if the row does not state it. */
export function isReadOnlyRun(row: Program | undefined, args: readonly Word[]): boolean | undefined {
  if (row === undefined) return asksByUsualVerbs(args) || undefined;
  if (row.verbs === undefined && row.dry === undefined && (row.readOnly === undefined || row.readOnly === true))
    return row.readOnly;
  const own = ownOptions(row, args);
  const chosen = row.verbs && choose(layoutOf(row.verbs), own.operands);
  const ofVerb = chosen && readOnlyBy(chosen.use, optionsFor(chosen));
  return ofVerb ?? readOnlyBy(row, own);
}

/** `tool ls`, `tool image ls`: verbs that only look something up in most programs, for a program without a row. */
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

/** Whether a run changes the records of its program: the index, commits, branches, tags. */
export function recordsRun(row: Program, args: readonly Word[]): boolean {
  const layout = row.verbs && layoutOf(row.verbs);
  const chosen = layout?.hasRecords ? choose(layout, ownOptions(row, args).operands) : undefined;
  return chosen?.use.records?.(optionsFor(chosen)) ?? false;
}

function isDry(dry: string | undefined, { given }: Options): boolean {
  if (dry === undefined || given.size === 0) return false;
  return dry.split(" ").some((name) => given.has(name) && !given.has(`no-${name}`));
}

/** What a program runs because of its arguments and its input. */
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

/** Loaded code runs before the rest. */
function withLoaded(loads: Use["loads"], run: Invocation, runs: Use["runs"]): readonly Inner[] {
  const first = loads === undefined ? NOTHING : loadedBy(loads, run, run);
  const inners = runs?.(run) ?? NOTHING;
  return first.length === 0 ? inners : [...first, ...inners];
}

/** Written out, because spreading two objects is much slower. */
function invoked(run: Omit<Invocation, keyof Options>, { given, operands }: Options): Invocation {
  const { name, args, stdin, shell, assignments, task, file } = run;
  return { given, operands, name, args, stdin, shell, assignments, task, file };
}

const NOTHING: readonly Inner[] = [];

/** The options of the program itself; those of a verb follow the verb. */
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

/** How far code of a language is analysed; filters and build files are not complete programs. */
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

/** A verb of two words takes precedence over one of one word: `stash drop` over `stash`. */
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

/** Options of the first word, with values, may be between the words: `compose -f a.yml down`. */
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
  /** The first words of verbs with two words. */
  readonly pairs: ReadonlySet<string>;
  readonly hasRuns: boolean;
  readonly hasRecords: boolean;
}

const layoutOf = oncePerObject((verbs: NonNullable<Program["verbs"]>): Layout => {
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
  return layout;
});

function isRoles(use: Use | readonly Role[]): use is readonly Role[] {
  return Array.isArray(use);
}
