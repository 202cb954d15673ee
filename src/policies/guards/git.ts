import { shellWord } from "../../effects/parse/shell-word.ts";
import type { Guard } from "./guard.ts";
import { isInside, lineOf, named, type Part, without } from "./part.ts";

/** Work and history that git keeps stay. */
export const git: Guard = {
  title: "Losing git work and history",
  why: "Uncommitted work cannot be brought back, and a forced push takes away the work of others.",
  rules: [
    {
      name: "git-loss",
      standard: "deny",
      strict: "deny",
      paranoid: "deny",
      undoable: true,
      reason: "Throws away work that git cannot bring back.",
      tells: (part) => ({
        does: LOSSES[part.verb] ?? "throws away work that git cannot bring back",
        instead: KEEPS[part.verb]?.(part) ?? [],
        ask: `to run it${part.verb === "stash clear" ? ", or which stash may go" : ""}`,
      }),
    },
    {
      name: "git-force-push",
      standard: "deny",
      strict: "deny",
      paranoid: "deny",
      reason: "A forced push takes away commits that others may have made.",
      tells: (part) => ({
        does: `overwrites ${remoteOf(part)}, with the commits that others have made there`,
        instead: [
          leased(part),
          lineOf(part, "git", ...before(part), "push", remoteIn(part), "HEAD:refs/heads/rewritten"),
        ],
        ask: `to push to ${remoteOf(part)}`,
      }),
    },
    {
      name: "write-git-history",
      standard: "deny",
      strict: "deny",
      paranoid: "deny",
      reason: "Changes the project's history without git, and git may not find its commits any more.",
      tells: (part) => ({
        does: `changes ${named(part)}, which git keeps by itself: it may not find its commits any more`,
        instead: part.paths.every((path) => /(?:^|\/)\.git\/index$/.test(path)) ? ["git reset"] : [],
        ask: `to change ${named(part)}, or which git command they want for it`,
      }),
    },
    {
      name: "git-delete-remote",
      standard: "ask",
      strict: "ask",
      paranoid: "deny",
      reason: "Removes a branch or a tag that others may use.",
      tells: (part) => ({
        does: `removes ${refsOf(part)} of ${remoteIn(part)}, which others may use`,
        ask: `to remove ${refsOf(part)} of ${remoteIn(part)}`,
      }),
    },
    {
      name: "git-delete-branch",
      standard: "deny",
      strict: "deny",
      paranoid: "deny",
      undoable: true,
      reason: "Removes a branch, whether or not its work was merged.",
      tells: (part) => ({
        does: `removes the branch ${refsOf(part)}, whether or not its work was merged`,
        instead: [lineOf(part, "git", ...before(part), "branch", "-d", ...operandsOf(part))],
        ask: `to remove the branch ${refsOf(part)}`,
      }),
    },
    {
      name: "git-drop-stash",
      standard: "deny",
      strict: "deny",
      paranoid: "deny",
      undoable: true,
      reason: "Throws away work that was put aside.",
      tells: (part) => ({
        does: `throws away the work in ${refsOf(part) || "the latest stash"}`,
        instead: [lineOf(part, "git", ...before(part), "stash", "branch", "from-stash", ...operandsOf(part).slice(1))],
        ask: `to drop ${refsOf(part) || "the latest stash"}`,
      }),
    },
    {
      name: "git-discard",
      standard: "deny",
      strict: "deny",
      paranoid: "deny",
      undoable: true,
      reason: "Throws away the changes of files, or where a branch stood.",
      tells: (part) => ({
        does: /^(?:checkout|restore)$/.test(part.verb)
          ? `throws away the changes of ${named(part)}`
          : `throws away what ${refsOf(part) || part.verb} stood for`,
        instead: part.verb === "worktree remove" ? [lineOf(part, "git", ...without(part, isForced))] : [stashed(part)],
        ask: "to run it",
      }),
    },
    {
      name: "history-rewrite",
      strict: "ask",
      paranoid: "ask",
      reason: "Changes commits that are already there.",
      tells: (part) => ({
        does: "changes commits that are already there",
        instead: [onTop(part)],
        ask: "whether these commits may change",
      }),
    },
  ],
  stops: [
    "git reset --hard",
    "git reset --hard HEAD~3",
    "git clean -fdx",
    "git -C sub clean -f",
    "git checkout .",
    "git restore .",
    "git stash clear",
    "git push --force",
    "git push -f origin main",
    "git push origin +main",
    "git push --mirror",
    "git branch -D topic",
    "git checkout -- src/a.ts",
    "git push origin --delete topic",
    "git reflog expire --expire=now --all",
    "git filter-branch --all",
    "echo 'ref: refs/heads/x' > .git/HEAD",
    "cp backup .git/index",
    "git config alias.x 'reset --hard' && git x",
  ],
  passes: [
    "git reset HEAD src/a.ts",
    "git reset --soft HEAD~1",
    "git clean -n",
    "git checkout -b topic",
    "git checkout main",
    "git stash",
    "git push",
    "git push -u origin topic",
    "git branch -d topic",
    "git log --grep 'reset --hard'",
    "git commit -m 'git push --force'",
    "cat .git/HEAD",
    "echo '*.log' >> .git/info/exclude",
    "rm -f .git/index.lock",
  ],
};

/** What is thrown away, by the verb of git. */
const LOSSES: Readonly<Record<string, string>> = {
  reset: "throws away every change that is not committed",
  clean: "deletes every file that git does not know yet",
  checkout: "throws away the changes of every file that it names",
  restore: "throws away the changes of every file that it names",
  switch: "throws away every change that is not committed",
  "stash clear": "throws away every stash",
  "reflog expire": "forgets where branches stood, with the commits that only that record still names",
  "filter-branch": "rewrites every commit that it reaches",
};

/** Commands that come to the same working tree, and keep the work. */
const KEEPS: Readonly<Record<string, (part: Part) => readonly (string | undefined)[]>> = {
  reset: (part) => {
    const target = operandsOf(part);
    const stash = lineOf(part, "git", ...before(part), "stash", "push");
    return target.length === 0 ? [stash] : [lineOf(part, "git", ...before(part), "reset", "--keep", ...target), stash];
  },
  clean: (part) => {
    const isAll = part.words.some(({ text }) => /^-[a-zA-Z]*[xX]/.test(text));
    return [lineOf(part, "git", ...before(part), "stash", "push", isAll ? "--all" : "--include-untracked")];
  },
  checkout: (part) => [stashed(part)],
  restore: (part) => [stashed(part)],
  switch: (part) => [lineOf(part, "git", ...without(part, isForced))],
};

/** The changes of the same files, put aside. */
function stashed(part: Part): string | undefined {
  if (!/^(?:checkout|restore)$/.test(part.verb)) return undefined;
  const isAll = part.paths.includes(".") || part.paths.length === 0;
  if (!isAll && !isInside(part)) return undefined;
  const source = sourceOf(part);
  if (source !== undefined) return fromSource(part, source);
  return lineOf({ folder: "." }, "git", "stash", "push", ...(isAll ? [] : ["--", ...part.paths]));
}

/** The commit that files are taken from, where it is not the one that is checked out. */
function sourceOf(part: Part): string | undefined {
  const words = part.words.map(({ text }) => text);
  const stated = words.flatMap(
    (text, at) =>
      /^(?:--source=|-s)(.+)$/.exec(text)?.[1] ?? (/^(?:--source|-s)$/.test(text) ? (words[at + 1] ?? []) : []),
  );
  const [verb, first] = [words.indexOf("checkout"), words.indexOf("--")];
  const named =
    verb !== -1 && first > verb + 1 ? words.slice(verb + 1, first).filter((text) => !text.startsWith("-")) : [];
  const source = stated[0] ?? named[0];
  return source === "HEAD" || source === "@" ? undefined : source;
}

/** The older file beside the one that is there, where it is one. */
function fromSource(part: Part, source: string): string | undefined {
  const [path] = part.paths;
  if (path === undefined || path === "." || part.paths.length > 1 || part.words.some(({ isKnown }) => !isKnown))
    return undefined;
  const shown = lineOf({ folder: "." }, "git", "show", `${source}:./${path}`);
  return shown === undefined ? undefined : `${shown} > ${shellWord(`${path}.older`)}`;
}

/** The same push, which stops where others have pushed since. */
function leased(part: Part): string | undefined {
  if (part.words.some(({ text }) => text === "--mirror")) return lineOf(part, "git", "push", "--all");
  const words = without(part, isForced).map((word) => ({ ...word, text: word.text.replace(/^\+/, "") }));
  const at = words.findIndex(({ text }) => text === "push") + 1;
  return lineOf(part, "git", ...words.slice(0, at), "--force-with-lease", ...words.slice(at));
}

/** A commit or a merge on top says the same, and leaves what is there. */
function onTop(part: Part): string | undefined {
  if (part.verb === "commit") return lineOf(part, "git", ...before(part), "commit", "--fixup", "HEAD");
  const [upstream] = operandsOf(part);
  if (part.verb === "rebase" && upstream !== undefined) return lineOf(part, "git", ...before(part), "merge", upstream);
  return part.verb.startsWith("push")
    ? lineOf(part, "git", ...before(part), "push", remoteIn(part), "HEAD:refs/heads/rewritten")
    : undefined;
}

function remoteOf(part: Part): string {
  const branches = operandsOf(part)
    .slice(1)
    .map((text) => text.replace(/^\+/, ""));
  return branches.length === 0 ? `the branch at ${remoteIn(part)}` : `${branches.join(" and ")} at ${remoteIn(part)}`;
}

function remoteIn(part: Part): string {
  return operandsOf(part)[0] ?? "origin";
}

function refsOf(part: Part): string {
  const isPush = part.verb.startsWith("push");
  const refs = operandsOf(part).slice(isPush || part.verb.includes(" ") ? 1 : 0);
  return refs.map((text) => text.replace(/^:/, "")).join(" and ");
}

/** The words behind the verb that are no options. */
function operandsOf(part: Part): string[] {
  const [verb = ""] = part.verb.split(" ", 1);
  const at = part.words.findIndex(({ text }) => text === verb);
  return part.words
    .slice(at + 1)
    .map(({ text }) => text)
    .filter((text) => !text.startsWith("-"));
}

/** What stands between git and its verb, such as `-C folder`. */
function before(part: Part): string[] {
  const [verb = ""] = part.verb.split(" ", 1);
  const at = part.words.findIndex(({ text }) => text === verb);
  return part.words.slice(0, Math.max(at, 0)).map(({ text }) => text);
}

function isForced(text: string): boolean {
  return /^(?:-[a-zA-Z]*f[a-zA-Z]*|--force|--discard-changes)$/.test(text);
}
