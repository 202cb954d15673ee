import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { ADAPTERS } from "../../adapters/index.ts";
import {
  type CallEffects,
  type CommandRun,
  changesPrintedPath,
  effectsOf,
  GAP,
  isCode,
  isPathChange,
  isProgram,
  isReadOnlyRun,
  originsOf,
  ownCommands,
  type PathEffect,
  runsOf,
  type SimpleCommand,
  type Word,
  wrappersOf,
} from "../../effects/index.ts";
import { once } from "../../event/once.ts";
import { topOf } from "../../fs/git-index.ts";
import { readRegularText } from "../../fs/regular-file.ts";
import { isWithin, realPath, statsAt } from "../../fs/resolve-path.ts";
import { namesUs } from "./ended-processes.ts";
import { isMeant } from "./git-overwrites.ts";
import { pathsOnDisk } from "./glob-on-disk.ts";
import { holdsNamed, isListedAmong, isTextSearch, letsThrough } from "./listed-files.ts";
import { PROGRAM, type ProtectedPlace } from "./places.ts";
import type { ProtectedPaths } from "./protected-paths.ts";
import { absolutePath, type ProtectedWrite } from "./written-protected-paths.ts";

/** A protected place that another command of the line may print for a command that changes what is printed. */
export function printedPlace(call: CallEffects, paths: ProtectedPaths): ProtectedWrite | undefined {
  let guess: ProtectedWrite | undefined;
  for (const effect of call.effects) {
    if (!isPathChange(effect) || !effect.path.text.includes(GAP)) continue;
    const given = givenTo(effect, call, paths);
    if (given === undefined) continue;
    const how = `${effect.does === "delete" ? "removes" : "changes"}, by a name that a command prints,`;
    if (effect.does === "delete" || !given.isSearched) return { place: given.place, how };
    guess ??= { place: given.place, how, isGuess: true };
  }
  return guess;
}

/** A place among the paths that an effect receives. */
interface Given {
  readonly place: ProtectedPlace;
  /** Whether it is printed depends on the file's content. */
  readonly isSearched: boolean;
}

function givenTo(effect: PathEffect, call: CallEffects, paths: ProtectedPaths): Given | undefined {
  const chains = changesPrintedPath(effect, call) ? originsOf(effect.command, call.commands) : [];
  const readers = call.commands.filter(({ program }) => isProgram("fills-variables", program?.text ?? ""));
  const tail = effect.path.text.slice(effect.path.text.lastIndexOf(GAP) + GAP.length);
  if (/^\/./.test(tail)) {
    const place = inPrintedFolder(tail, chains.flat(), call, paths) ?? besidePrinted(tail, chains, effect, call, paths);
    return place && { place, isSearched: false };
  }
  for (const chain of [...chains, ...readers.map((one) => [one])].flatMap(partsOf)) {
    const place = printedBy(chain, effect, call, paths);
    if (place !== undefined) return { place, isSearched: isTextSearch(chain.at(-1) as SimpleCommand) };
  }
  return undefined;
}

/** A protected place in a folder that a command prints: one of its arguments, the folder around that, or its working directory. */
function inPrintedFolder(
  tail: string,
  givers: readonly SimpleCommand[],
  call: CallEffects,
  paths: ProtectedPaths,
): ProtectedPlace | undefined {
  for (const { args, folder } of givers) {
    const given = args.flatMap(({ text }) => fromFolder(text, folder, call) ?? []);
    const own = absolutePath(folder, call) ?? folder;
    for (const at of [...given.flatMap((one) => [one, dirname(one)]), own]) {
      const place = paths.holds(join(at, tail));
      if (place !== undefined) return place;
    }
  }
  return undefined;
}

/** The same if a search, a listing or a file prints the folder, or a file in it. */
function besidePrinted(
  tail: string,
  chains: readonly (readonly SimpleCommand[])[],
  effect: PathEffect,
  call: CallEffects,
  paths: ProtectedPaths,
): ProtectedPlace | undefined {
  for (const chain of chains.flatMap(partsOf)) {
    const printed = printedBy(chain, effect, call, paths);
    const there = printed && [printed.path, dirname(printed.path)].map((at) => join(at, tail)).find(existsSync);
    const found = there === undefined ? undefined : paths.holds(there);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Each beginning of a chain: a command with the filters that its output passes. */
function partsOf(chain: readonly SimpleCommand[]): (readonly SimpleCommand[])[] {
  return chain.map((_, index) => chain.slice(0, index + 1));
}

/** A protected place that the last command of a chain may print for another, as far as the filters before it in the list pass it. */
function printedBy(
  chain: readonly SimpleCommand[],
  effect: PathEffect,
  call: CallEffects,
  paths: ProtectedPaths,
): ProtectedPlace | undefined {
  const by = call.commands[effect.command];
  const filters = chain.slice(0, -1);
  const command = chain.at(-1) as SimpleCommand;
  const at = call.commands.indexOf(command);
  const isListed = (place: ProtectedPlace, folder: string) => isListedAmong(place, chain, folder, by, call);
  const isLet = (place: ProtectedPlace) => filters.every((filter) => letsThrough(filter, place.path));
  for (const read of call.effects) {
    if (read.does !== "read" || read.command !== at) continue;
    const whole = absolutePath(read.path.text, call);
    if (whole === undefined) continue;
    const place = read.isTree ? listedIn(whole, command, paths, isListed) : linesOf(whole, call, paths);
    if (place !== undefined && (read.isTree || isLet(place))) return place;
  }
  const kept = listedByHistory(command, call, paths, isListed);
  if (kept !== undefined) return kept;
  // Code that searches for the package finds it.
  if (effectsOf(at, call).some(isCode) && namesUs(command.source))
    return paths.places.find(({ what }) => what === PROGRAM);
  // `ls -d a/*`, `readlink -f a`, `git ls-files`: the named path is printed, or its target.
  for (const word of command.args) {
    const place = namedBy(word, command, call, paths);
    if (place !== undefined && isLet(place)) return place;
  }
  return undefined;
}

/** `git ls-files`, `git grep -l a`, `git diff --name-only`: the files below the folder, or at the named paths. */
function listedByHistory(
  command: SimpleCommand,
  call: CallEffects,
  paths: ProtectedPaths,
  isListed: IsListed,
): ProtectedPlace | undefined {
  const { program, args, folder } = command;
  if (!isProgram("version-control", program?.text ?? "")) return undefined;
  const more = args.slice(1).map(({ text }) => text);
  const isSearch = isTextSearch(command);
  const here = absolutePath(folder, call);
  const isListing = isSearch || more.includes("--name-only") || args[0]?.text === "ls-files";
  if (here === undefined || !(isListing || args.length < FEW)) return undefined;
  const operands = more.filter((word) => !word.startsWith("-")).slice(isSearch ? 1 : 0);
  // An operand that is not a path is a commit.
  const named = operands.map((word) => fromFolder(word, folder, call) ?? word).filter((path) => existsSync(path));
  const patterns = operands.filter((word) => /^:|[*?[]/.test(word));
  // Patterns match in any folder of the repository, and nowhere else.
  const top = /^-/.test(args[0]?.text ?? "") ? undefined : topOf(here);
  const isInReach = ({ path }: ProtectedPlace) => top === undefined || isWithin(realPath(top), realPath(path));
  const isFitting = (place: ProtectedPlace) =>
    isInReach(place) && patterns.some((word) => word.startsWith(":") || holdsNamed(place, endOf(word)));
  const isNamed = ({ path }: ProtectedPlace) => named.length > 0 && isMeant(path, named, here);
  const isBelow = ({ path }: ProtectedPlace) => named.length + patterns.length === 0 && isMeant(path, [here], here);
  return paths.places.find((place) => (isFitting(place) || isNamed(place) || isBelow(place)) && isListed(place, here));
}

/** The ending of every name that matches a pattern. */
function endOf(pattern: string): string {
  return /[^*?\]]*$/.exec(pattern)?.[0] ?? "";
}

function namedBy(
  { text, isGlob }: Word,
  { folder }: SimpleCommand,
  call: CallEffects,
  paths: ProtectedPaths,
): ProtectedPlace | undefined {
  const whole = fromFolder(text, folder, call);
  if (whole === undefined) return undefined;
  if (!isGlob) return paths.holds(whole);
  return (
    paths.meantBy(whole) ??
    pathsOnDisk(whole)
      .map((one) => paths.holds(one))
      .find((one) => one !== undefined)
  );
}

/** An argument of a command as a path. */
export function fromFolder(text: string, folder: string, call: CallEffects): string | undefined {
  return absolutePath(/^[/~]/.test(text) ? text : join(folder, text), call);
}

/** The place that a search below a folder finds, by the names that it searches for. */
function listedIn(
  folder: string,
  { args }: SimpleCommand,
  paths: ProtectedPaths,
  isListed: IsListed,
): ProtectedPlace | undefined {
  const isReached = (place: ProtectedPlace) => isListed(place, folder);
  const names = args.flatMap(({ text }, at) => (NAME_OPTIONS.has(args[at - 1]?.text) ? [text] : []));
  if (names.length === 0)
    return paths.places.find((place) => isMeant(place.path, [folder], folder) && isReached(place));
  return names
    .map((name) => {
      const glob = join(folder, "**", name);
      const found = () => pathsOnDisk(glob, true).map((one) => paths.holds(one));
      return (
        paths.meantBy(glob, { findsHidden: true, isReached }) ??
        found().find((place) => place !== undefined && isReached(place))
      );
    })
    .find((place) => place !== undefined);
}

/** Whether a command may list a file of a place from a folder. */
type IsListed = (place: ProtectedPlace, folder: string) => boolean;

/** A protected path in a short list in a file. */
function linesOf(path: string, call: CallEffects, paths: ProtectedPaths): ProtectedPlace | undefined {
  const found = statsAt(path);
  if (found === undefined || !found.isFile() || found.size > MAX_LIST) return undefined;
  for (const word of readRegularText(path).match(/\S+/g)?.slice(0, MAX_WORDS) ?? []) {
    const whole = absolutePath(word, call);
    const place = whole === undefined ? undefined : paths.holds(resolve(whole));
    if (place !== undefined) return place;
  }
  return undefined;
}

/** A protected file in the arguments of an unknown program, or of one that fetches it from elsewhere. */
export function namedByUnread(call: CallEffects, paths: ProtectedPaths): string | undefined {
  for (const run of runsOf(call)) {
    if (run.args.length === 0 || ownCommands(run.command).length > 0) continue;
    const place = givenToUnread(run, call, paths);
    if (place !== undefined) return `\`${run.name}\` is given ${place.path}, ${place.what}, and may write to it`;
  }
  return undefined;
}

function givenToUnread(run: CommandRun, call: CallEffects, paths: ProtectedPaths): ProtectedPlace | undefined {
  const { name, args, command, effects } = run;
  const fetches = run.is("socket-tool") || run.hasNetwork;
  const isWrapper = wrappersOf(call.commands).has(name);
  const isUnread =
    run.isUndescribed || (command.source.includes("<(") && isReadOnlyRun(run.row, command.args) !== true);
  if (!fetches && !isUnread && !isWrapper) return undefined;
  const inside =
    isUnread && !run.hasCode && !run.is("takes-text")
      ? paths.places.find(({ path }) => command.source.includes(path))
      : undefined;
  if (inside !== undefined) return inside;
  const read = new Set(effects.flatMap((effect) => (effect.does === "read" ? [effect.path.text] : [])));
  const words = args
    .filter((text, index) => !isProse(text, args[index - 1] ?? "", run))
    // For a wrapper, only the values of its own options.
    .filter((_, index, all) => !isWrapper || /^-\w/.test(all[index - 1] ?? ""))
    .filter((text) => !read.has(text) && !text.includes(GAP) && text.length < MAX_WORD);
  // A folder and the name of a file in it may be two arguments; with incoming data, any argument may be the folder.
  const comesIn = run.is("socket-tool") || effects.some((effect) => effect.does === "network" && effect.way !== "out");
  const mayBeFolder = (word: string) => (comesIn ? !word.startsWith("-") : /^[/~.]/.test(word));
  const folders = fetches ? words.filter(mayBeFolder).slice(0, MAX_FOLDERS) : [];
  const joined = folders.flatMap((folder) => words.map((word) => join(folder, word)));
  for (const text of [...words, ...joined])
    for (const word of [text, ...text.split(/[=:,\s]/).slice(1)]) {
      const whole = /[/.~]/.test(word) ? fromFolder(word, command.folder, call) : undefined;
      const place = whole === undefined ? undefined : paths.holds(whole);
      if (place !== undefined) return place;
    }
  return undefined;
}

/** Whether an argument is text for people or for a service: the body of an issue, a message, a prompt, data to send. */
function isProse(text: string, before: string, run: CommandRun): boolean {
  if (!/\s/.test(text)) return false;
  if (run.is("takes-text") || AGENTS().has(basename(run.name))) return true;
  const [option = "", value] = text.startsWith("-") ? text.split("=", 2) : [before, text];
  return TEXT_OPTION.test(option) && value !== undefined && !value.startsWith("@");
}

const AGENTS = once(() => new Set(ADAPTERS.map(({ program }) => program)));
const TEXT_OPTION =
  /^(?:-m|--(?:message|body|title|subject|summary|description|notes?|comment|text|reason|grep|prompt|data(?:-\w+)?|form|json))$/;
/** Options of searches whose value is a name. */
const NAME_OPTIONS: ReadonlySet<string | undefined> = new Set(["-name", "-iname"]);
const MAX_FOLDERS = 16;
const FEW = 3;
const MAX_LIST = 256 * 1024;
const MAX_WORDS = 2000;
const MAX_WORD = 4096;
