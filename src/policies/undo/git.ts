import { topOf } from "../../fs/git-index.ts";
import { type GitCommand, git } from "../../fs/run-git.ts";
import { type BytePath, bytePath } from "./byte-path.ts";

/** Names that git prints with `-z`, as whole paths. */
export function gitPaths(folder: string, args: readonly [GitCommand, ...string[]]): BytePath[] | undefined {
  const base = bytePath(folder);
  return git(folder, args)
    ?.toString("latin1")
    .split("\0")
    .filter(Boolean)
    .map((name) => `${base}/${name}`);
}

/** What the last commit holds of a folder: the id of each file, by its whole path. */
export function heldByGit(folder: string): ReadonlyMap<BytePath, string> {
  // To look for a repository takes far less than to ask git about one.
  if (topOf(folder) === undefined) return new Map();
  return idsOf(folder, git(folder, ["ls-tree", "-r", "-z", "HEAD"]), ([, type, id]) =>
    type === "blob" ? id : undefined,
  );
}

/** What the index holds of a folder: the id of each file, by its whole path. */
export function indexedByGit(folder: string): ReadonlyMap<BytePath, string> {
  return idsOf(folder, git(folder, ["ls-files", "--stage", "-z"]), ([, id]) => id);
}

function idsOf(
  folder: string,
  listed: Buffer | undefined,
  idIn: (fields: readonly string[]) => string | undefined,
): ReadonlyMap<BytePath, string> {
  const held = new Map<BytePath, string>();
  const base = bytePath(folder);
  for (const line of listed?.toString("latin1").split("\0") ?? []) {
    const tab = line.indexOf("\t");
    const id = idIn(line.slice(0, tab).split(" "));
    if (id !== undefined) held.set(`${base}/${line.slice(tab + 1)}`, id);
  }
  return held;
}
