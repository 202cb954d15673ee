import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type CallEffects, type Effect, GAP, runsOf } from "../../effects/index.ts";
import { isWithin } from "../../fs/resolve-path.ts";
import { askGit, type GitRun, gitRun, isMeant, pathsNamed, sourcesIn } from "./git-overwrites.ts";
import type { ProtectedPaths } from "./protected-paths.ts";

/**
 * What git would put into the project and cannot be determined before: a branch that is only known at run time, or that the same
 * line moves, or a selection of files without hooks. Reported only if other states of the protected files exist.
 */
export function unknownHistory(
  call: CallEffects,
  paths: Pick<ProtectedPaths, "places">,
  root: string,
): string | undefined {
  if (!call.commands.some(({ program }) => program?.text === "git")) return undefined;
  const before: Pick<GitRun, "verb" | "rest">[] = [];
  for (const { effects, name, command, shown } of runsOf(call)) {
    const isInGit = (effect: Effect) => effect.does === "write" && /(?:^|\/)\.git\//.test(effect.path.text);
    if (effects.some(isInGit)) before.push({ verb: "update-index", rest: [] });
    if (name !== "git") continue;
    const run = gitRun(command, resolve(call.place.cwd ?? root, command.folder));
    const isOfInterest = TAKES.has(run.verb) || LEAVES_OUT.has(run.verb);
    const inside = isOfInterest ? paths.places.filter(({ path }) => isWithin(root, path) && existsSync(path)) : [];
    const places = inside.map(({ path }) => path);
    if (places.length > 0) {
      const why = doubtOf(run, before, places, command.source);
      if (why !== undefined) return `${shown} ${why}`;
    }
    before.push(run);
  }
  return undefined;
}

/** What a command would do that is not known, as a sentence without its subject. */
function doubtOf(
  { verb, rest, folder }: GitRun,
  before: readonly Pick<GitRun, "verb" | "rest">[],
  places: readonly string[],
  source: string,
): string | undefined {
  const words = rest.filter((word) => !word.startsWith("-"));
  const leavesOut = verb === "sparse-checkout" && /^(?:set|init|reapply|add)$/.test(words[0] ?? "");
  const isOrphan = (rest.includes("--orphan") && verb === "switch") || verb === "filter-branch";
  if (leavesOut || isOrphan)
    return isTracked(folder, places) ? "takes files of the project away, and hooks with them" : undefined;
  if (verb === "merge-file" && words[0] !== undefined && places.includes(resolve(folder, words[0])))
    return "changes the configuration of Sluice";
  if (!TAKES.has(verb) || (verb === "stash" && !/^(?:pop|apply|branch)$/.test(words[0] ?? ""))) return undefined;
  const named = pathsNamed(verb, rest);
  if (named.length > 0 && !places.some((path) => isMeant(path, named, folder))) return undefined;
  const names = [...(named.length > 0 ? words.filter((word) => !named.includes(word)) : words), ...sourcesIn(rest)];
  const isOpen = names.some((word) => word.includes(GAP));
  const moved = before.filter((run) => MOVES.has(run.verb) && isMoving(run));
  const isMoved =
    moved.length > 0 &&
    (names.length === 0 ||
      moved.some(({ verb: mover }) => mover === "config") ||
      names.some((word) => moved.some((run) => isAbout(run, word)) || !isKnown(folder, word)));
  const isSplit = verb === "bisect" && words.length > 1;
  if (!isOpen && !isMoved && !isSplit) return undefined;
  if (!hasOtherStates(folder, places) && !moved.some(({ verb: mover }) => FREE.has(mover)) && !OLDER.test(source))
    return undefined;
  return "brings a state of the project that is known only when it runs";
}

/** Whether a command that can move a name does so: `git branch` alone only lists. */
function isMoving({ verb, rest }: Pick<GitRun, "verb" | "rest">): boolean {
  if (verb === "rm") return rest.includes("--cached");
  if (verb === "checkout") return rest.includes("--orphan");
  if (verb === "branch" || verb === "tag") return rest.some((word) => !word.startsWith("-"));
  if (verb === "config") return rest.some((word) => /sparse|worktree/i.test(word));
  return true;
}

/** Whether a command that moves names may have moved this one. */
function isAbout({ rest, verb }: Pick<GitRun, "verb" | "rest">, name: string): boolean {
  if (/^(?:HEAD|@)/.test(name) && verb !== "config" && verb !== "rm") return true;
  if (verb === "replace" || name === "FETCH_HEAD" || rest.includes("--stdin")) return true;
  return rest.some((word) => word.split(/[:/+]/).includes(name) || word === name || word.endsWith(`/${name}`));
}

function isKnown(folder: string, name: string): boolean {
  return (
    name === "." ||
    askGit(folder, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`]) !== "" ||
    existsSync(resolve(folder, name))
  );
}

function isTracked(folder: string, places: readonly string[]): boolean {
  return askGit(folder, ["ls-files", "--", ...places]) !== "";
}

/** Whether commits that are not in the history of HEAD change protected files. */
function hasOtherStates(folder: string, places: readonly string[]): boolean {
  const log = ["log", "-1", "--format=%H", "--all", "--not", "HEAD", "--", ...places] as const;
  return askGit(folder, log) !== "";
}

/** Verbs that put files of a commit or of the index into the project, or remove files. */
const TAKES: ReadonlySet<string> = new Set([
  ..."checkout switch reset restore merge rebase read-tree cherry-pick revert pull stash bisect".split(" "),
  ...["checkout-index", "clean"],
]);
/** Verbs that remove files, or change one, without a commit. */
const LEAVES_OUT: ReadonlySet<string> = new Set(["sparse-checkout", "filter-branch", "merge-file"]);
/** Verbs after which a name, the index or HEAD means something else. */
const MOVES: ReadonlySet<string> = new Set(
  "branch tag update-ref symbolic-ref fetch push replace read-tree update-index rm config fast-import checkout".split(
    " ",
  ),
);
/** Verbs that can put anything into the index, without another commit. */
const FREE: ReadonlySet<string> = new Set(["read-tree", "update-index", "rm", "config", "fast-import", "checkout"]);
const OLDER = /rev-list|\blog\b|reflog|[A-Za-z]+[~^@]/;
