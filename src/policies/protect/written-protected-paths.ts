import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { configHome } from "../../config/locate.ts";
import { type CallEffects, isPathEffect, type PathChange, type PathEffect } from "../../effects/effect.ts";
import { linksMade } from "../../effects/made-links.ts";
import { GAP, type SimpleCommand } from "../../effects/parse/command.ts";
import { isWithin } from "../../fs/resolve-path.ts";
import { stateDir } from "../../fs/state-dir.ts";
import { isPattern } from "./glob-names.ts";
import { pathsOnDisk } from "./glob-on-disk.ts";
import { beforeListed, isListed, isReached } from "./listed-files.ts";
import { PROGRAM, type ProtectedPlace } from "./places.ts";
import type { ProtectedPaths } from "./protected-paths.ts";

/** A protected place that a call would change, and how. */
export interface ProtectedWrite {
  readonly place: ProtectedPlace;
  readonly how: string;
  /** It may be among the files that a command lists; which they are is not known before. */
  readonly isGuess?: true;
}

/** The first protected place that the effects of a call write, delete, replace, lock away or link to. */
export function writtenProtectedPath(call: CallEffects, paths: ProtectedPaths): ProtectedWrite | undefined {
  const seen = new Set<string>();
  let guess: ProtectedWrite | undefined;
  for (const effect of call.effects) {
    if (!isPathEffect(effect) || effect.does === "read" || isRepeated(effect, seen)) continue;
    const place = changedBy(effect, call, paths);
    if (place === undefined) continue;
    const found = { place, how: effect.does === "delete" ? "removes" : "changes" };
    if (!isListed(effect)) return found;
    guess ??= { ...found, isGuess: true };
  }
  const place = linkedPlace(call, paths);
  return place === undefined ? guess : { place, how: "links to" };
}

/** Whether the same change of the same path was looked at before. What a path is may depend on the command where it is not in its letters. */
function isRepeated(effect: PathEffect, seen: Set<string>): boolean {
  const { does, by, isTree, path, source } = effect;
  if (isListed(effect) || path.text.includes(GAP) || path.text.startsWith("/proc/")) return false;
  const key = [does, by, isTree, path.isGlob, path.isKnown, source?.isGlob, source?.text, path.text].join("\0");
  return seen.size === seen.add(key).size;
}

function changedBy(effect: PathEffect, call: CallEffects, paths: ProtectedPaths): ProtectedPlace | undefined {
  const { path } = effect;
  const text = withoutVariable(path.text, call.commands[effect.command]);
  if (withoutProc(text, "").includes(GAP)) return inKnownFolder(text, call, paths) ?? paths.endsLike(text);
  if (text.startsWith("/proc/") && PROC_UP.test(call.commands[effect.command]?.source ?? ""))
    return aboveFolder(text, call, paths);
  const whole = absolutePath(text, call);
  if (whole === undefined) return undefined;
  // A variable may hold a pattern that the shell has filled in before.
  return path.isGlob || (!path.isKnown && isPattern(whole))
    ? changedByGlob(effect, whole, call, paths)
    : changedAt(whole, effect, paths);
}

/** `.sluice/$name`: what only the run knows lies in a folder that is known. */
function inKnownFolder(text: string, call: CallEffects, paths: ProtectedPaths): ProtectedPlace | undefined {
  const before = text.slice(0, text.indexOf(GAP));
  const folder = before.slice(0, before.lastIndexOf("/"));
  const whole = folder === "" || isPattern(folder) ? undefined : absolutePath(folder, call);
  return whole === undefined ? undefined : paths.holds(whole);
}

function changedAt(target: string, effect: PathEffect, paths: ProtectedPaths): ProtectedPlace | undefined {
  const { does, by, isTree } = effect;
  const place = paths.holds(target);
  if (place !== undefined) return place;
  // What git picks by itself, git is asked about: see git-overwrites.
  if (does === "delete") return by === "pick" ? undefined : paths.liesIn(target);
  if (!isTree && !REPLACES.has(by)) return undefined;
  const found = paths.ownsFolder(target) ?? (isTree && by === "access" ? paths.liesIn(target) : undefined);
  if (by !== "access" || found === undefined || !isAbsentProgram(found)) return found;
  return paths.places.find((one) => isWithin(target, one.path) && !isAbsentProgram(one));
}

/** Where Sluice is not installed, the owner and the mode of the folder around it keep nothing from it. */
function isAbsentProgram({ what, path }: ProtectedPlace): boolean {
  return what === PROGRAM && !existsSync(path);
}

/** By what the glob could name, and by what it names on disk now: that may lead elsewhere. */
function changedByGlob(
  effect: PathEffect,
  glob: string,
  call: CallEffects,
  paths: ProtectedPaths,
): ProtectedPlace | undefined {
  const { does, by, isTree } = effect;
  const { findsHidden, passesBy } = globbing(call);
  // A deletion that is no tree takes no folder that something is in.
  const isWhole = isTree || TAKES_FOLDERS.has(by);
  const takesFolders = does !== "delete" || by === "pick" ? undefined : isWhole ? "any" : "own";
  const makesNames = does === "write" && PUTS.has(by);
  const isFromList = isListed(effect);
  // Files that keep their names: see arriving-trees.
  if (isFromList && beforeListed(effect.source?.text ?? "") !== undefined) return undefined;
  const isReachedHere = isFromList ? (place: ProtectedPlace) => isReached(place, effect, call) : undefined;
  const meant = paths.meantBy(glob, { takesFolders, findsHidden, makesNames, passesBy, isReached: isReachedHere });
  if (meant !== undefined || isFromList) return meant;
  const names = makesNames ? copiedNames(effect, call, findsHidden).map((name) => join(dirname(glob), name)) : [];
  return firstOf([...names, ...pathsOnDisk(glob, findsHidden)], (target) =>
    does === "delete" && !isWhole ? paths.holds(target) : changedAt(target, effect, paths),
  );
}

/** The names that files have which a command copies, where it names them by a glob. */
function copiedNames({ source }: PathEffect, call: CallEffects, findsHidden: boolean): string[] {
  const glob = source?.isGlob ? absolutePath(source.text, call) : undefined;
  return glob === undefined ? [] : pathsOnDisk(glob, findsHidden).map((path) => basename(path));
}

/** How the commands of a call fill in patterns; found out once for all that it changes. */
function globbing({ commands }: CallEffects): Globbing {
  const known = GLOBBING.get(commands);
  if (known !== undefined) return known;
  const fresh: Globbing = {
    findsHidden: commands.some(findsHiddenNames),
    passesBy: leavesOutModules(commands) ? "node_modules" : undefined,
  };
  GLOBBING.set(commands, fresh);
  return fresh;
}

interface Globbing {
  readonly findsHidden: boolean;
  readonly passesBy: string | undefined;
}

const GLOBBING = new WeakMap<CallEffects["commands"], Globbing>();

/** `shopt -s dotglob` of bash, `setopt globdots` of zsh. */
function findsHiddenNames({ args }: SimpleCommand): boolean {
  return args.some(({ text }) => /^(?:dotglob|glob_?dots)$/i.test(text));
}

/** `-not -path './node_modules/*'`, or with `-prune`, as searches for files are told. */
function leavesOutModules(commands: CallEffects["commands"]): boolean {
  return commands.some(({ args }) => LEAVES_OUT_MODULES().test(args.map(({ text }) => text).join(" ")));
}

/** A link to a protected file is a second way to it. */
function linkedPlace(call: CallEffects, paths: ProtectedPaths): ProtectedPlace | undefined {
  return firstOf(linksMade(call.commands), ({ to, from, name, inside, isGlob, isCertain }) => {
    if (to.includes(GAP) || !isCertain) return undefined;
    const isFree = from === "the start" || isAbsolute(to) || to.startsWith("~");
    const folders = [name, inside].flatMap((at) => (at === undefined || at.includes(GAP) ? [] : dirname(at)));
    return firstOf(isFree ? [to] : folders.map((folder) => join(folder, to)), (path) => {
      const whole = absolutePath(path, call);
      if (whole === undefined) return undefined;
      if (!isGlob) return paths.holds(whole) ?? paths.ownsFolder(whole);
      const found = pathsOnDisk(whole);
      return paths.meantBy(whole) ?? firstOf(found, (one) => paths.holds(one) ?? paths.ownsFolder(one));
    });
  });
}

/** A patch that cannot be read before it is applied, in a folder that holds protected places; what the call says of it. */
export function unreadPatch({ effects, commands, place }: CallEffects, root: string): string | undefined {
  for (const effect of effects) {
    if (effect.does !== "unknown" || effect.doubt.why !== "unread patch") continue;
    const { folder = "" } = commands[effect.command ?? -1] ?? {};
    const where = resolve(place.cwd ?? root, folder);
    if (folder.includes(GAP) || isWithin(root, where) || isWithin(where, root))
      return `\`${effect.doubt.what}\` applies a patch that could not be read before`;
  }
  return undefined;
}

/** A path that begins with a variable for one of the folders that Sluice itself lies in, with that folder in its place. */
function withoutVariable(text: string, command: SimpleCommand | undefined): string {
  if (!text.startsWith(GAP)) return text;
  const [, name = ""] = /\$\{?(XDG_(?:CONFIG|STATE)_HOME)\b/.exec(command?.source ?? "") ?? [];
  const folder = name === "" ? undefined : name === "XDG_STATE_HOME" ? dirname(stateDir()) : configHome();
  return folder === undefined ? text : folder + text.slice(GAP.length);
}

/** The system shows the folder of a process, and the root of the disk, as links of a process. */
function withoutProc(text: string, cwd: string): string {
  return text.replace(PROC, (_, link: string) => (link === "cwd" ? `${cwd}/` : "/"));
}

/** `/proc/self/cwd/../a` leads to the folder above, which the letters of the path do not say. */
function aboveFolder(text: string, { place }: CallEffects, paths: ProtectedPaths): ProtectedPlace | undefined {
  const tails = [text.replace(/^\/proc\/[^/]+/, ""), text.replace(/^\/proc/, "")];
  for (let at = place.cwd ?? "/"; ; at = dirname(at)) {
    const place = firstOf(tails, (tail) => paths.holds(join(at, tail)));
    if (place !== undefined || at === dirname(at)) return place;
  }
}

/** A path of a call from the root of the disk; nothing where that cannot be said. */
export function absolutePath(given: string, { place: { cwd, home } }: Pick<CallEffects, "place">): string | undefined {
  const text = withoutProc(given, cwd ?? ".");
  if (/^~(?=\/|$)/.test(text)) return home === undefined ? undefined : home + text.slice(1);
  if (text.startsWith("~")) return undefined;
  if (isAbsolute(text)) return text;
  return cwd === undefined ? undefined : resolve(cwd, text);
}

function firstOf<T>(list: readonly T[], find: (one: T) => ProtectedPlace | undefined): ProtectedPlace | undefined {
  for (const one of list) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Changes by which something else comes to lie at a path. */
const PUTS: ReadonlySet<PathChange | undefined> = new Set(["copy", "replace", "move", "link"]);
/** Changes of a folder that take away what was made for it. */
const REPLACES: ReadonlySet<PathChange | undefined> = new Set([...PUTS, "access"]);
/** Changes that take a folder away with all that is in it. */
const TAKES_FOLDERS: ReadonlySet<PathChange | undefined> = new Set(["move", "trash", "replace"]);
const LEAVES_OUT_MODULES = () =>
  /(?:(?:-not|!) -(?:path|wholename) (?:\.\/|\*\/|\*)node_modules(?:\/\*|\*)|-(?:path|name) (?:\.\/|\*\/)?node_modules -prune)(?: |$)/;
const PROC = new RegExp(`^/proc/(?:[a-z-]+|\\d+|${GAP})/(?:task/[^/]+/)?(cwd|root)(?:/|$)`);
const PROC_UP = /\/proc\/[^\s]*\/(?:cwd|root)\/+(?:\.\/+)*\.\./;
