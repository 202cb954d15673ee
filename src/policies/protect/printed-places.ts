import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { CallEffects, PathEffect } from "../../effects/effect.ts";
import { isPathEffect } from "../../effects/effect.ts";
import { ownCommands } from "../../effects/own-command.ts";
import { GAP, type SimpleCommand, type Word } from "../../effects/parse/command.ts";
import { isProgram, programNamed } from "../../effects/programs/program-name.ts";
import { isReadOnlyRun } from "../../effects/programs/tell-program.ts";
import { changesPrintedPath, giversOf } from "../../effects/substitution-sources.ts";
import { isWithin } from "../../fs/resolve-path.ts";
import { effectsOf, isUndescribed, wrappersOf } from "./effects-by-command.ts";
import { namesUs } from "./ended-processes.ts";
import { pathsOnDisk } from "./glob-on-disk.ts";
import { holdsLetters, letsThrough } from "./listed-files.ts";
import type { ProtectedPlace } from "./places.ts";
import type { ProtectedPaths } from "./protected-paths.ts";
import { absolutePath, type ProtectedWrite } from "./written-protected-paths.ts";

/** A protected place that another command of the line may print, for a command that changes what is printed. */
export function printedPlace(call: CallEffects, paths: ProtectedPaths): ProtectedWrite | undefined {
  for (const effect of call.effects) {
    if (!isPathEffect(effect) || effect.does === "read" || !effect.path.text.includes(GAP)) continue;
    const place = givenTo(effect, call, paths);
    if (place !== undefined)
      return { place, how: `${effect.does === "delete" ? "removes" : "changes"}, by a name that a command prints,` };
  }
  return undefined;
}

function givenTo(effect: PathEffect, call: CallEffects, paths: ProtectedPaths): ProtectedPlace | undefined {
  const chains = changesPrintedPath(effect, call) ? giversOf(effect.command, call.commands) : [];
  const readers = call.commands.filter(({ program }) => isProgram("fills-variables", program?.text ?? ""));
  const tail = effect.path.text.slice(effect.path.text.lastIndexOf(GAP) + GAP.length);
  if (/^\/./.test(tail)) return inPrintedFolder(tail, chains.flat(), call, paths);
  for (const chain of [...chains, ...readers.map((one) => [one])]) {
    for (const [index, source] of chain.entries()) {
      const place = printedBy(source, call, paths, chain.slice(0, index));
      if (place !== undefined) return place;
    }
  }
  return undefined;
}

/** A protected place in a folder that a command prints: one that it is given, the folder around that, or its own. */
function inPrintedFolder(
  tail: string,
  givers: readonly SimpleCommand[],
  call: CallEffects,
  paths: ProtectedPaths,
): ProtectedPlace | undefined {
  for (const { args, folder } of givers) {
    const given = args.flatMap(({ text }) => (text.startsWith("-") ? [] : (fromFolder(text, folder, call) ?? [])));
    const own = absolutePath(folder, call) ?? folder;
    for (const at of [...given.flatMap((one) => [one, dirname(one)]), own]) {
      const place = paths.holds(join(at, tail));
      if (place !== undefined) return place;
    }
  }
  return undefined;
}

/** A protected place among what a command may print, as far as those behind it let it through. */
function printedBy(
  command: SimpleCommand,
  call: CallEffects,
  paths: ProtectedPaths,
  filters: readonly SimpleCommand[],
): ProtectedPlace | undefined {
  const at = call.commands.indexOf(command);
  const isLet = (place: ProtectedPlace) => filters.every((filter) => letsThrough(filter, place.path));
  for (const read of call.effects) {
    if (read.does !== "read" || read.command !== at) continue;
    const whole = absolutePath(read.path.text, call);
    if (whole === undefined) continue;
    const place = read.isTree ? listedIn(whole, command, paths) : linesOf(whole, call, paths);
    if (place !== undefined && isLet(place)) return place;
  }
  // `git ls-files`: all that lies below, as far as filters let it through.
  if (isProgram("version-control", command.program?.text ?? "") && command.args.length < FEW) {
    const folder = absolutePath(command.folder, call);
    // `git ls-files ..` goes on above.
    const climbs = command.args.some(({ text }) => /^(?:\.\.|[:/~])/.test(text));
    const isListed = ({ path }: ProtectedPlace) => climbs || (folder !== undefined && isWithin(folder, path));
    const place = paths.places.find((one) => isListed(one) && existsSync(one.path) && isLet(one));
    if (place !== undefined) return place;
  }
  // Code that looks for the package finds it.
  const isCode = call.effects.some(
    (effect) => effect.does === "run" && effect.command === at && effect.code !== undefined,
  );
  if (isCode && namesUs(command.source))
    return paths.places.find(({ kind, path }) => kind === "tree" && path.includes("sluice"));
  // `ls -d a/*`, `readlink -f a`, `git ls-files`: what is named is printed, or what leads there.
  for (const word of command.args) {
    const place = word.text.startsWith("-") ? undefined : namedBy(word, command, call, paths);
    if (place !== undefined && isLet(place)) return place;
  }
  return undefined;
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

/** A word of a command as a path. */
export function fromFolder(text: string, folder: string, call: CallEffects): string | undefined {
  return absolutePath(/^[/~]/.test(text) ? text : join(folder, text), call);
}

/** What a search below a folder finds, by the names that it looks for. */
function listedIn(folder: string, { program, args }: SimpleCommand, paths: ProtectedPaths): ProtectedPlace | undefined {
  const names = args.flatMap(({ text }, at) => (/^-i?name$/.test(args[at - 1]?.text ?? "") ? [text] : []));
  if (names.length === 0) {
    const pattern = isProgram("text-search", program?.text ?? "")
      ? args.find(({ text }) => !text.startsWith("-"))?.text
      : undefined;
    const place = paths.holds(folder) ?? paths.liesIn(folder);
    return place === undefined || pattern === undefined || (place.kind === "file" && holdsLetters(place.path, pattern))
      ? place
      : undefined;
  }
  return names
    .map((name) => {
      const glob = join(folder, "**", name);
      const found = () => pathsOnDisk(glob, true).map((one) => paths.holds(one));
      return paths.meantBy(glob, { findsHidden: true }) ?? found().find((place) => place !== undefined);
    })
    .find((place) => place !== undefined);
}

/** A protected path that stands in a short list in a file. */
function linesOf(path: string, call: CallEffects, paths: ProtectedPaths): ProtectedPlace | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile() || found.size > LONGEST_LIST) return undefined;
  for (const word of readFileSync(path, "utf8").split(/\s+/).slice(0, MOST_WORDS)) {
    const whole = word === "" ? undefined : absolutePath(word, call);
    const place = whole === undefined ? undefined : paths.holds(resolve(whole));
    if (place !== undefined) return place;
  }
  return undefined;
}

/** A protected file that stands on the command line of a program of which nothing is known, or that fetches it from elsewhere. */
export function namedByUnread(call: CallEffects, paths: ProtectedPaths): string | undefined {
  for (const [at, command] of call.commands.entries()) {
    if (command.args.length === 0 || ownCommands(command).length > 0) continue;
    const own = effectsOf(at, call);
    const name = command.program?.text ?? "";
    const fetches = own.some((effect) => effect.does === "network") || isProgram("socket-tool", name);
    const isUnread = isUndescribed(command, at, call);
    const isWrapper = wrappersOf(call.commands).has(name);
    const isCode = own.some((effect) => effect.does === "run" && effect.code !== undefined);
    const isTold = command.source.includes("<(") && isReadOnlyRun(programNamed(name), command.args) !== true;
    if (!fetches && !isUnread && !isWrapper && !isTold) continue;
    const inside =
      (isUnread || isTold) && !isCode ? paths.places.find(({ path }) => command.source.includes(path)) : undefined;
    if (inside !== undefined) return `\`${name}\` is given ${inside.path}, ${inside.what}, and may write to it`;
    const read = new Set(own.flatMap((effect) => (effect.does === "read" ? [effect.path.text] : [])));
    const words = command.args
      .map(({ text }) => text)
      // Of a wrapper, only the values of its own options.
      .filter((_, index, all) => !isWrapper || /^-\w/.test(all[index - 1] ?? ""))
      .filter((text) => !text.includes(GAP) && text.length < LONGEST_WORD);
    // A folder and the name of a file in it may be two words.
    const folders = fetches ? words.filter((word) => /^[/~.]/.test(word)).slice(0, MOST_FOLDERS) : [];
    const joined = folders.flatMap((folder) => words.map((word) => join(folder, word)));
    for (const text of [...words, ...joined]) {
      if (read.has(text)) continue;
      for (const word of [text, ...text.split(/[=:,\s]/).slice(1)]) {
        const whole = /[/.~]/.test(word) ? fromFolder(word, command.folder, call) : undefined;
        const place = whole === undefined ? undefined : paths.holds(whole);
        if (place !== undefined)
          return `\`${command.program?.text ?? ""}\` is given ${place.path}, ${place.what}, and may write to it`;
      }
    }
  }
  return undefined;
}

const MOST_FOLDERS = 4;
const FEW = 3;
const LONGEST_LIST = 256 * 1024;
const MOST_WORDS = 2000;
const LONGEST_WORD = 4096;
