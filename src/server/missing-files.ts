import { dirname } from "node:path";
import { cachedStat, type FileStamp, isSettled, isUnchanged, NEVER_SEEN } from "../fs/stat-cache.ts";
import { entryAt, statsAt } from "../fs/resolve-path.ts";

/** What is not there, by the nearest folder that is: nothing comes without changing that one. */
export interface Missing {
  readonly folder: string;
  /** How the folder was when the paths were looked for; one that was changing is not to be relied on. */
  state: FileStamp;
  readonly paths: readonly string[];
}

/** Sorts paths that lead nowhere. Behind a link something may come while its folder stays the same: such a path is looked for each time. */
export function missingByFolder(paths: readonly string[]): Missing[] {
  const byFolder = new Map<string, string[]>();
  const behindLinks: string[] = [];
  for (const path of paths) {
    const folder = nearestFolder(path);
    if (folder === undefined) behindLinks.push(path);
    else byFolder.set(folder, [...(byFolder.get(folder) ?? []), path]);
  }
  const rest = behindLinks.map((path) => ({ folder: path, state: NEVER_SEEN, paths: [path] }));
  return [...rest, ...[...byFolder].map(([folder, all]) => ({ folder, state: NEVER_SEEN, paths: all }))];
}

/**
 * Whether nothing has come. A folder in which something else happened is looked into, and relied on from then on; unless a
 * folder has come that is nearer to what is missing.
 */
export function isStillMissing(missing: Missing): boolean {
  const { folder, state, paths } = missing;
  const now = cachedStat(folder);
  if (now !== undefined && isUnchanged(state, now)) return true;
  missing.state = isSettled(now) ? now : NEVER_SEEN;
  return paths.every((path) => entryAt(path) === undefined && (path === folder || nearestFolder(path) === folder));
}

function nearestFolder(path: string): string | undefined {
  for (let at = path; ; at = dirname(at)) {
    if (statsAt(at) !== undefined) return at;
    if (entryAt(at) !== undefined || at === dirname(at)) return undefined;
  }
}
