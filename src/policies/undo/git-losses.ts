import { resolve } from "node:path";
import type { SimpleCommand, Word } from "../../effects/index.ts";
import { statsAt } from "../../fs/resolve-path.ts";
import { git, gitText } from "../../fs/run-git.ts";
import { changedFiles } from "../../fs/work-tree.ts";
import { type BytePath, bytePath, isInside } from "./byte-path.ts";
import { gitPaths } from "./git.ts";
import { headOf, movedHead } from "./git-head.ts";
import type { KeptRef } from "./kept-call.ts";
import type { ContentStore } from "./object-store.ts";
import { type LostPath, NotKept, Unclear } from "./snapshot.ts";

/** What a git command throws away. */
export interface GitLoss {
  readonly paths: readonly LostPath[];
  readonly refs: readonly Omit<KeptRef, "heldBy">[];
}

/** What a git command throws away that loses work; throws `NotKept` if that is not known beforehand. */
export function gitLoss(command: SimpleCommand, folder: string, store: ContentStore, isAfter = false): GitLoss {
  if (!isGit(command)) throw new Unclear(`what \`${command.program?.text ?? ""}\` throws away is not known beforehand`);
  const call = { ...gitCall(command, folder), isAfter };
  if (NAMES_REFS.test(call.verb) && command.args.some(({ isKnown }) => !isKnown))
    throw new Unclear(`which names \`git ${call.verb}\` is given is known only when it runs`);
  const loss = LOSSES[call.verb];
  if (loss === undefined) throw new Unclear(`what \`git ${call.verb}\` throws away is not known beforehand`);
  return loss(call, store);
}

/** Whether a command is one of git itself, and not of another program that keeps a history. */
export function isGit({ program }: SimpleCommand): boolean {
  return /^(?:.*\/)?git(?:\.exe)?$/i.test(program?.text ?? "");
}

/** A git command with its parts in their places. */
interface GitCall {
  readonly verb: string;
  readonly folder: string;
  /** Everything up to `--`. */
  readonly words: readonly string[];
  readonly options: readonly string[];
  /** The arguments that are not options, up to `--`. */
  readonly operands: readonly string[];
  /** The arguments after `--`; undefined if there is no `--`. */
  readonly behind: readonly string[] | undefined;
  /** Another command of git on the line throws something away before. */
  readonly isAfter: boolean;
}

function gitCall({ args }: SimpleCommand, start: string): Omit<GitCall, "isAfter"> {
  const words = args.map(textOf);
  let folder = start;
  let at = 0;
  for (; at < words.length && words[at]?.startsWith("-"); at++) {
    const word = words[at] ?? "";
    if (word === "-C") folder = resolve(folder, words[++at] ?? "");
    else if (word === "-c" && !LEADS_ELSEWHERE.test(words[at + 1] ?? "")) at++;
    else if (!HARMLESS.test(word)) throw new NotKept(`\`git ${word}\` may mean another repository`);
  }
  const [verb = "", ...rest] = words.slice(at);
  const dashes = rest.indexOf("--");
  const before = (dashes < 0 ? rest : rest.slice(0, dashes)).map(wholeOption);
  return {
    verb: verb === "stash" ? `stash ${before.find((word) => !word.startsWith("-")) ?? "push"}` : verb,
    folder,
    words: before,
    options: before.filter((word) => word.startsWith("-")),
    operands: before.filter((word) => !word.startsWith("-")),
    behind: dashes < 0 ? undefined : rest.slice(dashes + 1),
  };
}

/** Git takes the beginning of an option for it where no other option begins so. */
function wholeOption(word: string): string {
  const [, name = "", rest = ""] = /^(--[a-z-]+)(=.*)?$/s.exec(word) ?? [];
  if (name === "" || LONG_OPTIONS.includes(name)) return word;
  const meant = LONG_OPTIONS.filter((one) => one.startsWith(name));
  if (meant.length > 1) throw new Unclear(`which option of git \`${name}\` means is not known beforehand`);
  return `${meant[0] ?? name}${rest}`;
}

/** The options on which it depends what is lost. */
const LONG_OPTIONS = [
  ...["--hard", "--keep", "--merge", "--soft", "--mixed", "--staged", "--worktree", "--source", "--patch", "--force"],
  ..."--delete --remotes --move --copy --create --force-create --orphan --exclude --directory".split(" "),
  ...["--interactive", "--all", "--pathspec-from-file", "--conflict", "--prefix", "--temp", "--stdin", "--stage"],
];

function textOf({ text, isKnown, isGlob }: Word): string {
  if (!isKnown && !isGlob) throw new Unclear(`the words of a git command are known only when it runs`);
  return text;
}

const LOSSES: Readonly<Record<string, (call: GitCall, store: ContentStore) => GitLoss>> = {
  __proto__: null as never,
  reset: (call, store) => {
    // Git takes the beginning of an option for it: only what surely leaves files alone does.
    if (
      call.options.every((word) => /^(?:--soft|--mixed|-N|--intent-to-add|-q|--quiet|--(?:no-)?refresh)$/.test(word))
    ) {
      const name = `${call.operands[0] ?? "HEAD"}^{commit}`;
      const commit = gitText(call.folder, ["rev-parse", "--verify", "--quiet", name]);
      return { paths: [], refs: movedHead(call.folder, commit ?? commitOf(call, "HEAD"), store) };
    }
    const target = commitOf(call, call.operands[0] ?? "HEAD");
    const paths = unlike(call, target, []);
    return { paths, refs: movedHead(call.folder, target, store) };
  },
  checkout: (call, store) => {
    refuse(call, /^(?:-p|--patch|--pathspec-from-file.*|--orphan.*|-m|--merge|--conflict.*)$/);
    if (call.behind !== undefined) {
      const [from] = call.operands;
      if (from === undefined) return { paths: unlike(call, undefined, call.behind), refs: [] };
      return { paths: unlike(call, commitOf(call, from), call.behind), refs: headOf(call.folder, store) };
    }
    const isNew = call.options.some((word) => /^-[bB]/.test(word));
    if (isNew) return branchMade(call, /^-B/, store);
    const [first = "HEAD", ...rest] = call.operands;
    const tree = gitText(call.folder, ["rev-parse", "--verify", "--quiet", `${first}^{tree}`]);
    if (tree === undefined && call.operands.some((path) => !isThere(call.folder, path)))
      throw new Unclear(`what \`git checkout ${first}\` means is not known beforehand`);
    if (tree === undefined) return { paths: unlike(call, undefined, call.operands), refs: [] };
    return { paths: unlike(call, tree, rest), refs: headOf(call.folder, store, rest.length === 0 ? first : undefined) };
  },
  switch: (call, store) => {
    refuse(call, /^(?:-m|--merge|--orphan.*|--conflict.*)$/);
    const isNew = call.options.some((word) => /^(?:-[cC]|--create|--force-create)/.test(word));
    if (isNew) return branchMade(call, /^(?:-C|--force-create)/, store);
    const [first = "HEAD"] = call.operands;
    return { paths: unlike(call, commitOf(call, first), []), refs: headOf(call.folder, store, first) };
  },
  restore: (call, store) => {
    refuse(call, /^(?:-p|--patch|--pathspec-from-file.*|-m|--merge|--conflict.*)$/);
    const stated = call.options.map((word) => /^(?:--source=|-s)(.+)$/.exec(word)?.[1]).find(Boolean);
    const isApart = call.options.some((word) => word === "-s" || word === "--source");
    const isStaged = call.options.some((word) => /^(?:--staged|-[WSq]*S[WSq]*)$/.test(word));
    const isOfFiles = !isStaged || call.options.some((word) => /^(?:--worktree|-[WSq]*W[WSq]*)$/.test(word));
    if (!isOfFiles) return { paths: [], refs: headOf(call.folder, store) };
    // Together with the index, files come from the last commit: one that is only staged goes.
    const source = stated ?? (isApart ? call.operands[0] : isStaged ? "HEAD" : undefined);
    const paths = [...(isApart ? call.operands.slice(1) : call.operands), ...(call.behind ?? [])];
    return {
      paths: unlike(call, source === undefined ? undefined : commitOf(call, source), paths),
      refs: isStaged ? headOf(call.folder, store) : [],
    };
  },
  // The files that they name are read separately.
  rm: (call, store) => ({ paths: [], refs: headOf(call.folder, store) }),
  mv: (call, store) => ({ paths: [], refs: headOf(call.folder, store) }),
  clean: (call) => {
    const short = call.options.filter((word) => /^-[a-zA-Z]+$/.test(word)).join("");
    refuse(call, /^(?:-i|--interactive)$/);
    const which =
      short.includes("x") || call.isAfter
        ? []
        : short.includes("X")
          ? ["--ignored", "--exclude-standard"]
          : ["--exclude-standard"];
    // What is spared is kept as well: that misses nothing.
    const isSparing = (word: string | undefined) => /^(?:-[a-zA-Z]*e|--exclude)$/.test(word ?? "");
    const spared = new Set(call.words.filter((_, at) => isSparing(call.words[at - 1])));
    const where = [...call.operands.filter((word) => !spared.has(word)), ...(call.behind ?? [])];
    // A folder in which git knows nothing goes with all that is in it, also where that is nothing.
    const folders = short.includes("d") || call.options.includes("--directory") ? ["--directory"] : [];
    const found = gitPaths(call.folder, ["ls-files", "--others", "-z", ...folders, ...which, "--", ...where]);
    if (found === undefined) throw new NotKept("git cannot say what it would remove");
    return {
      paths: found.map((path) => ({ path: path.replace(/\/$/, ""), loss: "removed", isTree: path.endsWith("/") })),
      refs: [],
    };
  },
  "checkout-index": (call) => {
    refuse(call, /^(?:--prefix.*|--temp|--stdin|--stage.*)$/);
    return { paths: unlike(call, undefined, [...call.operands, ...(call.behind ?? [])]), refs: [] };
  },
  "read-tree": (call, store) => {
    refuse(call, /^(?:-m|--prefix.*|--index-output.*)$/);
    if (call.operands.length !== 1) throw new Unclear("what several trees throw away is not known beforehand");
    return { paths: unlike(call, commitOf(call, call.operands[0] ?? ""), []), refs: movedHead(call.folder, "", store) };
  },
  submodule: (call) => {
    const [verb, ...named] = call.operands;
    if (verb !== "deinit") throw new Unclear(`what \`git submodule ${verb}\` throws away is not known beforehand`);
    return withoutSubmodules(call, [...named, ...(call.behind ?? [])]);
  },
  "stash drop": (call) => ({ paths: [], refs: stashAt(call, call.operands[1] ?? "0") }),
  "stash clear": (call) => ({ paths: [], refs: stashes(call) }),
  branch: (call, store) => {
    const moved = movedBranch(call, store);
    if (moved !== undefined) return { paths: [], refs: moved };
    const isRemote = call.options.some((word) => /^(?:-[a-zA-Z]*r[a-zA-Z]*|--remotes)$/.test(word));
    const names = [...call.operands, ...(call.behind ?? [])];
    return {
      paths: [],
      refs: names.flatMap((name) => refNamed(call, `refs/${isRemote ? "remotes" : "heads"}/${name}`)),
    };
  },
  tag: (call) => {
    if (!call.options.some((word) => /^(?:-d|--delete)$/.test(word))) {
      if (!call.options.every((word) => /^(?:-f|--force)$/.test(word)))
        throw new NotKept("a tag with a message that is set anew is not kept");
      const [name = "", to = "HEAD"] = call.operands;
      return { paths: [], refs: movedRef(call, `refs/tags/${name}`, to) };
    }
    return { paths: [], refs: call.operands.flatMap((name) => refNamed(call, `refs/tags/${name}`)) };
  },
  replace: (call) => ({
    paths: [],
    refs: call.operands.flatMap((name) => refNamed(call, `refs/replace/${commitOf(call, name)}`)),
  }),
  "update-ref": (call) => {
    refuse(call, /^--stdin$/);
    const [name = "", target] = call.operands;
    if (!name.startsWith("refs/")) throw new NotKept("which branch it is about is not told");
    // What is set about a branch stays, other than with `git branch -D`.
    const found = refNamed(call, name).map(({ config: _, ...ref }) => ref);
    if (call.options.includes("-d") || target === undefined) return { paths: [], refs: found };
    const movedTo = commitOf(call, target);
    return { paths: [], refs: found.map((ref) => ({ ...ref, movedTo })) };
  },
};

/** The files of submodules, and the settings by which git knows them; their commits stay in the repository. */
function withoutSubmodules(call: GitCall, where: readonly string[]): GitLoss {
  const { folder, options } = call;
  const staged = gitText(folder, ["ls-files", "--stage", "-z", "--", ...where])?.split("\0") ?? [];
  const names = staged.flatMap((line) => /^160000 [^\t]*\t(.+)$/s.exec(line)?.[1] ?? []);
  if (where.length === 0 && !options.includes("--all")) return { paths: [], refs: [] };
  const known = gitText(folder, ["config", "--local", "-z", "--get-regexp", "^submodule\\."])?.split("\0") ?? [];
  const config = known.flatMap((entry): [string, string][] => {
    const end = entry.indexOf("\n");
    return end < 0 ? [] : [[entry.slice(0, end), entry.slice(end + 1)]];
  });
  return {
    paths: names.map((name) => ({ path: bytePath(resolve(folder, name)), loss: "removed", isTree: true })),
    refs: config.length === 0 ? [] : [{ folder, name: "HEAD", id: commitOf(call, "HEAD"), config }],
  };
}

/** A branch that is made and checked out, from the current commit or another one. */
function branchMade(call: GitCall, forced: RegExp, store: ContentStore): GitLoss {
  const stated = call.options.map((word) => /^(?:-[bBcC]|--\S+=)(.+)$/.exec(word)?.[1]).find(Boolean);
  const [name = "", start] = stated === undefined ? call.operands : [stated, ...call.operands];
  const isForced = call.options.some((word) => forced.test(word));
  const from = start ?? "HEAD";
  return {
    paths: start === undefined ? [] : unlike(call, commitOf(call, start), []),
    refs: [
      ...(start === undefined && !isForced ? [] : headOf(call.folder, store, name)),
      ...(isForced ? movedRef(call, `refs/heads/${name}`, from) : []),
    ],
  };
}

function isThere(folder: string, path: string): boolean {
  return /[*?[:]/.test(path) || statsAt(resolve(folder, path)) !== undefined;
}

/** The stash that a command of git takes, beside what it does to files. */
export function stashTaken(command: SimpleCommand, folder: string): GitLoss["refs"] {
  const call = { ...gitCall(command, folder), isAfter: false };
  return /^stash (?:pop|branch)$/.test(call.verb)
    ? stashAt(call, call.operands.slice(1).find((word) => /^stash@|^\d+$/.test(word)) ?? "0")
    : [];
}

/** What a branch stood for that is set anew or that another one takes the name of; undefined where branches are removed. */
function movedBranch(call: GitCall, store: ContentStore): Omit<KeptRef, "heldBy">[] | undefined {
  const has = (option: RegExp) => call.options.some((word) => option.test(word));
  if (has(/^(?:-[a-zA-Z]*[dD][a-zA-Z]*|--delete)$/)) return undefined;
  const [first = "", second] = call.operands;
  if (has(/^(?:-[MC]|--move|--copy|-m|-c)$/)) {
    const current = gitText(call.folder, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
    const [from = "HEAD", to] = second === undefined ? [current, first] : [first, second];
    const moved = movedRef(call, `refs/heads/${to}`, from);
    if (has(/^(?:-[Cc]|--copy)$/)) return moved;
    // The branch that is checked out takes along what is checked out.
    const head = from === current ? headOf(call.folder, store, to).slice(0, 1) : [];
    return [...head, ...refNamed(call, `refs/heads/${from}`), ...moved];
  }
  return has(/^(?:-f|--force)$/) ? movedRef(call, `refs/heads/${first}`, second ?? "HEAD") : undefined;
}

/** A branch or tag that comes to stand for another commit. */
function movedRef(call: GitCall, name: string, to: string): Omit<KeptRef, "heldBy">[] {
  const movedTo = gitText(call.folder, ["rev-parse", "--verify", "--quiet", to]);
  if (movedTo === undefined) throw new NotKept(`git knows no commit "${to}"`);
  return refNamed(call, name).map((ref) => ({ ...ref, movedTo }));
}

/** Options that leave it open what is thrown away. */
function refuse({ verb, options }: GitCall, unclear: RegExp): void {
  const found = options.find((word) => unclear.test(word));
  if (found !== undefined) throw new Unclear(`what \`git ${verb} ${found}\` throws away is not known beforehand`);
}

/**
 * Files that are not what a commit holds, or the index where none is named: changed ones, staged ones, and untracked ones
 * that the commit has too.
 */
function unlike({ folder, options }: GitCall, tree: string | undefined, where: readonly string[]): LostPath[] {
  const top = gitText(folder, ["rev-parse", "--show-toplevel"]);
  if (top === undefined) throw new NotKept("git finds no repository here");
  const paths = ["--", ...where];
  // Without a path, git looks at all of the repository.
  const from = where.length === 0 ? top : folder;
  const changed = changedFiles(from, {
    where,
    recurses: options.some((one) => /^--recurse-submodules/.test(one)),
  })?.map((path) => `${bytePath(from)}/${path}`);
  const staged =
    tree === undefined ? [] : gitPaths(from, ["diff-index", "--name-only", "-z", "--relative", tree, ...paths]);
  const untracked = tree === undefined ? [] : gitPaths(from, ["ls-files", "--others", "-z", ...paths]);
  if (changed === undefined || staged === undefined || untracked === undefined)
    throw new NotKept("git cannot say what it would throw away");
  const known = untracked.length === 0 || tree === undefined ? new Set<BytePath>() : pathsIn(from, tree);
  const lost = new Set([...changed, ...staged, ...untracked.filter((path) => isBehind(path, known))]);
  return [...lost].map((path) => ({ path, loss: "overwritten", isTree: true }));
}

/** Whether a commit puts something at a path, or at one of the folders above it. */
function isBehind(path: BytePath, known: ReadonlySet<BytePath>): boolean {
  for (let at = path; at.length > 1; at = at.slice(0, at.lastIndexOf("/"))) if (known.has(at)) return true;
  return [...known].some((one) => isInside(one, path));
}

function pathsIn(folder: string, tree: string): ReadonlySet<BytePath> {
  return new Set(gitPaths(folder, ["ls-tree", "-r", "-z", "--name-only", tree]) ?? []);
}

function commitOf({ folder }: GitCall, name: string): string {
  const id = gitText(folder, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`]);
  if (id === undefined) throw new Unclear(`git knows no commit "${name}"`);
  return id;
}

function refNamed({ folder }: GitCall, name: string): Omit<KeptRef, "heldBy">[] {
  const id = gitText(folder, ["rev-parse", "--verify", "--quiet", name]);
  // What is not there, git does not remove either.
  if (id === undefined) return [];
  const [, branch] = /^refs\/heads\/(.+)$/.exec(name) ?? [];
  const config = branch === undefined ? [] : configOf(folder, branch);
  return [{ folder, name, id, ...(config.length === 0 ? {} : { config }) }];
}

function configOf(folder: string, branch: string): [string, string][] {
  return branchConfig(folder).filter(([name]) => name.startsWith(`branch.${branch}.`));
}

/** What is set about branches, by the name of each setting. */
export function branchConfig(folder: string): [string, string][] {
  const all = git(folder, ["config", "--local", "-z", "--get-regexp", "^branch\\."])?.toString("utf8") ?? "";
  return all.split("\0").flatMap((entry): [string, string][] => {
    const end = entry.indexOf("\n");
    return end < 0 ? [] : [[entry.slice(0, end), entry.slice(end + 1)]];
  });
}

/** Every stash, the newest first. */
export function stashes({ folder }: Pick<GitCall, "folder">): Omit<KeptRef, "heldBy">[] {
  const listed = gitText(folder, ["reflog", "--format=%H%x09%gs", "refs/stash"]) ?? "";
  return listed.split("\n").flatMap((line) => {
    const [id = "", message = ""] = line.split("\t");
    return id === "" ? [] : [{ folder, name: "refs/stash", id, message }];
  });
}

function stashAt(call: GitCall, stated: string): Omit<KeptRef, "heldBy">[] {
  const all = stashes(call);
  // Where there is none, git drops none.
  if (all.length === 0) return [];
  const [, number = stated] = /^stash@\{(\d+)\}$/.exec(stated) ?? [];
  const found = /^\d+$/.test(number) ? all[Number(number)] : undefined;
  if (found === undefined) throw new NotKept(`there is no stash "${stated}"`);
  return [found];
}

/** Verbs of git after which the repository is as it was. */
export const LEAVES_GIT_ALONE: ReadonlySet<string> = new Set(
  "status diff log show rev-parse ls-files ls-tree cat-file describe blame grep shortlog reflog fetch remote rev-list merge-base".split(
    " ",
  ),
);

/** Verbs that are given names of branches, tags and stashes: a pattern means files, and never these. */
const NAMES_REFS = /^(?:branch|tag|replace|update-ref|stash drop)$/;
/** Settings by which git takes another folder for its work tree. */
const LEADS_ELSEWHERE = /^(?:core\.(?:worktree|bare)|include(?:if)?\.)/i;
const HARMLESS = /^(?:--no-pager|-P|--paginate|-p|--no-optional-locks|--literal-pathspecs)$/;
