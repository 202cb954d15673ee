import { dirname, resolve, sep } from "node:path";
import { once } from "../../event/once.ts";
import { diskEntry, type EntryCache, foldersAbove, lexicalAndResolved, statsAt } from "../../fs/resolve-path.ts";
import { type ProtectedPlace, protectedPlaces } from "./places.ts";
import type { ProtectionContext } from "./protection-context.ts";

/** A place with its lexical and its resolved path. */
interface SpelledPlace {
  readonly place: ProtectedPlace;
  readonly paths: readonly string[];
}

/** The places, found by a path: dozens of paths are looked up for every call. */
export interface ProtectedPathIndex {
  readonly all: readonly SpelledPlace[];
  /** The first place that is this path, or contains it. */
  at(path: string): ProtectedPlace | undefined;
  /** Whether this folder contains a place. */
  isAround(folder: string): boolean;
}

/**
 * The protected places with their resolved paths. Links on the way to them hardly ever change, so the result is cached; each
 * call checks the times of the folders, which change if an entry is added, removed or replaced.
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
  if (KNOWN.size >= MAX_KNOWN) KNOWN.clear();
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
  const values = [
    platform,
    root,
    home,
    program,
    XDG_CONFIG_HOME,
    XDG_STATE_HOME,
    XDG_CACHE_HOME,
    XDG_RUNTIME_DIR,
    HOME,
  ];
  return [...values, ...files].join("\0");
}

/** Returns a check that the entries have not changed; undefined if that cannot be checked. */
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

/** The identity of a folder and its last change; `young` if a further change might not show yet. */
function timeOf(folder: string): string | undefined {
  const found = statsAt(folder);
  if (found === undefined) return undefined;
  const { dev, ino, ctimeMs } = found;
  return Date.now() - ctimeMs < SETTLED_MS ? "young" : `${dev} ${ino} ${ctimeMs}`;
}

const KNOWN = new Map<string, Known>();
const MAX_KNOWN = 20;
/** So few entries are checked one by one, because their folder may change often for other reasons. */
const FEW = 3;
/** Folder times are coarse: within this time, a change may not show. */
const SETTLED_MS = 100;
