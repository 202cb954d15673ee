import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { configHome } from "../../config/locate.ts";
import {
  type CallEffects,
  GAP,
  isPathChange,
  linksMade,
  type PathChange,
  type PathEffect,
  runsOf,
  type SimpleCommand,
} from "../../effects/index.ts";
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
  /** It may be among the files that a command lists, which are not known before. */
  readonly isGuess?: true;
}

/** The first protected place that the effects of a call write, delete, replace, lock away or link to. */
export function writtenProtectedPath(call: CallEffects, paths: ProtectedPaths): ProtectedWrite | undefined {
  const seen = new Set<string>();
  let guess: ProtectedWrite | undefined;
  for (const effect of call.effects) {
    if (!isPathChange(effect) || isRepeated(effect, seen)) continue;
    const place = changedBy(effect, call, paths);
    if (place === undefined) continue;
    const found = { place, how: effect.does === "delete" ? "removes" : "changes" };
    if (!isListed(effect)) return found;
    guess ??= { ...found, isGuess: true };
  }
  const place = linkedPlace(call, paths);
  return place === undefined ? guess : { place, how: "links to" };
}

/** Whether the same change of the same path was checked before. An unknown path may depend on its command. */
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
  // A variable may contain a pattern that the shell has expanded already.
  return path.isGlob || (!path.isKnown && isPattern(whole))
    ? changedByGlob(effect, whole, call, paths)
    : changedAt(whole, effect, paths);
}

/** `.sluice/$name`: the unknown part is in a known folder. */
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
  // For files that git selects, git itself is asked: see git-overwrites.
  if (does === "delete") return by === "pick" ? undefined : paths.liesIn(target);
  if (!isTree && !REPLACES.has(by)) return undefined;
  const found = paths.ownsFolder(target) ?? (isTree && by === "access" ? paths.liesIn(target) : undefined);
  if (by !== "access" || found === undefined || !isAbsentProgram(found)) return found;
  return paths.places.find((one) => isWithin(target, one.path) && !isAbsentProgram(one));
}

/** Where Sluice is not installed, the owner and mode of the folder around it do not matter. */
function isAbsentProgram({ what, path }: ProtectedPlace): boolean {
  return what === PROGRAM && !existsSync(path);
}

/** By what the glob could match, and by what it matches on disk now, which may lead elsewhere. */
function changedByGlob(
  effect: PathEffect,
  glob: string,
  call: CallEffects,
  paths: ProtectedPaths,
): ProtectedPlace | undefined {
  const { does, by, isTree } = effect;
  const { findsHidden, passesBy } = globbing(call);
  // A deletion that is not recursive does not remove a folder with content.
  const isWhole = isTree || TAKES_FOLDERS.has(by);
  const takesFolders = does !== "delete" || by === "pick" ? undefined : isWhole ? "any" : "own";
  const makesNames = does === "write" && PUTS.has(by);
  const isFromList = isListed(effect);
  // For files that keep their names, see arriving-trees.
  if (isFromList && beforeListed(effect.source?.text ?? "") !== undefined) return undefined;
  const isReachedHere = isFromList ? (place: ProtectedPlace) => isReached(place, effect, call) : undefined;
  const meant = paths.meantBy(glob, { takesFolders, findsHidden, makesNames, passesBy, isReached: isReachedHere });
  if (meant !== undefined || isFromList) return meant;
  const names = makesNames ? copiedNames(effect, call, findsHidden).map((name) => join(dirname(glob), name)) : [];
  return firstOf([...names, ...pathsOnDisk(glob, findsHidden)], (target) =>
    does === "delete" && !isWhole ? paths.holds(target) : changedAt(target, effect, paths),
  );
}

/** The names of the files that a command copies, if it names them by a glob. */
function copiedNames({ source }: PathEffect, call: CallEffects, findsHidden: boolean): string[] {
  const glob = source?.isGlob ? absolutePath(source.text, call) : undefined;
  return glob === undefined ? [] : pathsOnDisk(glob, findsHidden).map((path) => basename(path));
}

/** How the commands of a call expand patterns, computed once for a call. */
function globbing(call: CallEffects) {
  const known = GLOBBING.get(call.commands);
  if (known !== undefined) return known;
  const all = runsOf(call).map(({ args }) => args);
  const fresh = {
    // `shopt -s dotglob` of bash, `setopt globdots` of zsh.
    findsHidden: all.flat().some((text) => /^(?:dotglob|glob_?dots)$/i.test(text)),
    // `-not -path './node_modules/*'`, or with `-prune`, in searches for files.
    passesBy: all.some((args) => LEAVES_OUT_MODULES().test(args.join(" "))) ? "node_modules" : undefined,
  };
  GLOBBING.set(call.commands, fresh);
  return fresh;
}

const GLOBBING = new WeakMap<
  CallEffects["commands"],
  { readonly findsHidden: boolean; readonly passesBy: string | undefined }
>();

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

/** A patch that cannot be read before it is applied, in a folder with protected places. */
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

/** Replaces a leading variable for one of Sluice's own folders by that folder. */
function withoutVariable(text: string, command: SimpleCommand | undefined): string {
  if (!text.startsWith(GAP)) return text;
  const [, name = ""] = /\$\{?(XDG_(?:CONFIG|STATE)_HOME)\b/.exec(command?.source ?? "") ?? [];
  const folder = name === "" ? undefined : name === "XDG_STATE_HOME" ? dirname(stateDir()) : configHome();
  return folder === undefined ? text : folder + text.slice(GAP.length);
}

/** Replaces the links of a process to its working directory and to the root. */
function withoutProc(text: string, cwd: string): string {
  return text.replace(PROC, (_, link: string) => (link === "cwd" ? `${cwd}/` : "/"));
}

/** `/proc/self/cwd/../a` leads to the parent folder, which the lexical path does not show. */
function aboveFolder(text: string, { place }: CallEffects, paths: ProtectedPaths): ProtectedPlace | undefined {
  const tails = [text.replace(/^\/proc\/[^/]+/, ""), text.replace(/^\/proc/, "")];
  for (let at = place.cwd ?? "/"; ; at = dirname(at)) {
    const place = firstOf(tails, (tail) => paths.holds(join(at, tail)));
    if (place !== undefined || at === dirname(at)) return place;
  }
}

/** A path of a call as an absolute path; undefined if that is not known. */
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

/** Changes that put something else at a path. */
const PUTS: ReadonlySet<PathChange | undefined> = new Set(["copy", "replace", "move", "link"]);
/** Changes of a folder that remove the place for which it exists. */
const REPLACES: ReadonlySet<PathChange | undefined> = new Set([...PUTS, "access"]);
/** Changes that remove a folder with everything in it. */
const TAKES_FOLDERS: ReadonlySet<PathChange | undefined> = new Set(["move", "trash", "replace"]);
const LEAVES_OUT_MODULES = () =>
  /(?:(?:-not|!) -(?:path|wholename) (?:\.\/|\*\/|\*)node_modules(?:\/\*|\*)|-(?:path|name) (?:\.\/|\*\/)?node_modules -prune)(?: |$)/;
const PROC = new RegExp(`^/proc/(?:[a-z-]+|\\d+|${GAP})/(?:task/[^/]+/)?(cwd|root)(?:/|$)`);
const PROC_UP = /\/proc\/[^\s]*\/(?:cwd|root)\/+(?:\.\/+)*\.\./;
