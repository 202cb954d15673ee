import { existsSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import { findRoot } from "../config/root.ts";
import { topOf } from "../fs/git-index.ts";
import { isWithin, realPath } from "../fs/resolve-path.ts";
import { gitText } from "../fs/run-git.ts";
/** The project in this checkout that a folder of a recorded call belongs to; undefined for a folder of another repository. */
export type ProjectHere = (folder: string) => string | undefined;

/**
 * Finds the project of this checkout that corresponds to a folder of any checkout of the same repository: this one, another
 * worktree, or another clone. A folder that is gone belongs to the nearest project around it that is still there.
 */
export function projectsHere(root: string): ProjectHere {
  const known = new Map<string, string | undefined>();
  const here = realPath(root);
  const top = topOf(here);
  const isSame = sameRepository(top);
  const find = (folder: string): string | undefined => {
    const real = realPath(existsSync(folder) ? folder : findRoot(folder));
    const there = topOf(real);
    if (real === here || (there === top && isWithin(top ?? here, real))) return realPath(findRoot(real));
    if (top === undefined || there === undefined || !isSame(there)) return undefined;
    return realPath(findRoot(join(top, relative(there, real))));
  };
  return (folder) => {
    if (!known.has(folder)) known.set(folder, find(folder));
    return known.get(folder);
  };
}

/** Whether a checkout is of the same repository: the same git folder, a common remote, or the same first commit. */
function sameRepository(here: string | undefined): (there: string) => boolean {
  const known = new Map<string, boolean>();
  if (here === undefined) return () => false;
  const own = identity(here);
  return (there) => {
    const is = known.get(there) ?? identity(there)().some((name) => own().includes(name));
    known.set(there, is);
    return is;
  };
}

/** What two checkouts of a repository have in common; git is asked once. */
function identity(top: string): () => readonly string[] {
  let names: readonly string[] | undefined;
  return () => {
    if (names !== undefined) return names;
    const common = gitText(top, ["rev-parse", "--git-common-dir"]);
    const folder = common === undefined ? top : realPath(resolve(top, common));
    const remotes = gitText(top, ["config", "--get-regexp", "^remote\\..*\\.url$"])?.split("\n") ?? [];
    const urls = remotes.map((line) => line.slice(line.indexOf(" ") + 1)).filter((url) => url !== "");
    // A shallow clone has another first commit, so a remote that is a folder is compared with that folder, too.
    const places = urls
      .map((url) => url.replace(/^file:\/\//, ""))
      .filter((url) => isAbsolute(url) || url.startsWith("."));
    const first = gitText(top, ["rev-list", "--max-parents=0", "HEAD"])?.split("\n") ?? [];
    names = [
      folder,
      ...urls.map((url) => url.replace(/\.git\/?$/, "")),
      ...places.map((place) => gitFolderOf(resolve(top, place))),
      ...first.filter((commit) => commit !== ""),
    ];
    return names;
  };
}

function gitFolderOf(place: string): string {
  return realPath(existsSync(join(place, ".git")) ? join(place, ".git") : place);
}
