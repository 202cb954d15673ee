import { resolve } from "node:path";
import { type CallEffects, type Effect, GAP, isProgram, type SimpleCommand } from "../../effects/index.ts";
import { realPath } from "../../fs/resolve-path.ts";
import { gitText } from "../../fs/run-git.ts";
import { type BytePath, bytePath, isInside } from "./byte-path.ts";
import { headOf } from "./git-head.ts";
import { branchConfig, isGit, LEAVES_GIT_ALONE, stashes } from "./git-losses.ts";
import type { KeptRef } from "./kept-call.ts";
import type { ContentStore } from "./object-store.ts";

type Ref = Omit<KeptRef, "heldBy">;

/**
 * What is checked out, every branch, tag and stash of the repositories in which the commands of git on a line run: together
 * with all files of the project that is everything they can throw away, in whichever order and under whichever names.
 * Undefined where one of them may reach further than that.
 */
export function everyRef(
  call: CallEffects,
  project: BytePath,
  { cwd, store }: { readonly cwd: string; readonly store: ContentStore },
): Ref[] | undefined {
  const folders = new Set<string>();
  for (const effect of call.effects) {
    if (effect.does !== "run" || !isProgram("version-control", effect.program)) continue;
    const folder = STAYS.has(verbOf(effect)) ? folderOf(call.commands[effect.command], cwd) : undefined;
    const top = folder === undefined ? undefined : gitText(folder, ["rev-parse", "--show-toplevel"]);
    if (top === undefined || !isInside(bytePath(realPath(top)), project)) return undefined;
    folders.add(top);
  }
  const refs = [...folders].flatMap((folder) => refsIn(folder, store));
  return refs.length > MAX_REFS ? undefined : refs;
}

/** Whether the commands of git on a line may change files, and not branches, tags and stashes alone. */
export function reachesFiles({ effects }: CallEffects): boolean {
  return effects.some(
    (one) => one.does === "run" && isProgram("version-control", one.program) && !ONLY_NAMES.has(verbOf(one)),
  );
}

/** `reflog expire` and `remote remove` do more than `reflog` and `remote`. */
function verbOf({ verb = "" }: Extract<Effect, { does: "run" }>): string {
  return /^(?:reflog|remote|stash) /.test(verb) ? verb : (verb.split(" ")[0] ?? "");
}

/** The folder in which a command of git runs; undefined where that is not told, or another repository may be meant. */
function folderOf(command: SimpleCommand | undefined, cwd: string): string | undefined {
  if (command === undefined || command.folder.includes(GAP) || !isGit(command)) return undefined;
  let folder = resolve(cwd, command.folder);
  for (let at = 0; command.args[at]?.text.startsWith("-"); at++) {
    const [{ text = "" } = {}, next] = command.args.slice(at, at + 2);
    if (text !== "-C" && !/^(?:--no-pager|-P)$/.test(text)) return undefined;
    if (text !== "-C") continue;
    if (next?.isKnown !== true) return undefined;
    folder = resolve(folder, next.text);
    at++;
  }
  return folder;
}

function refsIn(folder: string, store: ContentStore): Ref[] {
  const head = headOf(folder, store);
  const settings = branchConfig(folder);
  const listed =
    gitText(folder, ["for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/tags"]) ?? "";
  const refs = listed.split("\n").flatMap((line): Ref[] => {
    const [, id = "", name = ""] = /^([0-9a-f]+) (\S+)$/.exec(line) ?? [];
    if (name === "" || head.some((one) => one.name === name)) return [];
    const config = settings.filter(([key]) => key.startsWith(`branch.${name.slice("refs/heads/".length)}.`));
    return [{ folder, name, id, isOpen: true, ...(config.length === 0 ? {} : { config }) }];
  });
  return [...head, ...refs, ...stashes({ folder })];
}

/** Verbs of git that change nothing but files, what is staged and checked out, branches, tags and stashes. */
const STAYS: ReadonlySet<string> = new Set([
  ...[...LEAVES_GIT_ALONE].filter((verb) => verb !== "remote"),
  ..."add am apply bisect branch checkout cherry-pick clean commit for-each-ref merge mv pull push rebase reset".split(
    " ",
  ),
  ..."restore revert rm show-ref stash switch tag".split(" "),
  ...["apply", "branch", "clear", "create", "drop", "list", "pop", "push", "save", "show", "store"].map(
    (part) => `stash ${part}`,
  ),
  ...["remote", "remote show", "remote get-url", "remote -v", "remote update"],
]);

const ONLY_NAMES: ReadonlySet<string> = new Set([
  ...LEAVES_GIT_ALONE,
  ...["branch", "for-each-ref", "show-ref", "tag", "stash clear", "stash drop", "stash list", "stash show"],
]);

const MAX_REFS = 2000;
