import {
  type CallEffects,
  type CallPlace,
  currentBranch,
  type Effect,
  effectsOf,
  GAP,
  ITEM,
  isAtOrUnder,
  isPathEffect,
  keysIn,
  resolvedPath,
  type SimpleCommand,
  shellWord,
  type Word,
  withoutCases,
} from "../../effects/index.ts";

/** The part of a call that a rule matched: one command of a line, or a tool with its input. */
export interface Part {
  /** As written, on one line. */
  readonly text: string;
  /** The file and the line that contain it, if it is not in the call itself. */
  readonly location: string | undefined;
  /** The program that acts, or the tool; empty if the shell itself acts. */
  readonly program: string;
  /** The verb of the program, such as `push` of git. */
  readonly verb: string;
  /** The arguments of the program, after expansion of quotes and variables. */
  readonly words: readonly Word[];
  /** The paths that the rule matched, relative to the folder of the call. */
  readonly paths: readonly string[];
  /** The hosts to which the call connects. */
  readonly hosts: readonly string[];
  /** The working directory of the command, relative to the folder of the call. */
  readonly folder: string;
  /** The file that a program copies or moves to the paths. */
  readonly source: string | undefined;
  /** The paths that are written besides. */
  readonly written: readonly string[];
  /** The home directory of the user. */
  readonly home: string | undefined;
  /** The folder of the call. */
  readonly cwd: string | undefined;
  /** What of keys and passwords was found in the paths, in a few words. */
  readonly held: string;
  /** The branch that is checked out in the project; undefined if the disk cannot answer. */
  readonly branch: string | undefined;
  /** The commands of the whole call. */
  readonly commands: readonly SimpleCommand[];
  /** The index of this command among them. */
  readonly at: number;
  /** A short description of what cannot be known before it runs. */
  readonly doubt: string;
  /** The part of a tool's input that describes what the tool does at a service. */
  readonly serviceAction: string;
}

/** The call that a part belongs to. */
export interface CallText {
  readonly tool: string;
  /** The whole line, if the tool is a shell. */
  readonly line: string;
}

/** The operands of a command after its verb; values of options are not included. */
export function namesIn({ words, verb }: Part): readonly string[] {
  const texts = words.map(({ text }) => text);
  const last = texts.lastIndexOf(verb.split(" ").at(-1) ?? "");
  return texts.filter((text, at) => {
    if (at <= last || text.startsWith("-") || text.includes(GAP)) return false;
    const before = texts[at - 1] ?? "";
    return !before.startsWith("-") || FLAG().test(before);
  });
}

/** Options without a value, in nearly every program; `--name=value` includes its value. */
const FLAG = () => /^(?:-[a-zA-Z]*[fyvaq]|--(?:force|yes|all|volumes|quiet|verbose|draft|no-[\w-]+)|-.*=.*|--)$/;

/** The part of a call to which the matched effects of one command belong. */
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
  const serviceAction = oneLine(first?.does === "run" ? (first.act?.text ?? "") : "");
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
          : [tool, ...(serviceAction === "" ? paths.map((path) => shownPath(path, act.place)) : [serviceAction])].join(
              " ",
            ),
    ),
    location: command && placeIn(command, act.place),
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
    get held() {
      const found = paths.flatMap((text) => keysIn({ text, isKnown: true, isGlob: false }, act.place) ?? []);
      return unique(found).join(" and ") || "keys or passwords";
    },
    get branch() {
      return currentBranch(act);
    },
    commands: act.commands,
    at,
    doubt: doubtOf(first),
    serviceAction,
  };
}

/** The piece of the line with the commands piped into it; the whole line if the piece is a bare sign or a function of the line. */
function sourceOf(at: number, commands: readonly SimpleCommand[], line: string): string {
  const own = commands[at]?.source ?? "";
  // A line that was built from names of files is not in the text of the call.
  if (own.length < 3 || own.includes(ITEM.text) || line.includes(`${own}()`)) return line;
  return line.includes("|") ? withInput(at, commands) : own;
}

/** A command with the commands whose output it reads. */
function withInput(at: number, commands: readonly SimpleCommand[]): string {
  const { source = "", via = [] } = commands[at] ?? {};
  // A command that `xargs` runs has the source of `xargs` and no input itself.
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

/** The paths of a part for a sentence. */
export function named(part: Part, paths: readonly string[] = part.paths): string {
  const names = paths.slice(0, MAX_NAMES).map((path) => shownPath(path, part));
  const rest = paths.length - names.length;
  const all = rest > 0 ? [...names, `${rest} more`] : names;
  return all.length < 2
    ? (all[0] ?? "a path that is only known at run time")
    : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}

/** A path as a person would write it: the home directory as `~`, unknown parts as `…`. */
export function shownPath(path: string, { home }: Pick<Part, "home">): string {
  if (path.replaceAll(GAP, "") === "") return "a path that is only known at run time";
  if (path === ".") return "this folder";
  const short = home !== undefined && home !== "/" && isAtOrUnder(path, home) ? `~${path.slice(home.length)}` : path;
  return oneLine(withoutCases(short).replaceAll(GAP, "…"));
}

/** The hosts of a part for a sentence. */
export function hostsOf({ hosts }: Part): string {
  const known = hosts.filter((host) => !host.includes(GAP));
  return known.length === 0 ? "another machine" : known.join(" and ");
}

/** Whether every path of a part is known and inside the folder of the call. */
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

/** A command line with these arguments, in the folder of the part; undefined if an argument is not known before the run. */
export function lineOf(part: Pick<Part, "folder">, ...words: readonly (Word | string)[]): string | undefined {
  const texts = words.map((word) => (typeof word === "string" ? quoted(word) : asWritten(word)));
  if (part.folder.includes(GAP) || texts.some((text) => text.includes(GAP))) return undefined;
  const line = texts.join(" ");
  return part.folder === "." ? line : `cd ${shellWord(part.folder)} && ${line}`;
}

/** A command line over paths, relative to the folder of the call. */
export function lineOver(paths: readonly string[], ...words: readonly string[]): string | undefined {
  return lineOf({ folder: "." }, ...words, ...paths);
}

/** An argument as a person would type it: `~/` and `HEAD~3` need no quotes. */
export function quoted(word: string): string {
  if (/^[\w@%+=:,./-][\w@%+=:,./~^-]*$/.test(word)) return word;
  return word.startsWith("~/") ? `~/${quoted(word.slice(2))}` : shellWord(word);
}

/** `, by name` if the text of a part does not contain its program. */
export function by({ program, text }: Part): string {
  return program === "" || text.includes(program) ? "" : `, by ${program}`;
}

/** The arguments of a part without those that the test matches. */
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
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1)}…` : line;
}

/** Keeps the written form of a path, without a second resolved one. */
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

const MAX_NAMES = 4;
const MAX_LENGTH = 120;
