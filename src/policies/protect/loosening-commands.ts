import { readFileSync } from "node:fs";
import type { Adapter } from "../../adapters/adapter.ts";
import { ADAPTERS } from "../../adapters/index.ts";
import type { CallEffects, Effect, PathEffect } from "../../effects/effect.ts";
import {
  isOurName,
  isRunner,
  isUnclear,
  type OwnCommand,
  onlyShows,
  ownCallsIn,
  ownCommands,
} from "../../effects/own-command.ts";
import { GAP, type SimpleCommand } from "../../effects/parse/command.ts";
import { isPackageManager, namesOf } from "../../effects/programs/index.ts";
import { type SetVariable, variablesSetFor } from "../../effects/set-variables.ts";
import { changesPrintedPath, takesWordsFromInput } from "../../effects/substitution-sources.ts";

/** Why a call would take its own hooks away, by the programs that it runs; nothing when it would not. */
export function looseningCommand(call: CallEffects): string | undefined {
  const { commands } = call;
  const isSought = commands.some(({ source }) => isSeekingUs(source));
  const isChange = (effect: Effect) =>
    (isChanging(effect) && isSeekingUs(commands[effect.command]?.source ?? "")) || changesPrintedPath(effect, call);
  if (isSought && call.effects.some(isChange)) return "it changes the program of Sluice";
  const killers = new Set<number>();
  for (const effect of call.effects)
    if (effect.does === "run" && effect.roles.includes("kill")) killers.add(effect.command);
  for (const [index, command] of commands.entries()) {
    const words = wordsOf(command);
    const found =
      ownVerb(command) ??
      endsUs(command, killers.has(index), words, commands) ??
      withoutHooks(command, words, commands.slice(0, index + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The same in code that is not read. */
export function verbInCode(text: string, { effects }: Pick<CallEffects, "effects">): string | undefined {
  const isUnread = (effect: Effect) => effect.does === "unknown" || (effect.does === "run" && effect.code === "unread");
  if (!effects.some(isUnread)) return undefined;
  for (const [name, tail = ""] of text.matchAll(CALL_IN_CODE)) {
    const [own] = ownCallsIn([name, ...tail.split(/['"\s,()[\]]+/).filter((word) => word !== "")]);
    const isWord = own !== undefined && (own.verb !== "intents" || INTENT_VERBS.has(own.words[0] ?? ""));
    if (isWord && isPersonal(own)) return personal(own);
  }
  return undefined;
}

function personal({ verb, words }: OwnCommand): string {
  const part = isUnclear(verb) ? "…" : NAMED_WITH_WORD.has(verb) && words[0] ? `${verb} ${words[0]}` : verb;
  return `\`sluice ${part.replaceAll(GAP, "…")}\` is for a person at a terminal`;
}

/** Verbs of our own that loosen something; they belong to a person at a terminal. */
function ownVerb(command: SimpleCommand): string | undefined {
  const found = ownCommands(command).find((own) => isUnclear(own.verb) || isPersonal(own));
  return found && personal(found);
}

function isPersonal(own: OwnCommand): boolean {
  const { verb, words, options } = own;
  if (onlyShows(own)) return false;
  const isClear = !words.some(isUnclear);
  if (PERSONAL.has(verb)) return !(isClear && (options.has("status") || options.has("dry-run")));
  if (verb === "serve") return options.has("stop") || !isClear;
  return verb === "intents" || (verb === "templates" && words.length > 0);
}

function isChanging(effect: Effect): effect is PathEffect {
  return effect.does === "write" || effect.does === "delete";
}

/** Ending, stopping or unloading what runs for Sluice, and taking its package away. */
function endsUs(
  command: SimpleCommand,
  isKiller: boolean,
  [program = "", ...args]: readonly string[],
  commands: readonly SimpleCommand[],
): string | undefined {
  const isRemover = isPackageManager(program) && args.some((word) => REMOVES.test(word));
  if (isRemover && args.some((word) => isOurName(word))) return "it uninstalls Sluice";
  if (!isKiller) return undefined;
  const isFound = command.args.some(({ isKnown }) => !isKnown) || command.via.some(takesWordsFromInput);
  const finders = isFound ? commands.filter((other) => other !== command) : [];
  const isUs = args.some(namesUs) || finders.some((finder) => finder.args.some(({ text }) => namesUs(text)));
  return isUs || args.some(isOurProcess) ? "it ends Sluice" : undefined;
}

function namesUs(word: string): boolean {
  return /\bsluice\b/i.test(word);
}

/** Whether a number is a process of ours, where the system tells. */
function isOurProcess(word: string): boolean {
  if (!/^-?\d{2,}$/.test(word)) return false;
  try {
    const [first = "", second = ""] = readFileSync(`/proc/${word.replace("-", "")}/cmdline`, "utf8").split("\0");
    return [first, second].some((name) => isOurName(name));
  } catch {
    return false;
  }
}

/** Another agent, or this one again, started where no hook reaches it. */
function withoutHooks(
  command: SimpleCommand,
  words: readonly string[],
  before: readonly SimpleCommand[],
): string | undefined {
  const agent = agentIn(words);
  const isUs = isOurName(words[0] ?? "");
  if (agent === undefined && !isUs) return undefined;
  const set = variablesSetFor(command, before);
  const loader = set.find(([name, value]) => LOADERS[name]?.test(value) && !(isUs && name === "PATH"))?.[0];
  if (loader !== undefined) return `${loader} loads other code into what Sluice or an agent runs`;
  return agent && escapeOf(agent, command, words, set);
}

function escapeOf(
  { escapes = {}, title }: Adapter,
  { source }: SimpleCommand,
  words: readonly string[],
  set: readonly SetVariable[],
): string | undefined {
  const flag = escapes.flags?.find((name) => words.some((word) => word === name || word.startsWith(`${name}=`)));
  const line = words.join(" ").replaceAll(/\s*=\s*/g, "=");
  const off = flag ?? escapes.words?.find((name) => line.includes(name));
  if (off !== undefined) return `${title} with ${off} runs without its hooks`;
  const moved = set.find(([name]) => HOMES.has(name) || escapes.variables?.includes(name))?.[0];
  if (moved !== undefined) return `${title} with another ${moved} does not find its hooks`;
  return /\benv\s+(?:-\S+\s+)*(?:-i\b|-\s|--ignore-environment|(?:-u|--unset)[\s=]*(?:HOME|XDG_CONFIG_HOME|XDG_STATE_HOME)\b)/.test(
    source,
  )
    ? `${title} without its environment does not find its hooks`
    : undefined;
}

function agentIn(words: readonly string[]): Adapter | undefined {
  const pieces = words.find((word) => !word.startsWith("-") && !isRunner(word))?.split(/[\\/]/) ?? [];
  const name = pieces.at(-1)?.replace(/@.*$/, "");
  return ADAPTERS.find(
    ({ program }) => program !== undefined && (program === name || pieces.some((piece) => piece === `${program}-code`)),
  );
}

function wordsOf({ program, args }: SimpleCommand): string[] {
  return [program?.text ?? "", ...args.map(({ text }) => text)];
}

const PERSONAL: ReadonlySet<string> = new Set([
  "trust",
  "uninstall",
  "pause",
  "allow",
  "allow-once",
  "import",
  "init",
  "enable",
  "disable",
  "ui",
  "add",
  "remove",
  "update",
  "bundle",
  "ship",
]);
const INTENT_VERBS: ReadonlySet<string> = new Set(["new", "start", "done", "scope"]);
const NAMED_WITH_WORD: ReadonlySet<string> = new Set(["intents", "templates"]);
const CALL_IN_CODE = /\bsluice(?:\.[cm]?js)?(?=['"\s,]([^\n;|&]{0,400}))/g;
/** Whether a text asks where our command lies. */
function isSeekingUs(text: string): boolean {
  if (!text.includes("sluice")) return false;
  seeksUs ??= new RegExp(
    String.raw`\b(?:${namesOf("finds-programs").join("|")}|command\s+-v|type\s+-\w+|hash\s+-t)\s+(?:-\S+\s+)*['"]?sluice\b`,
  );
  return seeksUs.test(text);
}

let seeksUs: RegExp | undefined;
const REMOVES = /^(?:uninstall|remove|rm|un|unlink|r|purge)$/;
const HOMES: ReadonlySet<string> = new Set(["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "USERPROFILE"]);
/** Variables that load code, and the values with which they do. */
const LOADERS: Readonly<Record<string, RegExp>> = {
  NODE_OPTIONS: new RegExp(`(?:^|\\s)(?:-r|--require|--import|--loader|--experimental-loader)|${GAP}`),
  NODE_PATH: /./,
  LD_PRELOAD: /./,
  LD_LIBRARY_PATH: /./,
  LD_AUDIT: /./,
  DYLD_INSERT_LIBRARIES: /./,
  DYLD_LIBRARY_PATH: /./,
  BASH_ENV: /./,
  // Folders behind the usual ones hide no program.
  PATH: new RegExp(`^[^${GAP}]`),
};
