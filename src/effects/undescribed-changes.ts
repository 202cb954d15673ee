import { isOurName, isUnclear, onlyShows, ownCallsIn } from "./own-command.ts";
import { GAP, type SimpleCommand } from "./parse/command.ts";
import { isStream } from "./devices.ts";
import type { CallEffects, Effect } from "./effect.ts";
import { nameOf } from "./paths.ts";
import { FINDERS } from "./programs/finders.ts";
import { READERS } from "./programs/readers.ts";
import { isPlainCode } from "./code/plain-code.ts";
import {
  CHANGING_VERBS,
  HARMLESS,
  LOOKS_IN_GIT,
  LOOKS_UNLESS,
  QUIET_GIT,
  RECORDING_GIT,
  TRACERS,
} from "./programs/read-only-verbs.ts";
import { ROLE_WEIGHTS } from "./role-weight.ts";

/** What is not known about a command's doings, in a few words; nothing when they are described well enough. */
export function undescribedChanges(
  command: SimpleCommand,
  at: number,
  all: readonly SimpleCommand[],
  effects: readonly Effect[],
): string[] {
  const { program, args } = command;
  if (program === undefined) return [];
  const name = nameOf(program.text);
  const words = args.map(({ text }) => text);
  const isClear = isPlainCode(command, effects) || isVouched(name, words, told(effects, at), isWrapper(name, all));
  return isClear ? [] : [`what \`${command.source.replaceAll(GAP, "…").slice(0, LONGEST)}\` changes`];
}

function isVouched(name: string, words: readonly string[], does: ReadonlySet<string>, wraps: boolean): boolean {
  if (TRACERS.has(name) || (name === "time" && words.some((word) => /^(?:-\w*o|--output)/.test(word)))) return false;
  if (name === "git") return isClearGit(words, does);
  if (words.length > 0 && words.every((word) => ABOUT_ITSELF.test(word))) return true;
  if (does.has("code")) return isSubstitution(words) && does.has("write");
  if (name === "curl" && words.some((word) => /^(?:-\w*K|--config)/.test(word))) return false;
  if (HARMLESS.has(name) || READING.has(name) || wraps) return true;
  const unless = LOOKS_UNLESS[name];
  if (unless !== undefined) return !words.some((word) => unless.test(word));
  if (name === "tsc" && words.includes("--noEmit")) return true;
  if (does.has("write") || does.has("delete") || does.has("role")) return true;
  if (isOurName(name)) return ownCallsIn([name, ...words]).every((own) => !isUnclear(own.verb) && onlyShows(own));
  if (isQuestion(name, words)) return true;
  return (does.has("read") || does.has("network")) && !CHANGING_VERBS.has(name);
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

/** `npm ls`, `gh pr view`: a word that only asks, where it is no name of something to run. */
function isQuestion(name: string, words: readonly string[]): boolean {
  const [first = "", second = ""] = words.filter((word) => !word.startsWith("-"));
  return ASKS.test(first) || (ASKS.test(second) && (NOUNS.test(first) || (name === "gh" && first === "run")));
}

/** `git tag`, `git stash list`: a part of git that can also change things is asked to look. */
function isGitQuestion(words: readonly string[]): boolean {
  const verb = gitVerb(words);
  const looks = LOOKS_IN_GIT[verb];
  if (looks === undefined) return false;
  const rest = words.slice(words.indexOf(verb) + 1);
  if (looks.unless !== undefined && rest.some((word) => looks.unless?.test(word))) return false;
  if (looks.anywhere === true) return rest.some((word) => looks.asks.test(word));
  let at = 0;
  while (looks.skips?.test(rest[at] ?? "") || looks.takes?.test(rest[at] ?? ""))
    at += looks.takes?.test(rest[at] ?? "") ? 2 : 1;
  const [first, second] = rest.slice(at);
  if (first === undefined) return rest.length === 0 && looks.bare === true;
  // What asks stands first; behind the name of a new tag it would be something else.
  if (looks.asks.test(first)) return true;
  // `git config user.name` asks for a value, `git config user.name x` sets it.
  return verb === "config" && second === undefined && /^[^-].*\./.test(first);
}

/** What a wrapper runs stands in the list itself. */
function isWrapper(name: string, all: readonly SimpleCommand[]): boolean {
  return all.some(({ via }) => via.some((wrapper) => wrapper.split(" ", 1)[0] === name));
}

function isClearGit(words: readonly string[], does: ReadonlySet<string>): boolean {
  if (words.some((word) => GIT_OUTPUT.test(word))) return does.has("write");
  if (does.has("write") || does.has("delete") || does.has("role")) return true;
  return QUIET_GIT.has(gitVerb(words)) || isGitQuestion(words) || isIndexOnly(words);
}

/** `git restore --staged`, `git rm --cached`: git only notes something down, as `git add` does, and leaves the files alone. */
function isIndexOnly(words: readonly string[]): boolean {
  const verb = gitVerb(words);
  const only = ONLY_INDEX[verb];
  if (only === undefined) return false;
  const options = words.slice(words.indexOf(verb) + 1).filter((word) => word.startsWith("-") || word.startsWith(GAP));
  return options.some((word) => only.says.test(word)) && options.every((word) => only.may.test(word));
}

/** Whether a command changes what git keeps beside the files: the index, commits, branches, tags. */
export function recordsHistory({ program, args }: SimpleCommand): boolean {
  const words = args.map(({ text }) => text);
  if (nameOf(program?.text ?? "") !== "git") return false;
  return isIndexOnly(words) || (RECORDING_GIT.has(gitVerb(words)) && !isGitQuestion(words));
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

/** The part of git that is asked for. */
function gitVerb(words: readonly string[]): string {
  const at = words.findIndex((word, index) => !word.startsWith("-") && !/^-[Cc]$/.test(words[index - 1] ?? ""));
  return words[at] ?? "";
}

/** `perl -pi -e s/a/b/ file`: the one kind of code that is read here. */
function isSubstitution(words: readonly string[]): boolean {
  const codes = words.flatMap((word, index) => (/^-\w*[eE]$/.test(word) ? (words[index + 1] ?? "") : []));
  return (
    codes.length > 0 &&
    codes.every((code) => /^\s*(?:s|tr|y)([/|#,!])(?:(?!\1).)*\1(?:(?!\1).)*\1[gimsx]*;?\s*$/.test(code))
  );
}

const READING: ReadonlySet<string> = new Set(
  Object.keys({ ...READERS, ...FINDERS }).flatMap((names) => names.split(" ")),
);
const ABOUT_ITSELF = /^(?:-v|-V|-h|--version|--help|version|help)$/;
const ASKS =
  /^(?:audit|cat|check-ignore|describe|diff|doc|env|events|freeze|get|help|history|images|info|inspect|list|logs|ls|metadata|outdated|ping|ps|query|search|show|status|top|tree|version|view|whoami|why)$/;
const NOUNS =
  /^(?:api|cluster|compose|config|container|context|image|issue|network|pod|pods|pr|release|repo|service|stack|volume|workflow)$/;
const ONLY_INDEX: Readonly<Record<string, { readonly says: RegExp; readonly may: RegExp }>> = {
  __proto__: null as never,
  restore: { says: /^(?:--staged|-S)$/, may: /^(?:--staged|-S|-q|--quiet|-s|--source(?:=.*)?|--)$/ },
  rm: { says: /^--cached$/, may: /^(?:--cached|-[fnqr]+|--force|--dry-run|--quiet|--ignore-unmatch|--)$/ },
};
const GIT_OUTPUT = /^(?:--output(?:=|$|-d)|--ext-diff|--open-files|-O)/;
const LONGEST = 80;
