import { dirname, isAbsolute, join, resolve } from "node:path";
import { homeDir } from "./home-dir.ts";
import { readRegularText } from "./regular-file.ts";
import { entryAt, foldersAbove, isWithin, realPath, resolvePath } from "./resolve-path.ts";

/**
 * Whether a file is in the project after all symlinks are followed: in its folder, in its repository, or in the repository's
 * main checkout if the project is a linked worktree. A repository that contains the home directory does not extend the project.
 */
export function isInProject(root: string, path: string): boolean {
  const [own, real] = [realPath(root), resolvePath(path).path];
  if (isWithin(own, real)) return true;
  const repository = [own, ...foldersAbove(own)].find((folder) => entryAt(join(folder, ".git")) !== undefined);
  if (repository === undefined) return false;
  const home = realPath(homeDir());
  return [repository, mainCheckout(repository)].some(
    (folder) => folder !== undefined && !isWithin(folder, home) && isWithin(folder, real),
  );
}

/** The main checkout of a linked worktree. The repository must name the worktree too, because anyone can write a `.git` file. */
function mainCheckout(worktree: string): string | undefined {
  try {
    const own = join(worktree, ".git");
    if (entryAt(own)?.isFile() !== true) return undefined;
    const [, stated = ""] = /^gitdir: (.+?)\s*$/.exec(readRegularText(own)) ?? [];
    const folder = realPath(resolve(worktree, stated));
    const back = readRegularText(join(folder, "gitdir")).trim();
    const isNamed = realPath(isAbsolute(back) ? back : resolve(folder, back)) === own;
    const repository = dirname(dirname(folder));
    return isNamed && repository.endsWith(".git") ? dirname(repository) : undefined;
  } catch {
    return undefined;
  }
}
