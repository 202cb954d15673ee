import { readdirSync } from "node:fs";
import { extname, join } from "node:path";
import {
  type CallEffects,
  type CommandRun,
  GAP,
  isProgram,
  languageOfEnding,
  programNamed,
  runsOf,
  runsTexts,
  type SimpleCommand,
  shellWord,
} from "../../effects/index.ts";
import { readRegularText } from "../../fs/regular-file.ts";
import { isWithin, statsAt } from "../../fs/resolve-path.ts";
import { fromFolder } from "./printed-places.ts";

/** A file that a call may run as code. */
export interface CarriedFile {
  readonly path: string;
  readonly text: string;
  /** A command line that runs it; undefined for a language that cannot be read. */
  readonly line: string | undefined;
}

/**
 * The files that a call may run besides those that were followed already. A program that runs code may load every file that
 * an option, an argument or a variable names. A line that runs unknown code may run every file that it reads.
 */
export function* carriedFiles(call: CallEffects): Generator<CarriedFile> {
  const runsUnknown = call.effects.some(
    (effect) =>
      (effect.does === "unknown" && RUN.has(effect.doubt.why)) || (effect.does === "flow" && effect.to === "shell"),
  );
  const seen = new Set<string>();
  for (const run of runsOf(call)) {
    const { command } = run;
    const how = runsUnknown ? "any" : namedHow(run);
    for (const word of wordsFor(command, how)) {
      if (seen.size >= MAX_WORDS) return;
      for (const path of pathsFor(word, command, call, seen, how === "any")) {
        const file = readFile(path, how === "any");
        if (file !== undefined) yield file;
        // Settings, and scripts in unknown languages, may name the files that they run.
        if (file !== undefined && file.line === undefined) yield* namedIn(file.text, command, call, seen);
      }
    }
    if (how !== "variables") for (const text of call.texts) yield* namedIn(text, command, call, seen);
  }
}

/** The files that a text names by a path. */
function* namedIn(text: string, command: SimpleCommand, call: CallEffects, seen: Set<string>): Generator<CarriedFile> {
  const words = text.slice(0, MAX_WORD * 4).match(/(?<![\w.$/-])[~.]{0,2}\/[\w./-]{1,200}/g) ?? [];
  for (const word of words.slice(0, MAX_IN_FOLDER))
    for (const path of pathsFor(word, command, call, seen, false)) {
      const file = readFile(path, false);
      if (file !== undefined) yield file;
    }
}

/** Which arguments of a command may be files that it runs. */
type NamedHow = "any" | "code" | "options" | "settings" | "variables";

function namedHow(run: CommandRun): NamedHow {
  const { name, row, command } = run;
  if (name === "") return "variables";
  if (run.is("version-control")) return "settings";
  if (run.hasCode && runsTexts(command.source)) return "any";
  if (run.is("runs-named") || run.is("loads-unnamed")) return "code";
  if (row?.runs !== undefined || row?.interpreter !== undefined) return "options";
  return row === undefined && run.isUndescribed ? "code" : "variables";
}

function* wordsFor({ args, assignments, redirects, input }: SimpleCommand, how: NamedHow): Generator<string> {
  if (how === "any") for (const { way, target } of redirects) if (way === "read") yield target.text;
  if (how === "any" && input.from === "file") yield input.path.text;
  for (const name in assignments) yield* piecesOf(assignments[name]?.text ?? "");
  if (how === "variables") return;
  const isConfig = args.some(({ text }) => text === "config");
  for (const [at, { text }] of args.entries()) {
    const isValue = text.startsWith("-") || (args[at - 1]?.text.startsWith("-") ?? false);
    const isSetting = isConfig || SETTING.test(text);
    if (how === "settings" ? isSetting : how !== "options" || isValue) yield* piecesOf(text);
  }
}

/** An argument, and the paths within it: `--rcfile=a`, `-Sa`, `source a`, `@a`. */
function* piecesOf(text: string): Generator<string> {
  if (text.length > MAX_WORD) return;
  if (/^[\w./~-]+$/.test(text) && !text.startsWith("-")) yield text;
  else
    yield* text
      .split(/[=:,;|&!@'"()<>\s]+|^--?[\w-]*?(?=[./])|^-\w/)
      .filter((piece) => piece !== "" && !/^-/.test(piece));
}

/** The files that an argument may name, and the files in a folder that it may name. */
function* pathsFor(
  word: string,
  { folder }: SimpleCommand,
  call: CallEffects,
  seen: Set<string>,
  withFolders: boolean,
): Generator<string> {
  if (word.includes(GAP) || !/[./\w]/.test(word)) return;
  const names = [word, ...(/^[./~]/.test(word) && extname(word) === "" ? [".js", ".sh"].map((end) => word + end) : [])];
  // A setting of git is relative to its own folder.
  if (word.startsWith("../")) names.push(word.slice("../".length));
  if (/^\w+(?:\.\w+)+$/.test(word)) names.push(`${word.replaceAll(".", "/")}.py`);
  for (const name of names) {
    const path = fromFolder(name, folder, call);
    if (path === undefined || seen.size === seen.add(path).size) continue;
    const found = statsAt(path);
    if (found?.isFile() && found.size <= MAX_SIZE) yield path;
    else if (withFolders && found?.isDirectory() && !isAround(path, call)) yield* filesIn(path, seen);
  }
}

/** Whether a folder contains much more than the files of a call: the project, the home directory, a temporary folder. */
function isAround(folder: string, { place: { cwd = "/", home = "/" } }: CallEffects): boolean {
  return (
    isWithin(folder, cwd) || isWithin(folder, home) || /^\/(?:var\/|private\/)*(?:tmp|usr|etc|bin|lib)\/?$/.test(folder)
  );
}

function* filesIn(folder: string, seen: Set<string>): Generator<string> {
  let left = MAX_IN_FOLDER;
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (!entry.isFile() || left-- <= 0) continue;
      const path = join(folder, entry.name);
      if (seen.size !== seen.add(path).size) yield path;
    }
  } catch {
    return;
  }
}

function readFile(path: string, isAnyText: boolean): CarriedFile | undefined {
  let text: string;
  try {
    text = readRegularText(path);
  } catch {
    return undefined;
  }
  if (text.includes("\0")) return undefined;
  const ending = extname(path).slice(1);
  const [, program = ""] = /^#!\s*\S*?(?:env\s+(?:-S\s+)?)?([a-z]+)[\d.]*(?:\s|$)/.exec(text) ?? [];
  const language = program === "" ? languageOfEnding(ending) : programNamed(program)?.interpreter?.language;
  const isShell = SHELL_ENDINGS.test(ending) || isProgram("shell", program);
  const isPlain = isAnyText && (ending === "" || ending === "txt");
  if (language !== undefined || isShell || isPlain) return { path, text, line: shellWord(path) };
  return DATA.test(ending) ? undefined : { path, text, line: undefined };
}

/** Doubts after which a line may run any file that it reads. */
const RUN: ReadonlySet<string> = new Set(["unknown code", "unknown program", "unread script"]);
const SHELL_ENDINGS = /^(?:sh|bash|zsh|ksh)$/;
/** Texts that no program runs. */
const DATA =
  /^(?:md|txt|json|jsonc|ya?ml|toml|csv|log|html?|xml|svg|patch|diff|lock|rst|adoc|css|tsx?|jsx|go|rs|c|h|java)$/;
/** A setting of git with its value. */
const SETTING = /^[a-z]+(?:\.[\w-]+)+=/i;
const MAX_SIZE = 128 * 1024;
const MAX_WORDS = 64;
const MAX_IN_FOLDER = 24;
const MAX_WORD = 2000;
