import { join, resolve } from "node:path";
import { readRegularText } from "./regular-file.ts";
import { statsAt } from "./resolve-path.ts";
import { FileCache } from "./stat-cache.ts";

/** Where git keeps the files of a work tree. */
export interface GitFolders {
  readonly own: string;
  /** What all work trees of the repository share. */
  readonly shared: string;
}

/** The folders of the work tree that begins here: `.git`, or what the file `.git` names; undefined if there is none. */
export function gitFoldersAt(top: string): GitFolders | undefined {
  const path = join(top, ".git");
  const stats = statsAt(path);
  if (stats === undefined) return undefined;
  const named = stats.isDirectory() ? path : /^gitdir: (.+)$/m.exec(gitFile(path) ?? "")?.[1]?.trim();
  if (named === undefined) return undefined;
  const own = resolve(top, named);
  return { own, shared: resolve(own, gitFile(join(own, "commondir"))?.trim() ?? "") };
}

/** The text of one of git's files, read again only when it changes; undefined if it is missing or too long. */
export function gitFile(path: string): string | undefined {
  return TEXTS.readPresent(path, () => {
    try {
      return (statsAt(path)?.size ?? 0) > MAX_BYTES ? undefined : readRegularText(path);
    } catch {
      return undefined;
    }
  });
}

const TEXTS = new FileCache<string | undefined>();
const MAX_BYTES = 1024 * 1024;
