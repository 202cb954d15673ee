import {
  type CallEffects,
  type Effect,
  GAP,
  isAtOrUnder,
  isPathEffect,
  type SimpleCommand,
  type Word,
} from "../../effects/index.ts";
import { isOfKind } from "../../event/tool-kinds.ts";
import type { Layer } from "../../hook/hook.ts";
import { compileGlob } from "../../pattern/glob.ts";
import { isRooted, normalisePath, relativePath } from "../../pattern/path.ts";
import { compilePath } from "../../pattern/path-pattern.ts";
import type { Place } from "../../problem/problem.ts";

/** What an exception allows: every field that is set must match. */
export interface ExceptionTarget {
  readonly path?: string | undefined;
  readonly command?: string | undefined;
  readonly host?: string | undefined;
}

/** A call or a part of it that is allowed although a rule of a guard matches. */
export interface Exception extends ExceptionTarget {
  /** As written: a rule, or a guard for all of its rules. */
  readonly rule: string;
  readonly rules: ReadonlySet<string>;
  readonly reason: string;
  /** The end, as written. */
  readonly until?: string | undefined;
  /** The end in milliseconds. */
  readonly endsAt: number;
  readonly layer: Layer;
  readonly place: Place;
  /** The text in decisions, lists and the journal. */
  readonly text: string;
  readonly covers: Covers;
}

/** The context in which a call is judged. */
export interface Circumstances {
  readonly now: number;
  /** Parses a command line in the context of the same call. */
  readonly commandsOf: (line: string) => readonly SimpleCommand[];
}

/** Whether an exception covers an effect of a call completely. */
export type Covers = (effect: Effect, act: CallEffects, around: Circumstances) => boolean;

/** Compiles the target of an exception. */
export function compileTarget({ path, command, host }: ExceptionTarget): Covers {
  const tests = [
    ...(path === undefined ? [] : [pathTest(path)]),
    ...(command === undefined ? [] : [commandTest(command)]),
    ...(host === undefined ? [] : [hostTest(host)]),
  ];
  return (effect, act, around) =>
    tests.length > 0 && !isFilledBefore(effect, act) && tests.every((test) => test(effect, act, around));
}

/** Whether the same line has moved something into the deleted path, which would be lost too. */
function isFilledBefore(effect: Effect, { effects, place: { cwd, home } }: CallEffects): boolean {
  if (effect.does !== "delete") return false;
  const removed = seenFrom(effect.path.text.replace(FIRST_GLOB, ""), cwd, undefined, home);
  return effects.some(
    (other) =>
      other.does === "write" &&
      other.by === "move" &&
      other.command < effect.command &&
      isAtOrUnder(seenFrom(other.path.text, cwd, undefined, home), removed),
  );
}

/** Every path of the effect is known and matches; for a program that changes several paths, all of them. */
function pathTest(pattern: string): Covers {
  const isOpen = pattern.endsWith("/**") || pattern === "**";
  const compiled = new Map<string | undefined, (path: string) => boolean>();
  return (effect, { effects, place }) => {
    const { cwd, home, root = cwd } = place;
    const fits = compiled.get(home) ?? compilePath(anchored(openedHome(pattern, home)));
    compiled.set(home, fits);
    const paths = pathsOf(effect, effects);
    return (
      paths.length > 0 && paths.every((path) => isBounded(path, isOpen) && fits(seenFrom(path.text, cwd, root, home)))
    );
  };
}

/** A pattern without a folder means the project's own file, not one of that name anywhere. */
function anchored(pattern: string): string {
  return pattern.includes("/") ? pattern : `./${pattern}`;
}

/** Whether a path is fully known, or a glob that matches within one folder. */
function isBounded({ text, isKnown, isGlob }: Word, isOpen: boolean): boolean {
  if (text.includes(GAP)) return false;
  return isKnown || (isGlob && (isOpen || !text.includes("**")));
}

/** The paths of an effect; for a program, those that it changes. */
export function pathsOf(effect: Effect, effects: readonly Effect[]): readonly Word[] {
  if ("path" in effect) return effect.path === undefined ? [] : [effect.path];
  if (effect.does !== "run") return [];
  return effects
    .filter(isPathEffect)
    .filter(({ command, does }) => command === effect.command && does !== "read")
    .map(({ path }) => path);
}

/** A path as a person would write it: relative if it is in the project, else absolute. */
export function seenFrom(
  text: string,
  cwd: string | undefined,
  root: string | undefined,
  home: string | undefined,
): string {
  const opened = openedHome(text, home);
  const whole = normalisePath(isRooted(opened) || cwd === undefined ? opened : `${cwd}/${opened}`) || ".";
  if (root === undefined) return whole;
  return whole === normalisePath(root) ? "." : relativePath(whole, root);
}

function openedHome(text: string, home: string | undefined): string {
  return home !== undefined && /^~(?=\/|$)/.test(text) ? home + text.slice(1) : text;
}

/** Every host of the call is known and matches. */
function hostTest(pattern: string): Covers {
  const fits = compileGlob(pattern.toLowerCase());
  return (_, { effects, commands }) => {
    if (commands.some(isRerouted)) return false;
    const hosts = effects.flatMap((effect) => (effect.does === "network" ? [effect.host] : []));
    return hosts.length > 0 && hosts.every((host) => host !== undefined && !host.text.includes(GAP) && fits(host.text));
  };
}

/** Whether the connection goes through another machine, or the name of the host is mapped to another machine. */
function isRerouted({ args, assignments }: SimpleCommand): boolean {
  return Object.keys(assignments).some((name) => /proxy/i.test(name)) || args.some(({ text }) => REROUTES().test(text));
}

/** The command of the effect is the same program with the same arguments, input and files, in the folder of the call. */
function commandTest(line: string): Covers {
  return (effect, { commands, place }, { commandsOf }) => {
    if (commands.length === 0) return toolLineOf(effect) === line.trim().replaceAll(/\s+/g, " ");
    const wanted = commandsOf(line);
    const command = commands[effect.command ?? -1];
    if (!isOneCommand(wanted) || command === undefined || !isHere(command, place.cwd)) return false;
    // `sudo ls` runs sudo, and ls by it: the effect belongs to one of them.
    return wanted.some((one) => isSame(command, commands, one, wanted));
  };
}

/** The command of a tool at a service, as an exception names it: the tool and the part of its input; undefined if that was cut. */
export function toolLineOf(effect: Effect): string | undefined {
  if (effect.does !== "run" || effect.act === undefined || effect.act.text.length >= MAX_ACT) return undefined;
  return `${effect.program} ${effect.act.text}`.trim().replaceAll(/\s+/g, " ");
}

/** Whether a line is one command with its wrappers, or one pipeline. */
function isOneCommand(commands: readonly SimpleCommand[]): boolean {
  const fed = new Set(commands.flatMap(({ input }) => (input.from === "commands" ? input.of : [])));
  return commands.filter((command, at) => !fed.has(at) && !isWrapper(command, at, commands)).length === 1;
}

function isWrapper({ program }: SimpleCommand, at: number, commands: readonly SimpleCommand[]): boolean {
  return commands.slice(at + 1).some(({ via }) => via.some((word) => word.split(" ", 1)[0] === program?.text));
}

function isSame(
  one: SimpleCommand,
  ones: readonly SimpleCommand[],
  other: SimpleCommand,
  others: readonly SimpleCommand[],
): boolean {
  return (
    isSameWord(one.program, other.program) &&
    fitsArgs(one.args, other.args) &&
    isSameList(one.redirects, other.redirects, (a, b) => a.way === b.way && isSameWord(a.target, b.target)) &&
    isSameList(contextOf(one), contextOf(other), (a, b) => a === b) &&
    isSameInput(one, ones, other, others)
  );
}

function isSameInput(
  { input: one }: SimpleCommand,
  ones: readonly SimpleCommand[],
  { input: other }: SimpleCommand,
  others: readonly SimpleCommand[],
): boolean {
  if (one.from === "commands" && other.from === "commands")
    return isSameList(one.of, other.of, (a, b) => {
      const [left, right] = [ones[a], others[b]];
      return left !== undefined && right !== undefined && isSame(left, ones, right, others);
    });
  if (one.from === "text" && other.from === "text") return isSameWord(one.text, other.text);
  if (one.from === "file" && other.from === "file") return isSameWord(one.path, other.path);
  return one.from === "nothing" && other.from === "nothing";
}

/**
 * Whether arguments match those of an exception. An unquoted `*` matches all further arguments if it is the last one, and
 * elsewhere one argument that is not an option.
 */
function fitsArgs(args: readonly Word[], wanted: readonly Word[]): boolean {
  const isOpen = isAny(wanted.at(-1));
  const named = isOpen ? wanted.slice(0, -1) : wanted;
  if (isOpen ? args.length < named.length : args.length !== named.length) return false;
  const rest = args.slice(named.length);
  return (
    named.every((word, at) => (isAny(word) ? isOperand(args[at]) : isSameWord(args[at], word))) &&
    rest.every(({ text }) => !text.includes(GAP) && !RUNS_MORE().test(text))
  );
}

function isAny(word: Word | undefined): boolean {
  return word?.isGlob === true && word.text === "*";
}

function isOperand(word: Word | undefined): boolean {
  return word !== undefined && !word.text.includes(GAP) && !word.text.startsWith("-");
}

/** What is not supported in the `command` of an exception, and what to write instead; undefined if all is supported. */
export function commandFlaw(line: string): { readonly what: string; readonly fix: string } | undefined {
  const [first = "", ...rest] = line.trim().split(/\s+/);
  if (isOfKind(first, "@mcp")) return undefined;
  if (/^["']?[*?[{]/.test(first)) return { what: "names no program", fix: "Begin it with the program: git push *." };
  // Text in quotes, or after a backslash, is compared literally.
  const bare = (word: string) => word.replaceAll(/"[^"]*"|'[^']*'|\\./g, "");
  const odd = rest.find((word) => word !== "*" && /[*?]|\[[^\]]*\]|\{[^{}]*,[^{}]*\}/.test(bare(word)));
  if (odd === undefined || /["']/.test(rest.join(" ").replaceAll(/"[^"]*"|'[^']*'/g, ""))) return undefined;
  return {
    what: `has ${odd}, and in a command only a separate \`*\` argument is a pattern`,
    fix: `Write * for any arguments from there on, or '${odd}' in quotes for exactly that text.`,
  };
}

/** Wrappers and variables that change where or how the same arguments act. */
function contextOf({ via, assignments }: SimpleCommand): string[] {
  const wrappers = via.filter((word) => !PLAIN_WRAPPERS().test(word));
  const variables = Object.entries(assignments).filter(([name]) => LEADING().test(name));
  return [...wrappers, ...variables.map(([name, { text }]) => `${name}=${text}`).sort()];
}

/** Arguments with an unknown part are never the same: it may have another value at the next run. */
function isSameWord(one: Word | undefined, other: Word | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.text === other.text && !one.text.includes(GAP);
}

function isSameList<T>(one: readonly T[], other: readonly T[], isEqual: (a: T, b: T) => boolean): boolean {
  return one.length === other.length && one.every((item, index) => isEqual(item, other[index] as T));
}

function isHere({ folder }: SimpleCommand, cwd: string | undefined): boolean {
  return folder === "." || (cwd !== undefined && normalisePath(folder) === normalisePath(cwd));
}

const MAX_ACT = 600;
/** Options with which many programs run something else, or read other settings: a `*` does not match them. */
const RUNS_MORE = () =>
  /^-(?:o|c$|e$|-(?:[\w-]*(?:exec|eval|command|script|hook|invoke|config|option|plugin|shell|program|-pack|rsh|checkpoint|preload|require|import)[\w-]*)(?:=|$))/i;
/** The first glob in a path, and everything after it. */
const FIRST_GLOB = /(?<=^|\/)[^/]*[*?[].*/s;
const REROUTES = () =>
  /^(?:-J|-[A-Za-z]*[xK]|--(?:proxy|preproxy|socks|resolve|connect-to|doh-url|config|unix-socket|abstract-unix-socket))|[Pp]roxy|[Hh]ost[Nn]ame/;
/** Programs that run another one without changing what it does. */
const PLAIN_WRAPPERS = () =>
  /^(?:env|command|exec|nice|ionice|nohup|time|timeout|stdbuf|setsid|eval|(?:ba|z|da|k)?sh -c)(?: |$)/;
/** Variables that determine where a program works, or what it runs. */
const LEADING = () =>
  /^(?:HOME|PATH|PWD|CDPATH|IFS|SHELL|LD_.*|DYLD_.*|BASH_ENV|ENV|NODE_.*|PYTHON.*|(?:GIT|SSH|DOCKER|KUBE|AWS|AZURE|GCLOUD|CLOUDSDK|PG|MYSQL|REDIS|NPM|TF|HELM|CARGO|GH)\w*|.*(?:HOST|URL|URI|DIR|ROOT|PROFILE|CONTEXT|CONFIG|REMOTE|PROXY|DATABASE))$/i;
