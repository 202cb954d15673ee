import { withoutCases } from "../../effects/any-case.ts";
import { type CallEffects, type CallPlace, type Effect, isPathEffect } from "../../effects/effect.ts";
import { effectsOf } from "../../effects/effects-by-command.ts";
import { GAP, type SimpleCommand, type Word } from "../../effects/parse/command.ts";
import { shellWord } from "../../effects/parse/value.ts";
import { isAtOrUnder, resolvedPath } from "../../effects/paths.ts";
import { ITEM } from "../../effects/programs/runs.ts";

/** The part of a call that a rule matched: one command of a line, or a tool with its input. */
export interface Part {
  /** As it is written, on one line. */
  readonly text: string;
  /** The file and the line in which it stands, where it is no part of the call itself. */
  readonly standsIn: string | undefined;
  /** The program that acts, or the tool; empty where the shell itself does. */
  readonly program: string;
  /** The verb of the program, such as `push` of git. */
  readonly verb: string;
  /** The words behind the program, after quotes and variables. */
  readonly words: readonly Word[];
  /** The paths that the rule means, as seen from the folder of the call. */
  readonly paths: readonly string[];
  /** The hosts that the call talks to. */
  readonly hosts: readonly string[];
  /** The folder in which the command runs, as seen from the folder of the call. */
  readonly folder: string;
  /** What is put at the paths, where a program copies or moves it there. */
  readonly source: string | undefined;
  /** Where it is written to, besides the paths. */
  readonly written: readonly string[];
  /** The home of the user. */
  readonly home: string | undefined;
  /** The folder of the call. */
  readonly cwd: string | undefined;
  /** The commands of the whole call. */
  readonly commands: readonly SimpleCommand[];
  /** Its place among them. */
  readonly at: number;
  /** What cannot be known before it runs, in a few words. */
  readonly doubt: string;
  /** The part of a tool's input that says what the tool does at a service. */
  readonly said: string;
}

/** The call that a part belongs to. */
export interface CallText {
  readonly tool: string;
  /** The whole line, where the tool is a shell. */
  readonly line: string;
}

/** What a command names behind its verb; values of options are no names. */
export function namesIn({ words, verb }: Part): readonly string[] {
  const texts = words.map(({ text }) => text);
  const last = texts.lastIndexOf(verb.split(" ").at(-1) ?? "");
  return texts.filter((text, at) => {
    if (at <= last || text.startsWith("-") || text.includes(GAP)) return false;
    const before = texts[at - 1] ?? "";
    return !before.startsWith("-") || FLAG().test(before);
  });
}

/** Options that take no value, in nearly every program; `--name=value` has its own. */
const FLAG = () => /^(?:-[a-zA-Z]*[fyvaq]|--(?:force|yes|all|volumes|quiet|verbose|draft|no-[\w-]+)|-.*=.*|--)$/;

/** The part that effects of one command belong to, which a rule matched. */
export function partOf(effects: readonly Effect[], act: CallEffects, { tool, line }: CallText): Part {
  const [first] = effects;
  const at = first?.command ?? -1;
  const command = act.commands[at];
  const touched = effectsOf(at, act).filter(isPathEffect);
  const written = touched.filter(({ does }) => does === "write");
  const own = effects.flatMap((effect) => ("path" in effect && effect.path !== undefined ? [effect.path] : []));
  const changed = touched.filter(({ does }) => does !== "read").map(({ path }) => path);
  const run = effectsOf(at, act).find((effect) => effect.does === "run");
  const network = act.effects.flatMap((effect) => (effect.does === "network" && effect.host ? [effect.host.text] : []));
  const said = oneLine(first?.does === "run" ? (first.act?.text ?? "") : "");
  const paths = onePerPlace(
    (own.length > 0 ? own : changed).map(({ text }) => text),
    act.place.cwd,
  );
  return {
    text: oneLine(
      command !== undefined
        ? sourceOf(at, act.commands, line)
        : at < 0
          ? doubtOf(first) || line
          : [tool, ...(said === "" ? paths.map((path) => shownPath(path, act.place)) : [said])].join(" "),
    ),
    standsIn: command && placeIn(command, act.place),
    program: first?.does === "run" ? first.program : (command?.program?.text ?? tool),
    verb: run?.does === "run" ? (run.verb ?? "") : "",
    words: command?.args ?? [],
    paths,
    hosts: unique(network),
    folder: command?.folder ?? ".",
    source: written.find(({ source }) => source !== undefined)?.source?.text,
    written: unique(written.map(({ path }) => path.text)),
    home: act.place.home,
    cwd: act.place.cwd,
    commands: act.commands,
    at,
    doubt: doubtOf(first),
    said,
  };
}

/** The piece of the line with what is piped into it; the whole line where the piece is a mere sign or a function of the line. */
function sourceOf(at: number, commands: readonly SimpleCommand[], line: string): string {
  const own = commands[at]?.source ?? "";
  // A line that was made of names of files stands nowhere in the call.
  if (own.length < 3 || own.includes(ITEM.text) || line.includes(`${own}()`)) return line;
  return line.includes("|") ? withInput(at, commands) : own;
}

/** A command behind the commands whose output it reads. */
function withInput(at: number, commands: readonly SimpleCommand[]): string {
  const { source = "", via = [] } = commands[at] ?? {};
  // What `xargs` runs has the source of `xargs`, and no input of its own.
  const reader = commands.findLast(
    (one, place) =>
      one.source === source &&
      one.input.from === "commands" &&
      (place === at || (place < at && one.via.length < via.length)),
  );
  const from = reader?.input.from === "commands" ? reader.input.of : [];
  const [before] = from.length === 1 ? from : [];
  return before === undefined || before >= at ? source : `${withInput(before, commands)} | ${source}`;
}

function placeIn({ script = "", source }: SimpleCommand, { textAt }: CallPlace): string | undefined {
  const text = script === "" ? undefined : textAt?.(script);
  if (text === undefined) return undefined;
  const at = text.indexOf(source);
  return at < 0 ? script : `${script}:${text.slice(0, at).split("\n").length}`;
}

function doubtOf(effect: Effect | undefined): string {
  return effect?.does === "unknown" ? effect.doubt.what : "";
}

/** The paths of a part as a sentence names them. */
export function named(part: Part, paths: readonly string[] = part.paths): string {
  const names = paths.slice(0, MOST_NAMES).map((path) => shownPath(path, part));
  const rest = paths.length - names.length;
  const all = rest > 0 ? [...names, `${rest} more`] : names;
  return all.length < 2
    ? (all[0] ?? "a path that only the run knows")
    : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}

/** A path as a person would write it: the home as `~`, what only the run knows as `…`. */
export function shownPath(path: string, { home }: Pick<Part, "home">): string {
  if (path.replaceAll(GAP, "") === "") return "a path that only the run knows";
  if (path === ".") return "this folder";
  const short = home !== undefined && home !== "/" && isAtOrUnder(path, home) ? `~${path.slice(home.length)}` : path;
  return oneLine(withoutCases(short).replaceAll(GAP, "…"));
}

/** The hosts of a part as a sentence names them. */
export function hostsOf({ hosts }: Part): string {
  const known = hosts.filter((host) => !host.includes(GAP));
  return known.length === 0 ? "another machine" : known.join(" and ");
}

/** Whether every path of a part is known and lies in the folder of the call. */
export function isInside({ paths, cwd }: Part): boolean {
  return (
    paths.length > 0 &&
    paths.every((path) => {
      if (path.includes(GAP) || path === "." || path === ".." || path.startsWith("../") || path.startsWith("~"))
        return false;
      return !path.startsWith("/") || (cwd !== undefined && path !== cwd && isAtOrUnder(path, cwd));
    })
  );
}

/** A command line with these words, in the folder of the part; nothing where a word is not known before the run. */
export function lineOf(part: Pick<Part, "folder">, ...words: readonly (Word | string)[]): string | undefined {
  const texts = words.map((word) => (typeof word === "string" ? quoted(word) : asWritten(word)));
  if (part.folder.includes(GAP) || texts.some((text) => text.includes(GAP))) return undefined;
  const line = texts.join(" ");
  return part.folder === "." ? line : `cd ${shellWord(part.folder)} && ${line}`;
}

/** A command line over paths, as seen from the folder of the call. */
export function lineOver(paths: readonly string[], ...words: readonly string[]): string | undefined {
  return lineOf({ folder: "." }, ...words, ...paths);
}

/** A word as one would type it: `~/` and `HEAD~3` need no quotes. */
export function quoted(word: string): string {
  if (/^[\w@%+=:,./-][\w@%+=:,./~^-]*$/.test(word)) return word;
  return word.startsWith("~/") ? `~/${quoted(word.slice(2))}` : shellWord(word);
}

/** `, by name` where the text of a part does not show its program. */
export function by({ program, text }: Part): string {
  return program === "" || text.includes(program) ? "" : `, by ${program}`;
}

/** The words of a part without those that a test names. */
export function without(
  { words }: Part,
  isDropped: (text: string, before: string | undefined) => boolean,
): readonly Word[] {
  return words.filter(({ text }, at) => !isDropped(text, words[at - 1]?.text));
}

/** The shell expands a pattern only where it is not quoted. */
function asWritten({ text, isGlob }: Word): string {
  return isGlob ? text.replaceAll(/[^\w@%+=:,./*?[\]{}~^!-]/g, "\\$&") : quoted(text);
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").replaceAll(GAP, "…").trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}

/** A path stands here as it is written, not a second time as it was worked out. */
function onePerPlace(paths: readonly string[], cwd: string | undefined): string[] {
  if (cwd === undefined) return unique(paths);
  const places = new Map<string, string>();
  for (const path of paths) {
    const place = resolvedPath(cwd, path);
    if (!places.has(place)) places.set(place, path);
  }
  return [...places.values()];
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

const MOST_NAMES = 4;
const LONGEST = 120;
