import { statSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import { once } from "../../event/once.ts";
import { diskEntry, type EntryCache, foldersAbove, lexicalAndResolved } from "../../fs/resolve-path.ts";
import type { ProtectionContext } from "./protection-context.ts";
import { type ProtectedPlace, protectedPlaces } from "./places.ts";

/** A place with its path by its letters and by where it leads. */
interface SpelledPlace {
  readonly place: ProtectedPlace;
  readonly paths: readonly string[];
}

/** The places, and who finds them by a path: dozens of them are asked about with every call. */
export interface ProtectedPathIndex {
  readonly all: readonly SpelledPlace[];
  /** The first place that this path is, or lies in. */
  at(path: string): ProtectedPlace | undefined;
  /** Whether a place lies in this folder. */
  isAround(folder: string): boolean;
}

/**
 * The protected places with where they lead. Links on the way to them hardly ever change, so that is remembered; and each
 * time the disk is asked whether it is still so: a folder in which an entry came, went or was replaced says so by its time.
 */
export function protectedPathIndex(context: ProtectionContext, fold: (path: string) => string): ProtectedPathIndex {
  const key = keyOf(context);
  const known = KNOWN.get(key);
  if (known?.isStillSo()) return known.spelled;
  const links: EntryCache = new Map();
  const spelled = indexed(
    protectedPlaces(context).map((place) => ({ place, paths: lexicalAndResolved(place.path, links).map(fold) })),
  );
  if (context.program !== undefined) lexicalAndResolved(resolve(context.program), links);
  const isStillSo = watch(links);
  if (KNOWN.size >= MOST_KNOWN) KNOWN.clear();
  if (isStillSo === undefined) KNOWN.delete(key);
  else KNOWN.set(key, { spelled, isStillSo });
  return spelled;
}

function indexed(all: readonly SpelledPlace[]): ProtectedPathIndex {
  const files = new Map<string, number>();
  const trees = new Map<string, number>();
  for (const [order, { place, paths }] of all.entries())
    for (const path of paths) {
      const index = place.kind === "tree" ? trees : files;
      if (!index.has(path)) index.set(path, order);
    }
  const around = once(() => new Set(all.flatMap(({ paths }) => paths.flatMap(foldersAbove))));
  return {
    all,
    isAround: (folder) => around().has(folder),
    at: (path) => {
      let first = files.get(path) ?? all.length;
      for (let end = path.length; end > 0; end = path.lastIndexOf(sep, end - 1))
        first = Math.min(first, trees.get(end === path.length ? path : path.slice(0, end)) ?? first);
      return all[first]?.place;
    },
  };
}

interface Known {
  readonly spelled: ProtectedPathIndex;
  isStillSo(): boolean;
}

function keyOf({ root, home, env, files = [], program = "", platform = process.platform }: ProtectionContext): string {
  const { XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME, XDG_RUNTIME_DIR, HOME } = env;
  const told = [platform, root, home, program, XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME, XDG_RUNTIME_DIR, HOME];
  return [...told, ...files].join("\0");
}

/** Tells later whether entries are what they were; nothing where that could not be told. */
function watch(links: EntryCache): (() => boolean) | undefined {
  const byFolder = new Map<string, string[]>();
  for (const path of links.keys()) byFolder.set(dirname(path), [...(byFolder.get(dirname(path)) ?? []), path]);
  const checks: (() => boolean)[] = [];
  for (const [folder, paths] of byFolder) {
    const seen = paths.length < FEW ? undefined : timeOf(folder);
    if (seen === "young") return undefined;
    if (seen === undefined) checks.push(...paths.map((path) => () => isSame(path, links)));
    else checks.push(() => timeOf(folder) === seen);
  }
  return () => checks.every((check) => check());
}

function isSame(path: string, links: EntryCache): boolean {
  const [before, now] = [links.get(path), diskEntry(path)];
  return before?.kind === "link" ? now.kind === "link" && now.target === before.target : now.kind === before?.kind;
}

/** Which folder it is and when it last changed; `young` when a change might not show yet. */
function timeOf(folder: string): string | undefined {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  const { dev, ino, ctimeMs } = found;
  return Date.now() - ctimeMs < SETTLED_MS ? "young" : `${dev} ${ino} ${ctimeMs}`;
}

const KNOWN = new Map<string, Known>();
const MOST_KNOWN = 20;
/** So few entries are looked at one by one: their folder may change often for other reasons. */
const FEW = 3;
/** The times of folders go by steps; within one, a change may not show. */
const SETTLED_MS = 100;
