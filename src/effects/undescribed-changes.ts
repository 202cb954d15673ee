import { isOurName, isUnclear, onlyShows, ownCallsIn } from "./own-command.ts";
import { GAP, type SimpleCommand } from "./parse/command.ts";
import { isStream } from "./devices.ts";
import type { CallEffects, Effect } from "./effect.ts";
import { nameOf } from "./paths.ts";
import { isProgram, programNamed } from "./programs/program-name.ts";
import { isReadOnlyRun, recordsRun } from "./programs/tell-program.ts";
import { isPlainCode } from "./code/plain-code.ts";
import { ROLE_WEIGHTS } from "./role-weight.ts";

/** What is not known about a command's doings, in a few words; nothing when they are described well enough. */
export function undescribedChanges(
  command: SimpleCommand,
  at: number,
  all: readonly SimpleCommand[],
  effects: readonly Effect[],
): string[] {
  if (command.program === undefined) return [];
  const isClear = isPlainCode(command, effects) || isDescribed(command, told(effects, at), all);
  return isClear ? [] : [`what \`${command.source.replaceAll(GAP, "…").slice(0, LONGEST)}\` changes`];
}

function isDescribed(
  { program, args }: SimpleCommand,
  does: ReadonlySet<string>,
  all: readonly SimpleCommand[],
): boolean {
  const name = nameOf(program?.text ?? "");
  const words = args.map(({ text }) => text);
  if (words.length > 0 && words.every((word) => ABOUT_ITSELF.test(word))) return true;
  const row = programNamed(name);
  const isReadOnly = isReadOnlyRun(row, args);
  if (isReadOnly !== undefined) return isReadOnly;
  if (does.has("code")) return isSubstitution(words) && does.has("write");
  const writesUnnamed = isProgram("writes-unnamed", name);
  if (!writesUnnamed && isWrapper(name, all)) return true;
  if (does.has("write") || does.has("delete") || does.has("role")) return true;
  if (isOurName(name)) return ownCallsIn([name, ...words]).every((own) => !isUnclear(own.verb) && onlyShows(own));
  return !writesUnnamed && (does.has("read") || does.has("network"));
}

/** Which kinds of things are known about the command; a role that weighs nothing tells nothing about files. */
function told(effects: readonly Effect[], at: number): ReadonlySet<string> {
  const own = effects.filter((effect) => effect.command === at);
  const does = new Set<string>();
  for (const effect of own) {
    if (effect.does !== "run") does.add(effect.does);
    else if (effect.roles.some((role) => ROLE_WEIGHTS[role] !== "nothing")) does.add("role");
    if (effect.does === "run" && (effect.code === "read" || effect.code === "unread")) does.add("code");
  }
  return does;
}

/** What a wrapper runs stands in the list itself. */
function isWrapper(name: string, all: readonly SimpleCommand[]): boolean {
  return all.some(({ via }) => via.some((wrapper) => wrapper.split(" ", 1)[0] === name));
}

/** Whether a command changes what git keeps beside the files: the index, commits, branches, tags. */
export function recordsHistory({ program, args }: SimpleCommand): boolean {
  const row = program && programNamed(program.text);
  return row !== undefined && recordsRun(row, args);
}

/** Whether nothing that is known of a call changes anything, and everything about it is known. */
export function changesNothing(call: Pick<CallEffects, "effects" | "commands" | "unknown">): boolean {
  return !call.effects.some(isChange) && call.unknown.length === 0 && !call.commands.some(recordsHistory);
}

function isChange(effect: Effect): boolean {
  switch (effect.does) {
    case "write":
    case "delete":
      return !isStream(effect.path.text);
    case "run":
      return effect.roles.some((role) => ROLE_WEIGHTS[role] !== "nothing");
    case "unknown":
      return true;
    case "read":
    case "network":
    case "flow":
      return false;
  }
}

/** `perl -pi -e s/a/b/ file`: the one kind of code that is read here. */
function isSubstitution(words: readonly string[]): boolean {
  const codes = words.flatMap((word, index) => (/^-\w*[eE]$/.test(word) ? (words[index + 1] ?? "") : []));
  return (
    codes.length > 0 &&
    codes.every((code) => /^\s*(?:s|tr|y)([/|#,!])(?:(?!\1).)*\1(?:(?!\1).)*\1[gimsx]*;?\s*$/.test(code))
  );
}

const ABOUT_ITSELF = /^(?:-v|-V|-h|--version|--help|version|help)$/;
const LONGEST = 80;
