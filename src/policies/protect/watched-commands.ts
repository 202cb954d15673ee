import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Adapter } from "../../adapters/adapter.ts";
import { ADAPTERS } from "../../adapters/index.ts";
import type { CallEffects } from "../../effects/effect.ts";
import {
  isOurName,
  isUnclear,
  type OwnCommand,
  onlyShows,
  ownCallsIn,
  ownCommands,
} from "../../effects/own-command.ts";
import { GAP, type SimpleCommand, type Word } from "../../effects/parse/command.ts";
import { isHandedOn } from "./written-names.ts";

/** Why a call would take its own hooks away, by the programs that it runs; nothing when it would not. */
export function watchedCommand(act: CallEffects): string | undefined {
  const { commands } = act;
  const isSought = commands.some(({ source }) => SEEKS_US.test(source));
  const isChanged = commands.some(({ program, source }) => CHANGERS.test(program?.text ?? "") && SEEKS_US.test(source));
  if (isSought && (isChanged || act.effects.some((effect) => isHandedOn(effect, act))))
    return "it changes the program of Sluice";
  for (const [index, command] of commands.entries()) {
    const words = wordsOf(command);
    const found =
      ownVerb(command) ??
      endsUs(command, words, commands) ??
      withoutHooks(command, words, commands.slice(0, index + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The same in a text that cannot be taken apart. */
export function verbInCode(text: string, { effects }: Pick<CallEffects, "effects">): string | undefined {
  if (!effects.some(({ does }) => does === "unknown")) return undefined;
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

/** Words that may stand in front of a program that is run by another: `npx -y sluice`, `node dist/sluice.cjs`. */
function isWrapping(word: string): boolean {
  return word.startsWith("-") || WRAPPING.test(basename(word));
}

/** Ending, stopping or unloading what runs for Sluice. */
function endsUs(command: SimpleCommand, words: readonly string[], all: readonly SimpleCommand[]): string | undefined {
  const program = basename(words[0] ?? "");
  const args = words.slice(1);
  const isStopper =
    SERVICES.test(program) && args.some((word) => /^(?:stop|kill|disable|mask|bootout|unload|remove)$/.test(word));
  if (isStopper && args.some(namesUs)) return "it stops Sluice";
  const isRemover =
    PACKAGES.test(program) && args.some((word) => /^(?:uninstall|remove|rm|un|unlink|r|purge)$/.test(word));
  if (isRemover && args.some((word) => isOurName(word))) return "it uninstalls Sluice";
  if (!ENDERS.test(program) || (program === "fuser" && !args.some((word) => /^-\w*k/.test(word)))) return undefined;
  const isFound = command.args.some(({ isKnown }) => !isKnown) || /^(?:xargs|parallel)$/.test(command.via.at(-1) ?? "");
  const finders = isFound ? all.filter(({ program: name }) => FINDERS.test(basename(name?.text ?? ""))) : [];
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
  const set = variablesSet(command, before);
  const loader = set.find(([name, value]) => LOADERS[name]?.test(value) && !(isUs && name === "PATH"))?.[0];
  if (loader !== undefined) return `${loader} loads other code into what Sluice or an agent runs`;
  return agent && escapeOf(agent, command, words, set);
}

function escapeOf(
  { escapes = {}, title }: Adapter,
  { source }: SimpleCommand,
  words: readonly string[],
  set: readonly Variable[],
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
  const pieces = words.find((word) => !isWrapping(word))?.split(/[\\/]/) ?? [];
  const name = pieces.at(-1)?.replace(/@.*$/, "");
  return ADAPTERS.find(
    ({ program }) => program !== undefined && (program === name || pieces.some((piece) => piece === `${program}-code`)),
  );
}

type Variable = readonly [name: string, value: string];

/** Variables that are set for this command, or for the shell before it. */
function variablesSet(command: SimpleCommand, before: readonly SimpleCommand[]): Variable[] {
  const shell = before.filter(({ program }) => program === undefined || DECLARES.test(program.text));
  const declared = shell.flatMap(({ program, args }) => (program === undefined ? [] : args.map(declaration)));
  const assigned = [command, ...shell].flatMap(({ assignments }) =>
    Object.entries(assignments).map(([name, { text }]): Variable => [name, text]),
  );
  return [...assigned, ...declared];
}

function declaration({ text }: Word): Variable {
  const [, name = "", value = ""] = /^([A-Za-z_]\w*)(?:=([\s\S]*))?$/.exec(text) ?? [];
  return [name, value];
}

function wordsOf({ program, args }: SimpleCommand): string[] {
  return [program?.text ?? "", ...args.map(({ text }) => text)];
}

const PERSONAL: ReadonlySet<string> = new Set(["trust", "uninstall", "pause", "allow-once", "import", "init"]);
const INTENT_VERBS: ReadonlySet<string> = new Set(["new", "start", "done", "scope"]);
const NAMED_WITH_WORD: ReadonlySet<string> = new Set(["intents", "templates"]);
const CALL_IN_CODE = /\bsluice(?:\.[cm]?js)?(?=['"\s,]([^\n;|&]{0,400}))/g;
const WRAPPING = /^(?:npx|bunx|pnpx|npm|pnpm|yarn|bun|node|nodejs|deno|exec|dlx|x|run|tsx|-)$/;
const ENDERS = /^(?:kill|pkill|killall|killall5|skill|fuser|xkill|taskkill)$/;
const FINDERS = /^(?:pgrep|pidof|ps|grep|rg|awk|lsof|fuser|cat|ss|netstat|head)$/;
const SEEKS_US = /\b(?:which|whereis|command\s+-v|type\s+-\w+|hash\s+-t)\s+(?:-\S+\s+)*['"]?sluice\b/;
const CHANGERS = /^(?:rm|unlink|shred|mv|cp|ln|chmod|chown|chattr|truncate|tee|dd|install)$/;
const PACKAGES = /^(?:npm|pnpm|yarn|bun|volta|brew|apt|apt-get|dnf|pacman)$/;
const SERVICES = /^(?:systemctl|service|launchctl|pm2|supervisorctl|rc-service|sc)$/;
const DECLARES = /^(?:export|declare|typeset|unset|local|readonly|setenv|set)$/;
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
