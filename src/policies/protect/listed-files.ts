import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import {
  type CallEffects,
  GAP,
  giversOf,
  isProgram,
  mayChangeNamed,
  type PathEffect,
  SHOWS_HIDDEN,
  type SimpleCommand,
} from "../../effects/index.ts";
import { gitIndexAt, topOf } from "../../fs/git-index.ts";
import { homeDir } from "../../fs/home-dir.ts";
import { readRegularText } from "../../fs/regular-file.ts";
import { isWithin, statsAt } from "../../fs/resolve-path.ts";
import { hasBlob } from "../../fs/work-tree.ts";
import type { ProtectedPlace } from "./places.ts";

/** Whether an effect writes to the files that a listing prints, whose names are unknown: `grep -rl a . | xargs sed -i s/a/b/`. */
export function isListed({ does, path }: PathEffect): boolean {
  return does === "write" && path.isGlob && !path.isKnown && /(?:^|\/)\*\*$/.test(path.text);
}

/** The folder before a name that a listing prints; undefined if it is not a whole name, or the listing prints none. */
export function beforeListed(text: string): string | undefined {
  return GIVEN.exec(text)?.[1];
}

/** Whether such a change may reach a file of a place: the search lists it, the filters pass it, and the edit matches something. */
export function isReached(place: ProtectedPlace, effect: PathEffect, call: CallEffects): boolean {
  const chains = giversOf(effect.command, call.commands);
  const by = call.commands[effect.command];
  const cwd = call.place.cwd ?? place.base;
  return (chains.length === 0 ? [[]] : chains).some((chain) => isListedAmong(place, chain, cwd, by, call));
}

/** The same for one search (the last command of the chain), the filters after it, and the command that receives their output. */
export function isListedAmong(
  place: ProtectedPlace,
  chain: readonly SimpleCommand[],
  cwd: string,
  by: SimpleCommand | undefined,
  call: CallEffects,
): boolean {
  const name = by?.program?.text ?? "";
  if (isProgram("only-formats", name) || isLeftOut(place.path, chain.at(-1), cwd, call)) return false;
  const files = filesOf(place);
  const edited = editedPattern(by);
  const isEdited = (file: string) => mayChangeNamed(name, file) && (edited === undefined || holdsLetters(file, edited));
  return files === undefined || files.some((file) => isEdited(file) && isListedBy(chain, file, cwd));
}

/** The searched folder that contains a file; the working directory if no argument names one. */
function searchedFolder(words: readonly string[], file: string, cwd: string): string {
  const given = words
    .filter((word) => !word.startsWith("-"))
    .map((word) => word.replace(/^~(?=\/|$)/, () => homeDir()))
    .map((word) => resolve(cwd, word));
  return given.find((folder) => isWithin(folder, file)) ?? cwd;
}

/** Whether a command searches files for a text, so that the listed files are only known at run time. */
export function isTextSearch({ program, args: [verb] }: SimpleCommand): boolean {
  const [name, part] = [program?.text ?? "", verb?.text ?? ""];
  return isProgram("text-search", isProgram("version-control", name) ? part : name);
}

function isListedBy(chain: readonly SimpleCommand[], file: string, cwd: string): boolean {
  const source = chain.at(-1);
  if (source === undefined) return true;
  return chain.slice(0, -1).every((filter) => letsThrough(filter, file)) && isFound(source, file, cwd);
}

/** Whether a search may list a file, by its pattern and by whether it searches hidden folders. */
function isFound({ program, args }: SimpleCommand, file: string, cwd: string): boolean {
  const [verb = "", ...more] = args.map(({ text }) => text);
  const name = program?.text ?? "";
  if (isProgram("version-control", name))
    return isProgram("text-search", verb) ? mayList(more, file) : isChangedFor(verb, more, file);
  if (!isProgram("text-search", name)) return true;
  const words = [verb, ...more];
  // A search always searches the folders that it is given, hidden or not.
  const searched = searchedFolder(words, file, cwd);
  const isHidden = /(?:^|\/)\.[^./]/.test(relative(searched, file));
  if (isHidden && passesHidden(name, words)) return false;
  return mayList(words, file);
}

/** Whether a search skips a package because git ignores the folder of packages. */
function isLeftOut(path: string, search: SimpleCommand | undefined, cwd: string, call: CallEffects): boolean {
  const words = search?.args.map(({ text }) => text) ?? [];
  if (!isProgram("passes-ignored", search?.program?.text ?? "") || words.some((word) => SHOWS_IGNORED.test(word)))
    return false;
  const searched = searchedFolder(words, path, cwd);
  if (!PACKAGES.test(relative(searched, path))) return false;
  if (call.commands.some(({ source }) => source.includes(SETTINGS_VARIABLE))) return false;
  const top = topOf(searched);
  if (top === undefined || [top, searched].some((folder) => OVERRIDES.some((name) => existsSync(join(folder, name)))))
    return false;
  return ignoresPackages(join(top, ".gitignore"));
}

function ignoresPackages(file: string): boolean {
  try {
    const lines = readRegularText(file)
      .split("\n")
      .map((line) => line.trimEnd());
    return lines.some((line) => IGNORES_PACKAGES.test(line)) && !lines.some((line) => line.startsWith("!"));
  } catch {
    return false;
  }
}

function mayList(words: readonly string[], file: string): boolean {
  const pattern = words.find((word) => !word.startsWith("-"));
  return pattern === undefined || words.some((word) => LISTS_OTHERS.test(word)) || holdsLetters(file, pattern);
}

/** `git diff --name-only` lists files that differ from the index; with another commit, any file may differ. */
function isChangedFor(verb: string, words: readonly string[], file: string): boolean {
  if (verb !== "diff" || words.some((word) => !word.startsWith("-") || COMPARES_OTHERS.test(word))) return true;
  const index = gitIndexAt(dirname(file));
  const path = Buffer.from(relative(index?.top ?? "", file));
  if (index?.holds(path) === false) return false;
  const hash = index?.blobOf(path);
  return hash === undefined || !hasBlob(file, hash);
}

/** Whether a filter such as `grep '\.ts$'` may pass a name; an unknown filter may. */
export function letsThrough({ program, args }: SimpleCommand, name: string): boolean {
  if (!isProgram("text-search", program?.text ?? "")) return true;
  const words = args.map(({ text }) => text);
  const pattern = words.find((word) => !word.startsWith("-"));
  if (pattern === undefined || words.some((word) => /^-\w*v/.test(word)) || pattern.length > MAX_PATTERN) return true;
  return lettersOf(pattern).every((piece) => name.includes(piece));
}

/** The pattern of an in-place edit that only replaces text. */
function editedPattern(command: SimpleCommand | undefined): string | undefined {
  if (command === undefined || !isProgram("edits-in-place", command.program?.text ?? "")) return undefined;
  const scripts = command.args.flatMap(({ text }) => REPLACES.exec(text)?.[2] ?? []);
  const others = command.args.filter(
    ({ text }) => !text.startsWith("-") && !REPLACES.test(text) && !text.includes("*") && !text.includes(GAP),
  );
  return scripts.length === 1 && others.length === 0 ? scripts[0] : undefined;
}

/** Whether a file may have a line that matches a pattern, by the plain letters of the pattern. */
export function holdsLetters(file: string, pattern: string): boolean {
  if (pattern.length > MAX_PATTERN) return true;
  try {
    if (statSync(file).size > MAX_SIZE) return true;
    const text = readRegularText(file).toLowerCase();
    return lettersOf(pattern).every((piece) => text.includes(piece.toLowerCase()));
  } catch {
    return false;
  }
}

/** The literals that every match of a regular expression contains; none if it has alternatives. */
function lettersOf(pattern: string): string[] {
  if (pattern.replaceAll(/\\\|/g, "|").includes("|")) return [];
  const letters = pattern
    .replaceAll(/\\([./-])/g, (_, letter: string) => (letter === "." ? LITERAL_DOT : letter))
    .replaceAll(/\\./g, "\0")
    .replaceAll(/\[[^\]]*\]/g, "\0")
    .replaceAll(/.(?:\*|\?|\{0?,?\d*\})/g, "\0")
    .replaceAll(/[\^$()*+?{}.]/g, "\0")
    .replaceAll(LITERAL_DOT, ".");
  return letters.split("\0").filter((piece) => piece.length > 1);
}

/** Whether a file of a place may have a name with this ending. */
export function holdsNamed(place: ProtectedPlace, end: string): boolean {
  return filesOf(place)?.some((file) => file.toLowerCase().endsWith(end.toLowerCase())) ?? true;
}

/** The existing files of a place; undefined if there are many. */
function filesOf({ path, kind }: ProtectedPlace): readonly string[] | undefined {
  if (kind === "file") return statsAt(path)?.isFile() ? [path] : [];
  const files: string[] = [];
  const folders = [path];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    let entries: ReturnType<typeof entriesOf>;
    try {
      entries = entriesOf(folder);
    } catch {
      continue;
    }
    for (const entry of entries) {
      if (entry.isDirectory()) folders.push(join(folder, entry.name));
      else files.push(join(folder, entry.name));
    }
    if (files.length + folders.length > MAX_FILES) return undefined;
  }
  return files;
}

function entriesOf(folder: string) {
  return readdirSync(folder, { withFileTypes: true });
}

const GIVEN = new RegExp(`^((?:[^${GAP}*]*/)?)(?:${GAP}+|\\*\\*)$`);
/** Replaces an escaped dot while the other dots are removed. */
const LITERAL_DOT = "\u0001";
const REPLACES = /^(?:\d*,?\$?\d*)?s([/|#,@!])((?:\\.|(?!\1)[^\\\n])+)\1(?:\\.|(?!\1)[^\\\n])*\1[gipIe\d]*;?$/;
const SHOWS_IGNORED = /^(?:--no-ignore(?:-.*)?|--unrestricted|-\w*u\w*)$/;
/** Settings and files of ripgrep that may include files that git ignores. */
const SETTINGS_VARIABLE = "RIPGREP_CONFIG_PATH";
const OVERRIDES = [".ignore", ".rgignore"];
const PACKAGES = /(?:^|\/)node_modules\//;
const IGNORES_PACKAGES = /^(?:\*\*)?\/?node_modules\/?(?:\*\*?)?$/;
const COMPARES_OTHERS = /^--(?:cached|staged|merge-base|no-index)$/;
const LISTS_OTHERS = /^(?:-\w*[Lvf]\w*|--files-without-match|--invert-match|--files|--file(?:=.*)?)$/;
const MAX_PATTERN = 200;
const MAX_SIZE = 1024 * 1024;
const MAX_FILES = 200;

/** Whether a program that searches folders skips the hidden ones. */
export function passesHidden(name: string, words: readonly string[]): boolean {
  return isProgram("passes-hidden", name) && !words.some((word) => SHOWS_HIDDEN.test(word));
}
