import { existsSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import { entryAt } from "../fs/resolve-path.ts";
import { cachedStat, type FileStamp, isSettled, isUnchanged } from "../fs/stat-cache.ts";

/** The project that a folder belongs to: the nearest one above with hooks of its own, else the repository, else itself. */
export function findRoot(folder: string, seen: Seen = new Map()): string {
  return configuredRoot(folder, seen) ?? repositoryOf(folder, seen);
}

/** What was found in folders, for a caller that asks about several at once. */
type Seen = Map<string, readonly string[]>;

/** The nearest folder above that has hooks of its own, if there is one. */
export function configuredRoot(folder: string, seen: Seen = new Map()): string | undefined {
  return marked(folder, CONFIGURED, seen);
}

/** The repository that a folder belongs to, else the folder itself. */
export function repositoryOf(folder: string, seen: Seen = new Map()): string {
  return enclosingRepository(folder, seen) ?? resolve(folder);
}

/** The repository that a folder belongs to, if there is one. */
export function enclosingRepository(folder: string, seen: Seen = new Map()): string | undefined {
  return marked(folder, REPOSITORY, seen);
}

function marked(folder: string, marks: readonly Mark[], seen: Seen): string | undefined {
  for (let path = resolve(folder); ; path = dirname(path)) {
    const inside = within(path);
    const tops = seen.get(path) ?? topsIn(path);
    seen.set(path, tops);
    for (const { mark, top } of tops.length === 0 ? [] : marks)
      if (tops.includes(top) && (top === mark || existsSync(inside + mark))) return path;
    if (inside === path) return undefined;
  }
}

function within(path: string): string {
  return path.endsWith(sep) ? path : path + sep;
}

/**
 * Which of the marks lie right in a folder. Every call asks about the same few folders, so that is remembered for as long
 * as the folder is the same: where an entry comes or goes, its time changes. Clocks of disks are coarse, so what changed
 * just now is looked at each time.
 */
function topsIn(folder: string): readonly string[] {
  const stats = cachedStat(folder);
  const known = KNOWN.get(folder);
  if (stats !== undefined && known !== undefined && isUnchanged(known.stats, stats)) return known.tops;
  const inside = within(folder);
  const entries = TOPS.filter((top) => entryAt(inside + top) !== undefined);
  const tops = entries.filter((top) => existsSync(inside + top));
  KNOWN.delete(folder);
  if (KNOWN.size >= MAX_KNOWN) KNOWN.clear();
  // A link that leads nowhere may lead somewhere tomorrow, and the folder stays the same.
  if (stats && tops.length === entries.length && isSettled(stats, SETTLED_MS)) KNOWN.set(folder, { stats, tops });
  return tops;
}

/** The files that show what a folder is, and the part of the path directly in the folder. */
interface Mark {
  readonly mark: string;
  readonly top: string;
}

/** What makes a folder a project with hooks. */
const CONFIGURED: readonly Mark[] = [
  ".sluice",
  ".src/opencode/hooks.json",
  ".src/forge/hooks.json",
  ".opencode/hooks.json",
  ".forge/hooks.json",
].map((mark) => ({ mark, top: mark.split("/", 1)[0] ?? mark }));
const REPOSITORY: readonly Mark[] = [{ mark: ".git", top: ".git" }];
const TOPS: readonly string[] = [...new Set([...CONFIGURED, ...REPOSITORY].map(({ top }) => top))];
const KNOWN = new Map<string, { readonly stats: FileStamp; readonly tops: readonly string[] }>();
const MAX_KNOWN = 200;
/** Some file systems store times in steps of two seconds. */
const SETTLED_MS = 2500;
