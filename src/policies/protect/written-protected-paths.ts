import { statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import type { CallEffects, Effect } from "../../effects/effect.ts";
import { linksMade } from "../../effects/made-links.ts";
import { GAP, type SimpleCommand } from "../../effects/parse/command.ts";
import { pathsOnDisk } from "./glob-on-disk.ts";
import type { ProtectedPlace } from "./places.ts";
import type { ProtectedPaths } from "./protected-paths.ts";

/** A protected place that a call would change, and how. */
export interface ProtectedWrite {
  readonly place: ProtectedPlace;
  readonly how: string;
}

/** The first protected place that the effects of a call write, delete, replace or lock away. */
export function writtenProtectedPath(act: CallEffects, territory: ProtectedPaths): ProtectedWrite | undefined {
  for (const effect of act.effects) {
    const place = isTouch(effect) && effect.does !== "read" ? touched(effect, act, territory) : undefined;
    if (place !== undefined) return { place, how: effect.does === "delete" ? "removes" : "changes" };
  }
  const place = linkedPlace(act, territory);
  return place && { place, how: "links to" };
}

type Touch = Extract<Effect, { isTree: boolean }>;

function isTouch(effect: Effect): effect is Touch {
  return effect.does === "read" || effect.does === "write" || effect.does === "delete";
}

function touched(effect: Touch, act: CallEffects, territory: ProtectedPaths): ProtectedPlace | undefined {
  const { path } = effect;
  if (path.text.includes(GAP)) return territory.endsLike(path.text);
  const whole = absolutePath(path.text, act);
  if (whole === undefined) return undefined;
  if (path.isGlob) return touchedByGlob(effect, whole, act, territory);
  return firstOf(targetsOf(effect, whole, act), (target) => touchedAt(target, effect, territory));
}

function touchedAt(target: string, effect: Touch, territory: ProtectedPaths): ProtectedPlace | undefined {
  const { does, program } = effect;
  const place = territory.holds(target);
  if (place !== undefined) return place;
  // What git takes away it knows best itself; see git-swaps.
  if (does === "delete") return program === "git" ? undefined : territory.liesIn(target);
  if (!replaces(effect)) return undefined;
  return territory.ownsFolder(target) ?? (locksTree(effect) ? territory.liesIn(target) : undefined);
}

/** By what the glob could name, and by what it names on disk now: that may lead elsewhere. */
function touchedByGlob(
  effect: Touch,
  glob: string,
  act: CallEffects,
  territory: ProtectedPaths,
): ProtectedPlace | undefined {
  const { does, program, isTree } = effect;
  const findsHidden = act.commands.some(findsHiddenNames);
  // Without -r, and by `find -delete`, no folder goes that something is in.
  const isWhole = isTree || !/^g?rm$/.test(program);
  const takesFolders = does !== "delete" || program === "git" ? undefined : isWhole ? "any" : "own";
  const makesNames = does === "write" && COPIES.test(program);
  const passesBy = act.commands.some(leavesOutModules) ? "node_modules" : undefined;
  const meant = territory.meantBy(glob, { takesFolders, findsHidden, makesNames, passesBy });
  if (meant !== undefined) return meant;
  const sources = makesNames ? copiedNames(effect, act, findsHidden).map((name) => join(dirname(glob), name)) : [];
  return firstOf([...sources, ...pathsOnDisk(glob, findsHidden)], (target) =>
    does === "delete" && !isWhole ? territory.holds(target) : touchedAt(target, effect, territory),
  );
}

/** The names that files have which a command copies, where it names them by a glob. */
function copiedNames(effect: Touch, act: CallEffects, findsHidden: boolean): string[] {
  const globs = sourcesOf(effect, act).flatMap(({ path }) => (path.isGlob ? (absolutePath(path.text, act) ?? []) : []));
  return globs.flatMap((glob) => pathsOnDisk(glob, findsHidden)).map((path) => basename(path));
}

/** `shopt -s dotglob` of bash, `setopt globdots` of zsh. */
function findsHiddenNames({ args }: SimpleCommand): boolean {
  return args.some(({ text }) => /^(?:dotglob|glob_?dots)$/i.test(text));
}

/** `find . -not -path './node_modules/*'`, or with `-prune`. */
function leavesOutModules({ args, source }: SimpleCommand): boolean {
  const words = args.map(({ text }) => text).join(" ");
  return LEAVES_OUT_MODULES.test(words) || LEAVES_OUT_MODULES.test(source.replaceAll(/['"\\]/g, ""));
}

/** A link to a protected file is a second way to it. */
function linkedPlace(act: CallEffects, territory: ProtectedPaths): ProtectedPlace | undefined {
  return firstOf(linksMade(act.commands), ({ to, from, name, inside, isGlob, command }) => {
    if (to.includes(GAP) || !saysLink(act.commands[command])) return undefined;
    const isFree = from === "the start" || isAbsolute(to) || to.startsWith("~");
    const folders = [name, inside].flatMap((at) => (at === undefined || at.includes(GAP) ? [] : dirname(at)));
    const paths = isFree ? [to] : folders.map((folder) => join(folder, to));
    return firstOf(paths, (path) => {
      const whole = absolutePath(path, act);
      if (whole === undefined) return undefined;
      if (!isGlob) return territory.holds(whole) ?? territory.ownsFolder(whole);
      const found = pathsOnDisk(whole);
      return territory.meantBy(whole) ?? firstOf(found, (one) => territory.holds(one) ?? territory.ownsFolder(one));
    });
  });
}

/** A copy is a link only where that is written: what only the run knows is seldom such an option. */
function saysLink(command: SimpleCommand | undefined): boolean {
  const { program, args = [] } = command ?? {};
  const isCopy = /(?:^|\/)g?cp$/.test(program?.text ?? "");
  return !isCopy || args.some(({ text }) => /^(?:-[a-zA-Z]*[sl]|--(?:sy|l))/.test(text));
}

function firstOf<T>(list: readonly T[], find: (one: T) => ProtectedPlace | undefined): ProtectedPlace | undefined {
  for (const one of list) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whoever copies into a folder that is there makes a file in it, of the same name. */
function targetsOf(effect: Touch, whole: string, act: CallEffects): string[] {
  if (effect.does !== "write" || !COPIES.test(effect.program) || !isFolder(whole)) return [whole];
  return [whole, ...sourcesOf(effect, act).map(({ path }) => join(whole, basename(path.text)))];
}

function sourcesOf({ command }: Touch, act: CallEffects): Touch[] {
  return act.effects.filter(
    (other): other is Touch => isTouch(other) && other.does === "read" && other.command === command,
  );
}

function replaces({ program, isTree }: Touch): boolean {
  return isTree || COPIES.test(program) || PERMITS.test(program);
}

function locksTree({ program, isTree }: Touch): boolean {
  return isTree && PERMITS.test(program);
}

/** A path of a call from the root of the disk; nothing where that cannot be said. */
export function absolutePath(text: string, { place: { cwd, home } }: Pick<CallEffects, "place">): string | undefined {
  if (/^~(?=\/|$)/.test(text)) return home === undefined ? undefined : home + text.slice(1);
  if (text.startsWith("~")) return undefined;
  if (isAbsolute(text)) return text;
  return cwd === undefined ? undefined : resolve(cwd, text);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

const COPIES = /^g?(?:cp|mv|ln|link|install|rsync|ditto)$/;
const PERMITS = /^g?(?:chmod|chown|chgrp|chattr|chflags|setfacl|nfs4_setfacl|xattr|setfattr|icacls|takeown)$/;
const LEAVES_OUT_MODULES =
  /(?:(?:-not|!) -(?:path|wholename) (?:\.\/|\*\/|\*)node_modules(?:\/\*|\*)|-(?:path|name) (?:\.\/|\*\/)?node_modules -prune)(?: |$)/;
