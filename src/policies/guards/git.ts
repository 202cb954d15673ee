import { GAP } from "../../effects/parse/command.ts";
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
        instead: part.paths.every((path) => path === ".git/index") ? ["git reset"] : [],
        ask: `to change ${named(part)}, or which git command they want for it`,
      }),
    },
    {
      name: "git-delete-remote",
      standard: "ask",
      strict: "ask",
      paranoid: "deny",
      reason: "Removes a branch or a tag that others may use, or forgets where they are.",
      tells: (part) =>
        part.verb.startsWith("remote")
          ? {
              does: `forgets the remote ${shownRefs(part)}, with all that is known of its branches`,
              instead: [lineOf(part, "git", ...before(part), "remote", "rename", refsOf(part), `old-${refsOf(part)}`)],
              ask: `to forget the remote ${shownRefs(part)}`,
            }
          : {
              does: `removes ${shownRefs(part) || "branches"} of ${remoteIn(part)}, which others may use`,
              ask: `to remove ${shownRefs(part) || "branches"} of ${remoteIn(part)}`,
            },
    },
    {
      name: "git-delete-branch",
      standard: "deny",
      strict: "deny",
      paranoid: "deny",
      undoable: true,
      reason: "Removes a branch, whether or not its work was merged.",
      tells: (part) => ({
        does: `removes the branch ${shownRefs(part)}, whether or not its work was merged`,
        instead: mergedOrRenamed(part),
        ask: `to remove the branch ${shownRefs(part)}`,
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
        does: `throws away the work in ${shownRefs(part) || "the latest stash"}`,
        instead: [lineOf(part, "git", ...before(part), "stash", "branch", "from-stash", ...operandsOf(part).slice(1))],
        ask: `to drop ${shownRefs(part) || "the latest stash"}`,
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
          : part.verb === "notes"
            ? "throws away the notes of commits that git does not have any more"
            : `throws away what ${shownRefs(part) || part.verb} stood for`,
        instead: INSTEAD[part.verb]?.(part) ?? [stashed(part)],
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
  get stops() {
    return [
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
      "git send-pack --force origin main",
      "git branch -D topic",
      "git checkout -- src/a.ts",
      "git push origin --delete topic",
      "git tag -d v1.0.0",
      "git tag | xargs git tag -d",
      "git notes prune",
      "git remote remove origin",
      "git update-ref refs/heads/main HEAD~10",
      "git reflog expire --expire=now --all",
      "git filter-branch --all",
      "echo 'ref: refs/heads/x' > .git/HEAD",
      "cp backup .git/index",
      "git config alias.x 'reset --hard' && git x",
    ];
  },
  get passes() {
    return [
      "git reset HEAD src/a.ts",
      "git reset --soft HEAD~1",
      "git clean -n",
      "git filter-repo --analyze",
      "git checkout -b topic",
      "git checkout main",
      "git stash",
      "git push",
      "git push -u origin topic",
      "git send-pack origin main",
      "git branch -d topic",
      "git tag v1.0.0",
      "git remote rename origin old",
      "git update-ref refs/heads/wip $(git rev-parse HEAD)",
      "git log --grep 'reset --hard'",
      "git commit -m 'git push --force'",
      "cat .git/HEAD",
      "echo '*.log' >> .git/info/exclude",
      "rm -f .git/index.lock",
    ];
  },
};

/** What else shows, or takes only what is clean. */
const INSTEAD: Readonly<Record<string, (part: Part) => (string | undefined)[]>> = {
  __proto__: null as never,
  "worktree remove": (part) => [lineOf(part, "git", ...without(part, isForced))],
  notes: (part) => [lineOf(part, "git", ...part.words, "--dry-run")],
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
    return target.length === 0 ? [stash] : [stashedThen(part, "reset", "--keep", ...target), stash];
  },
  clean: (part) => [onlyUntracked(part)],
  checkout: (part) => [
    part.words.some(({ text }) => isForced(text)) ? stashedThen(part, "checkout", ...operandsOf(part)) : undefined,
    stashed(part),
  ],
  restore: (part) => [stashed(part)],
  switch: (part) => [stashedThen(part, ...without(part, isForced).slice(before(part).length))],
};

/** The changes are put aside first, so that nothing of them is in the way. */
function stashedThen(part: Part, ...words: Parameters<typeof lineOf>[1][]): string | undefined {
  const stash = lineOf(part, "git", ...before(part), "stash", "push");
  const then = lineOf({ folder: "." }, "git", ...before(part), ...words);
  return stash && then && `${stash} && ${then}`;
}

/** What git does not know is put aside; changes of what it knows stay where they are. */
function onlyUntracked(part: Part): string | undefined {
  const has = (letter: string) => part.words.some(({ text }) => /^-[a-zA-Z]+$/.test(text) && text.includes(letter));
  const which = has("X") ? ["-oiz", "--exclude-standard"] : has("x") ? ["-oz"] : ["-oz", "--exclude-standard"];
  const listed = lineOf(part, "git", ...before(part), "ls-files", ...which, ...operandsOf(part));
  const kind = has("x") || has("X") ? "--all" : "--include-untracked";
  const put = lineOf({ folder: "." }, "xargs", "-0r", "git", ...before(part), "stash", "push", kind, "--");
  return listed && put && `${listed} | ${put}`;
}

/** A branch that is not merged stays, under another name where that is one line; what git knows of a remote has no such way. */
function mergedOrRenamed(part: Part): readonly (string | undefined)[] {
  if (part.words.some(({ text }) => /^(?:-[a-zA-Z]*r|--remotes$)/.test(text))) return [];
  return [renamed(part), lineOf(part, "git", ...before(part), "branch", "-d", ...operandsOf(part))];
}

function renamed(part: Part): string | undefined {
  const git = (...words: string[]) => lineOf({ folder: "." }, "git", ...before(part), "branch", ...words);
  const [name, ...more] = operandsOf(part);
  if (name === undefined || more.length > 0 || part.folder !== ".") return undefined;
  const [removed, moved] = [git("-d", name), git("-m", name, `old/${name}`)];
  return removed && moved && `${removed} || ${moved}`;
}

/** The changes of the same files, put aside; what is staged stays, where the command would leave it. */
function stashed(part: Part): string | undefined {
  if (!["checkout", "restore"].includes(part.verb)) return undefined;
  const isAll = part.paths.includes(".") || part.paths.length === 0;
  if (!isAll && !isInside(part)) return undefined;
  const source = sourceOf(part);
  const of = part.paths.length === 0 ? [] : ["--", ...(isAll ? ["."] : part.paths)];
  const push = (...words: string[]) => lineOf({ folder: "." }, "git", "stash", "push", ...words, ...of);
  if (source === undefined) return push("--keep-index");
  return source === "HEAD" || source === "@" ? push() : fromSource(part, source, push());
}

/** The commit that files are taken from; undefined where it is the index. */
function sourceOf(part: Part): string | undefined {
  const words = part.words.map(({ text }) => text);
  const stated = words.flatMap(
    (text, at) =>
      /^(?:--source=|-s)(.+)$/.exec(text)?.[1] ?? (/^(?:--source|-s)$/.test(text) ? (words[at + 1] ?? []) : []),
  );
  const [verb, first] = [words.indexOf("checkout"), words.indexOf("--")];
  const named =
    verb !== -1 && first > verb + 1 ? words.slice(verb + 1, first).filter((text) => !text.startsWith("-")) : [];
  const isOfBoth = words.some((text) => /^(?:--staged|-S|-SW|-WS)$/.test(text));
  return stated[0] ?? named[0] ?? (isOfBoth ? "HEAD" : undefined);
}

/** The files as they were in a commit, after the changes of the same files have been put aside. */
function fromSource(part: Part, source: string, stash: string | undefined): string | undefined {
  if (part.paths.length === 0 || part.words.some(({ isKnown }) => !isKnown)) return undefined;
  const packed = lineOf({ folder: "." }, "git", "archive", source, ...part.paths);
  return `${stash} && ${packed} | tar xf -`;
}

/** The same push, which stops where others have pushed since. */
function leased(part: Part): string | undefined {
  if (part.words.some(({ text }) => text === "--mirror")) {
    const [branches, tags] = ["--all", "--tags"].map((kind) =>
      lineOf({ folder: "." }, "git", ...before(part), "push", kind, ...operandsOf(part)),
    );
    return part.folder === "." && branches && tags ? `${branches} && ${tags}` : undefined;
  }
  const words = without(part, isForced).map((word) => ({ ...word, text: word.text.replace(/^\+/, "") }));
  const at = words.findIndex(({ text }) => text === "push") + 1;
  return at === 0 ? undefined : lineOf(part, "git", ...words.slice(0, at), "--force-with-lease", ...words.slice(at));
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

/** The same for people. */
function shownRefs(part: Part): string {
  return refsOf(part).replaceAll(GAP, "…");
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
