import { GAP, isSharedBranch } from "../../effects/index.ts";
import { ASK, ASK_IF_STRICT, DENY, type Guard } from "./guard.ts";
import { isInside, lineOf, named, type Part, without } from "./part.ts";

/** Work and history in git are kept. */
export const git: Guard = {
  title: "Losing git work and history",
  why: "Uncommitted work cannot be brought back, and a forced push takes away the work of others.",
  rules: [
    {
      name: "git-loss",
      ...DENY,
      undoable: true,
      reason: "Throws away work that git cannot bring back.",
      does: (part) => LOSSES[part.verb] ?? "throws away work that git cannot bring back",
      instead: (part) => KEEPS[part.verb]?.(part) ?? [],
      ask: (part) => `to run it${part.verb === "stash clear" ? ", or which stash may go" : ""}`,
    },
    {
      name: "git-force-push",
      ...DENY,
      reason: "A forced push takes away commits that others may have made.",
      does: (part) => `overwrites ${remoteOf(part)}, with the commits that others have made there`,
      instead: (part) => [
        published(part),
        lineOf(part, "git", ...before(part), "push", remoteIn(part), "HEAD:refs/heads/rewritten"),
      ],
      ask: (part) => `to push to ${remoteOf(part)}`,
    },
    {
      name: "write-git-history",
      ...DENY,
      reason: "Changes the project's history without git, so that git may no longer find its commits.",
      does: "changes {paths}, which git manages itself: git may no longer find its commits",
      instead: (part) => (part.paths.every((path) => path === ".git/index") ? ["git reset"] : []),
      ask: "to change {paths}, or which git command they want for it",
    },
    {
      name: "git-delete-remote",
      ...ASK,
      reason: "Removes a branch or a tag that others may use, or forgets where they are.",
      does: (part) =>
        forgetsRemote(part)
          ? `forgets the remote ${shownRefs(part)}, with everything that is known about its branches`
          : `removes ${shownRefs(part) || "branches"} of ${remoteIn(part)}, which others may use`,
      instead: (part) =>
        forgetsRemote(part)
          ? lineOf(part, "git", ...before(part), "remote", "rename", refsOf(part), `old-${refsOf(part)}`)
          : undefined,
      ask: (part) =>
        forgetsRemote(part)
          ? `to forget the remote ${shownRefs(part)}`
          : `to remove ${shownRefs(part) || "branches"} of ${remoteIn(part)}`,
    },
    {
      name: "git-delete-branch",
      ...DENY,
      undoable: true,
      reason: "Removes a branch, whether or not its work was merged.",
      does: (part) => `removes the branch ${shownRefs(part)}, whether or not its work was merged`,
      instead: mergedOrRenamed,
      ask: (part) => `to remove the branch ${shownRefs(part)}`,
    },
    {
      name: "git-drop-stash",
      ...DENY,
      undoable: true,
      reason: "Throws away work that was put aside.",
      does: (part) => `throws away the work in ${shownRefs(part) || "the latest stash"}`,
      instead: (part) =>
        lineOf(part, "git", ...before(part), "stash", "branch", "from-stash", ...operandsOf(part).slice(1)),
      ask: (part) => `to drop ${shownRefs(part) || "the latest stash"}`,
    },
    {
      name: "git-discard",
      ...DENY,
      undoable: true,
      reason: "Throws away the changes of files, or where a branch was.",
      does: (part) =>
        /^(?:checkout|restore)$/.test(part.verb)
          ? `throws away the changes of ${named(part)}`
          : part.verb === "notes"
            ? "throws away the notes of commits that git no longer has"
            : `throws away what ${shownRefs(part) || part.verb} referred to`,
      instead: (part) => INSTEAD[part.verb]?.(part) ?? [stashed(part)],
      ask: "to run it",
    },
    {
      name: "forge",
      ...ASK,
      reason: "Gives a commit the name of somebody else and another date.",
      does: "gives a commit the name of somebody else and a date that it was not made on",
      ask: "whose name and which date it has",
    },
    {
      name: "skip-checks",
      ...ASK,
      reason: "Skips the checks that the project's hooks make before a commit or a push.",
      does: (part) =>
        /^(?:git|jj|hg)$/.test(part.program)
          ? "skips the checks that the project's hooks make"
          : "takes away the checks and questions that stand before a change",
      instead: (part) => (part.program === "git" ? checked(part) : undefined),
      ask: "whether the checks may be skipped, and say which of them fails",
    },
    {
      name: "push-pipeline",
      ...ASK,
      reason: "Pushes files of pipelines straight to a branch that others work from.",
      does: (part) =>
        `pushes a pipeline straight to ${remoteOf(part)}, where it runs with the project's keys before anybody has read it`,
      instead: (part) =>
        lineOf(part, "git", ...before(part), "push", remoteIn(part), "HEAD:refs/heads/pipeline-for-review"),
      ask: (part) => `to push it to ${remoteOf(part)}`,
    },
    {
      name: "history-rewrite",
      ...ASK_IF_STRICT,
      reason: "Changes commits that are already there.",
      does: "changes commits that are already there",
      instead: onTop,
      ask: "whether these commits may change",
    },
  ],
  stops: () => [
    "GIT_AUTHOR_NAME='Ann Lee' GIT_COMMITTER_DATE=2020-01-01 git commit -m x",
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
    "git push --force-with-lease origin main",
    "git commit --no-verify -m x",
    "git commit -anm x",
    "git -c core.hooksPath=/dev/null commit -m x",
    "git config core.hooksPath /dev/null",
    "HUSKY=0 git commit -m x",
    "git add .github/workflows/ci.yml && git commit -m x && git push origin main",
  ],
  passes: () => [
    "git reset HEAD src/a.ts",
    "git reset --soft HEAD~1",
    "git clean -n",
    "git filter-repo --analyze",
    "git checkout -b topic",
    "git checkout main",
    "git stash",
    "git push",
    "git push -u origin topic",
    "git push --force-with-lease origin topic",
    "git add .github/workflows/ci.yml && git commit -m x && git push origin fix-ci",
    "HUSKY=0 npm ci",
    "git commit -m '-n'",
    "git push -n",
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
  ],
};

/** Alternatives by the verb of git: show first, or remove only what is clean. */
const INSTEAD: Readonly<Record<string, (part: Part) => (string | undefined)[]>> = {
  __proto__: null as never,
  "worktree remove": (part) => [lineOf(part, "git", ...without(part, isForced))],
  notes: (part) => [lineOf(part, "git", ...part.words, "--dry-run")],
};

/** What is lost, by the verb of git. */
const LOSSES: Readonly<Record<string, string>> = {
  reset: "throws away every change that is not committed",
  clean: "deletes every file that git does not know yet",
  checkout: "throws away the changes of every file that it names",
  restore: "throws away the changes of every file that it names",
  switch: "throws away every change that is not committed",
  "stash clear": "throws away every stash",
  "reflog expire": "deletes the record of where branches were, with the commits that only this record names",
  "filter-branch": "rewrites every commit that it reaches",
};

/** Commands that lead to the same working tree and keep the work. */
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

/** Stashes the changes first, so that they do not block the command. */
function stashedThen(part: Part, ...words: Parameters<typeof lineOf>[1][]): string | undefined {
  const stash = lineOf(part, "git", ...before(part), "stash", "push");
  const then = lineOf({ folder: "." }, "git", ...before(part), ...words);
  return stash && then && `${stash} && ${then}`;
}

/** Stashes untracked files only. */
function onlyUntracked(part: Part): string | undefined {
  const has = (letter: string) => part.words.some(({ text }) => /^-[a-zA-Z]+$/.test(text) && text.includes(letter));
  const which = has("X") ? ["-oiz", "--exclude-standard"] : has("x") ? ["-oz"] : ["-oz", "--exclude-standard"];
  const spared = exclusionsOf(part);
  const named = operandsOf(part).filter((text) => !spared.includes(text));
  const excludes = spared.map((pattern) => `--exclude=${pattern}`);
  const listed = lineOf(part, "git", ...before(part), "ls-files", ...which, ...excludes, ...named);
  const kind = has("x") || has("X") ? "--all" : "--include-untracked";
  const put = lineOf({ folder: "." }, "xargs", "-0r", "git", ...before(part), "stash", "push", kind, "--");
  return listed && put && `${listed} | ${put}`;
}

/** The patterns that `git clean` is told to leave alone. */
function exclusionsOf({ words }: Part): string[] {
  return words.flatMap(({ text }, at) => {
    if (/^-[a-zA-Z]*e$|^--exclude$/.test(text)) return words[at + 1]?.text ?? [];
    return /^(?:-[a-zA-Z]*e|--exclude=)(.+)$/.exec(text)?.[1] ?? [];
  });
}

/** Removes a merged branch, or renames it if that is one line. There is no such way for remote-tracking branches. */
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

/** Stashes the changes of the same files; staged changes stay if the command would keep them. */
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

/** The commit from which files are taken; undefined if it is the index. */
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

/** Stashes the changes of the files, and then takes the files from a commit. */
function fromSource(part: Part, source: string, stash: string | undefined): string | undefined {
  if (part.paths.length === 0 || part.words.some(({ isKnown }) => !isKnown)) return undefined;
  const packed = lineOf({ folder: "." }, "git", "archive", source, ...part.paths);
  // Files that git does not know yet may have the names of files in the commit.
  return `${stash?.replace(" push", " push --include-untracked")} && ${packed} | tar xf -`;
}

/** A push that keeps the commits of others: on top of a branch that is shared, and with a lease on any other. */
function published(part: Part): string | undefined {
  const git = (...words: string[]) => lineOf({ folder: "." }, "git", ...before(part), ...words);
  if (part.words.some(({ text }) => /^--(?:mirror|all|branches)$/.test(text))) {
    const [branches, tags] = ["--all", "--tags"].map((kind) => git("push", kind, ...operandsOf(part)));
    return part.folder === "." && branches && tags ? `${branches} && ${tags}` : undefined;
  }
  const words = without(part, (text) => isForced(text) || text.startsWith("--force"));
  const plain = words.map((word) => ({ ...word, text: word.text.replace(/^\+/, "") }));
  const at = plain.findIndex(({ text }) => text === "push") + 1;
  if (at === 0) return undefined;
  const specs = operandsOf(part).slice(1);
  const [[source = part.branch, target = source] = []] = specs.map((spec) => spec.replace(/^\+/, "").split(":"));
  const shared = specs.map((spec) => spec.replace(/^.*:|^\+/, "")).some(isSharedBranch);
  if (!shared && !(specs.length === 0 && target !== undefined && isSharedBranch(target)))
    return lineOf(part, "git", ...plain.slice(0, at), "--force-with-lease", "--force-if-includes", ...plain.slice(at));
  if (specs.length > 1 || part.folder !== "." || target === undefined) return undefined;
  const isCheckedOut = source === "HEAD" || part.branch === undefined || source === part.branch;
  if (!isCheckedOut) return git("push", remoteIn(part), `${source}:refs/heads/${source}-for-review`);
  const pulled = git("pull", "--rebase", "--autostash", ...(specs.length === 0 ? [] : [remoteIn(part), target]));
  const pushed = lineOf({ folder: "." }, "git", ...plain);
  return pulled && pushed && `${pulled} && ${pushed}`;
}

/** The same command with its checks. */
function checked(part: Part): string | undefined {
  if (part.verb === "config" || part.verb === "" || part.folder !== ".") return undefined;
  const words = part.words.flatMap((word, at) => {
    if (/^--no-v/.test(word.text) || /^core\.hookspath=/i.test(word.text)) return [];
    if (word.text === "-c" && /^core\.hookspath=/i.test(part.words[at + 1]?.text ?? "")) return [];
    if (part.verb !== "commit" || !/^-[^-mFCct]*n/.test(word.text)) return [word];
    const text = word.text.replace("n", "");
    return text === "-" ? [] : [{ ...word, text }];
  });
  return lineOf(part, part.program, ...words);
}

/** A commit or a merge on top, which keeps the existing commits. */
function onTop(part: Part): string | undefined {
  if (part.verb === "commit") return lineOf(part, "git", ...before(part), "commit", "--fixup", "HEAD");
  const [upstream] = operandsOf(part);
  if (part.verb === "rebase" && upstream !== undefined) return lineOf(part, "git", ...before(part), "merge", upstream);
  return part.verb.startsWith("push")
    ? lineOf(part, "git", ...before(part), "push", remoteIn(part), "HEAD:refs/heads/rewritten")
    : undefined;
}

function forgetsRemote({ verb }: Part): boolean {
  return verb.startsWith("remote");
}

function remoteOf(part: Part): string {
  const branches = operandsOf(part)
    .slice(1)
    .map((text) => text.replace(/^\+|^.*:/, ""));
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

/** The references for a message. */
function shownRefs(part: Part): string {
  return refsOf(part).replaceAll(GAP, "…");
}

/** The arguments after the verb that are not options. */
function operandsOf(part: Part): string[] {
  const texts = part.words.map(({ text }) => text);
  return texts.slice(verbAt(part) + 1).filter((text) => !text.startsWith("-"));
}

/** The arguments between git and its verb, such as `-C folder`. */
function before(part: Part): string[] {
  return part.words.slice(0, Math.max(verbAt(part), 0)).map(({ text }) => text);
}

function verbAt({ words, verb }: Part): number {
  return words.findIndex(({ text }) => text === verb.split(" ", 1)[0]);
}

function isForced(text: string): boolean {
  return /^(?:-[a-zA-Z]*f[a-zA-Z]*|--force|--discard-changes)$/.test(text);
}
