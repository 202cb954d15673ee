import { resolve } from "node:path";
import {
  type CallEffects,
  type Effect,
  GAP,
  isAtOrUnder,
  isDisposable,
  isPathEffect,
  isProgram,
  programNamed,
  type SimpleCommand,
} from "../../effects/index.ts";
import { statsAt } from "../../fs/resolve-path.ts";
import { LEAVES_GIT_ALONE } from "./git-losses.ts";
import { NotKept, Unclear } from "./snapshot.ts";

/**
 * Whether git throws away only what the same line has made: in a repository that it makes in a temporary folder, or a work tree
 * that it adds where nothing exists yet.
 */
export function isOfThisLine(effect: Effect, call: CallEffects, cwd: string): boolean {
  const at = effect.command;
  if (at === undefined || !("program" in effect) || !isProgram("version-control", effect.program)) return false;
  const command = call.commands[at];
  if (command === undefined || call.effects.some(bringsWork) || call.commands.some(leadsGitElsewhere)) return false;
  return isInNewRepository(command, at, call, cwd) || removesNewWorkTree(command, at, call, cwd);
}

/** What is moved or linked to a new place was there before. */
function bringsWork(effect: Effect): boolean {
  return isPathEffect(effect) && effect.does !== "read" && /^(?:move|link|replace|access)$/.test(effect.by ?? "");
}

function leadsGitElsewhere({ args, assignments }: SimpleCommand): boolean {
  const isSet = Object.keys(assignments).some((name) => name.startsWith("GIT_"));
  return isSet || args.some(({ text }) => /GIT_|gitdir|^-C|git-dir|work-tree|core\.worktree/i.test(text));
}

function isInNewRepository({ folder, via }: SimpleCommand, at: number, call: CallEffects, cwd: string): boolean {
  const isKnown = !folder.includes(GAP);
  if (via.length > 0 || !folder.startsWith("/")) return false;
  if (!isDisposable({ text: folder, isKnown, isGlob: false }, call.place)) return false;
  if (isKnown ? statsAt(resolve(cwd, folder)) !== undefined : !isNewlyNamed(folder, at, call)) return false;
  return call.effects.some(
    (one) =>
      one.does === "write" &&
      one.command < at &&
      isProgram("version-control", one.program) &&
      /^(?:init|clone)$/.test(verbOf(call, one.command)) &&
      isAtOrUnder(folder, one.path.text.replace(/\/\.git$/, "")),
  );
}

/** A folder whose name only the run knows is new where an earlier command makes it. */
function isNewlyNamed(folder: string, at: number, { commands, effects }: CallEffects): boolean {
  const isMaker = ({ program }: SimpleCommand) => programNamed(program?.text ?? "")?.prints === "temporary-path";
  if (commands.slice(0, at).some(isMaker)) return true;
  return effects.some(
    (one) =>
      one.does === "write" &&
      one.command < at &&
      !isProgram("version-control", one.program) &&
      isAtOrUnder(folder, one.path.text),
  );
}

function removesNewWorkTree({ via }: SimpleCommand, at: number, call: CallEffects, cwd: string): boolean {
  if (via.length > 0 || verbOf(call, at) !== "worktree remove") return false;
  const placesAt = (position: number) =>
    call.effects.flatMap((one) => (isPathEffect(one) && one.command === position ? [one.path] : []));
  const added = new Set(
    call.commands.flatMap((_, position) =>
      position < at && verbOf(call, position) === "worktree add" ? placesAt(position).map(({ text }) => text) : [],
    ),
  );
  const removed = placesAt(at);
  return (
    removed.length > 0 &&
    removed.every(({ text, isKnown }) => isKnown && added.has(text) && statsAt(resolve(cwd, text)) === undefined)
  );
}

function verbOf({ effects }: CallEffects, at: number): string {
  for (const effect of effects) if (effect.does === "run" && effect.command === at) return effect.verb ?? "";
  return "";
}

/** Throws where a variable or a setting leads git to another repository, work tree or index than those of its folder. */
export function refuseOtherRepository({ commands }: CallEffects): void {
  for (const { args, assignments } of commands) {
    const names = [...Object.keys(assignments), ...args.map(({ text }) => text)];
    const found = names.find((name) => CHOOSES_REPOSITORY.test(name));
    if (found !== undefined) throw new NotKept(`\`${found}\` may mean another repository`);
  }
}

const CHOOSES_REPOSITORY =
  /^(?:GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|NAMESPACE|CONFIG\w*)(?:=|$)|--(?:git-dir|work-tree)\b|core\.worktree\b)/i;

/** A git command that changes the repository first changes what the next one throws away. */
export function refuseEarlier({ effects, commands }: CallEffects, command: number): void {
  const isRemovingRef = effects.some(
    (one) => one.does === "run" && one.command === command && removesRef(one.verb, commands[command]),
  );
  const isCleaning = effects.some((effect) => effect.command === command && isClean(effect));
  for (const effect of effects) {
    if (effect.does !== "run" || effect.command >= command || !isProgram("version-control", effect.program)) continue;
    if (removesRef(effect.verb, commands[effect.command]) || isClean(effect)) continue;
    if (isRemovingRef && keepsRefs(effect.verb, commands[effect.command])) continue;
    if (isCleaning && leavesNothingUnknown(effect.verb, commands[effect.command])) continue;
    if (!LEAVES_GIT_ALONE.has(effect.verb?.split(" ")[0] ?? ""))
      throw new Unclear(`\`git ${effect.verb ?? ""}\` on the same line changes what the next command throws away`);
  }
}

/** Whether git takes files from a commit that may be another one by then: an earlier command fetches. */
export function isAfterFetch({ command: at = 0 }: Effect, { effects, commands }: CallEffects): boolean {
  const isNamed = commands[at]?.args.some(({ text }) => /^(?:reset|checkout|switch|restore|read-tree)$/.test(text));
  return (
    isNamed === true &&
    effects.some(
      (one) =>
        one.does === "run" &&
        one.command < at &&
        isProgram("version-control", one.program) &&
        /^(?:fetch|remote update)$/.test(one.verb ?? ""),
    )
  );
}

/** What git does not know and removes is nothing that another command of git throws away. */
function isClean(effect: Effect): boolean {
  return effect.does === "run" && effect.verb === "clean";
}

/** Whether git knows no file less after it than before: what it takes away itself is kept for it. */
function leavesNothingUnknown(verb: string | undefined, command: SimpleCommand | undefined): boolean {
  const has = (option: RegExp) => command?.args.some(({ text }) => option.test(text)) === true;
  if (verb === "reset") return has(/^--hard$/);
  if (verb === "restore") return !has(/^(?:--staged|-[a-zA-Z]*S)/);
  return verb === "checkout" || verb === "switch";
}

/** A branch or a tag that is gone changes nothing about files, stashes and other branches. */
function removesRef(verb: string | undefined, command: SimpleCommand | undefined): boolean {
  return (
    /^(?:branch|tag)\b/.test(verb ?? "") && command?.args.some(({ text }) => /^(?:-[dD]|--delete)$/.test(text)) === true
  );
}

/**
 * Whether every branch and tag that is there keeps its name, and none gets work that was not committed before: where one of them
 * is removed afterwards, what it is now is all that is lost.
 */
function keepsRefs(verb: string | undefined, command: SimpleCommand | undefined): boolean {
  const allowed = KEEPS_REFS[verb ?? ""];
  return (
    allowed !== undefined && command?.args.every(({ text }) => !text.startsWith("-") || allowed.test(text)) === true
  );
}

const KEEPS_REFS: Readonly<Record<string, RegExp>> = {
  __proto__: null as never,
  checkout: /^(?:-|-b|-q|--quiet|-t|--track|--no-track|--detach)$/,
  switch: /^(?:-|-c|--create|-q|--quiet|-t|--track|--no-track|-d|--detach)$/,
  branch: /^(?:-a|--all|-r|--remotes|-vv?|--list|--merged|--no-merged|--show-current|--format=.*|--sort=.*)$/,
  tag: /^(?:-a|-m|-l|--list|--sort=.*)$/,
  pull: /^(?:-q|--quiet|--ff-only|--rebase|--prune|-p|--tags)$/,
  merge: /^(?:-q|--quiet|--ff-only|--no-ff|--no-edit|-m)$/,
};
