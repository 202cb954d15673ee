import { isAbsolute, join, relative } from "node:path";
import type { RepositoryFacts } from "../effects/parse/command.ts";
import { once } from "../event/once.ts";
import { gitIndexAt, topOf } from "../fs/git-index.ts";
import { realPath, statsAt } from "../fs/resolve-path.ts";
import { gitText, runGit } from "../fs/run-git.ts";
import { changedFiles } from "../fs/work-tree.ts";

/** What rules ask about the repository that contains a folder; undefined if there is none. Nothing of the repository is run. */
export function repositoryFacts(folder: string): RepositoryFacts | undefined {
  const top = topOf(folder);
  if (top === undefined) return undefined;
  const settings = once(() => settingsOf(folder));
  const branches = once(() => namesOf(folder, "refs/heads/"));
  const inRepository = (path: string) => {
    const seen = relative(realPath(top), realPath(isAbsolute(path) ? path : join(folder, path)));
    return seen.startsWith("..") || isAbsolute(seen) ? undefined : seen;
  };
  const refs = new Map<string, string | undefined>();
  return {
    branch: once(() => gitText(folder, ["symbolic-ref", "--quiet", "--short", "HEAD"]) || undefined),
    branches,
    isBranch: (name) =>
      branches().includes(name) || namesOf(folder, "refs/remotes/").some((one) => one.endsWith(`/${name}`)),
    setting: (key) => settings().findLast(([one]) => one === key)?.[1],
    settings: (key) => settings().flatMap(([one, value]) => (one === key ? [value] : [])),
    isTracked: (path) => {
      const seen = inRepository(path);
      return seen !== undefined && gitIndexAt(top)?.holds(Buffer.from(join(top, seen))) === true;
    },
    isUntracked: (path) => {
      const seen = inRepository(path);
      const isHeld = seen !== undefined && gitIndexAt(top)?.holds(Buffer.from(join(top, seen))) === true;
      if (!isHeld || statsAt(join(top, seen))?.isDirectory() !== true) return !isHeld;
      return gitText(top, ["ls-files", "--others", "--directory", "--no-empty-directory", "--", seen || "."]) !== "";
    },
    isCommittedOn: (path, ref) => {
      const seen = inRepository(path);
      if (seen === undefined) return false;
      if (!refs.has(ref))
        refs.set(ref, gitText(folder, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`]));
      const commit = refs.get(ref);
      return commit !== undefined && runGit(top, ["cat-file", "-e", `${commit}:${seen}`]).kind === "printed";
    },
    isDirty: once(() => isDirty(top)),
  };
}

/** Whether `git status` would list a file. */
function isDirty(top: string): boolean {
  const untracked = gitText(top, ["ls-files", "--others", "--exclude-standard", "--directory", "--no-empty-directory"]);
  if (untracked === undefined || untracked !== "") return true;
  const head = gitText(top, ["rev-parse", "--verify", "--quiet", "HEAD"]);
  if (head === undefined) return gitText(top, ["ls-files"]) !== "";
  const staged = gitText(top, ["diff-index", "--name-only", "HEAD"]);
  return staged !== "" || changedFiles(top, { byContent: true })?.length !== 0;
}

/** All settings, names in lower case but for what is in the middle, which is written as git prints it. */
function settingsOf(folder: string): readonly (readonly [key: string, value: string])[] {
  const printed = gitText(folder, ["config", "--null", "--list"]) ?? "";
  return printed.split("\0").flatMap((pair) => {
    const end = pair.indexOf("\n");
    return pair === ""
      ? []
      : [end < 0 ? ([pair, "true"] as const) : ([pair.slice(0, end), pair.slice(end + 1)] as const)];
  });
}

function namesOf(folder: string, prefix: string): readonly string[] {
  const printed = gitText(folder, ["for-each-ref", "--format=%(refname)", prefix]) ?? "";
  return printed.split("\n").flatMap((line) => (line.startsWith(prefix) ? [line.slice(prefix.length)] : []));
}
