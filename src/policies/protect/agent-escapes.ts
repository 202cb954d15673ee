import { basename } from "node:path";
import type { Adapter } from "../../adapters/adapter.ts";
import { ADAPTERS } from "../../adapters/index.ts";
import {
  type CallEffects,
  type CommandRun,
  GAP,
  isOurName,
  isProgram,
  isRunner,
  ownCommands,
  runsOf,
  type SetVariable,
  variablesSetFor,
} from "../../effects/index.ts";
import { dataField, type EventFacts } from "../../event/field.ts";
import { once } from "../../event/once.ts";
import { unpacked } from "../../event/packed.ts";
import { isOfKind } from "../../event/tool-kinds.ts";
import { NOT_REGULAR, readRegularFile } from "../../fs/regular-file.ts";
import { fromFolder } from "./printed-places.ts";

/** Why a call would start an agent, or this one again, without hooks; undefined if it would not. */
export function agentWithoutHooks(call: CallEffects): string | undefined {
  const runs = runsOf(call);
  for (const run of runs) {
    const agent = agentIn(run.words) ?? hiddenAgent(run, runs);
    const isUs = isOurName(run.name) || ownCommands(run.command).length > 0;
    if ((agent === undefined && !isUs) || isAboutItself(run)) continue;
    const around = wrappersAround(run, runs);
    const before = call.commands.slice(0, run.at + 1);
    const set = [run, ...around].flatMap(({ command }) => variablesSetFor(command, before));
    const loader = set.find(([name, value]) => LOADERS[name]?.test(value) && !(isUs && name === "PATH"))?.[0];
    if (loader !== undefined) return `${loader} loads other code into what Sluice or an agent runs`;
    const why = agent && (escapeOf(agent, run, set, call) ?? elsewhere(agent, around, runs));
    if (why !== undefined) return why;
  }
  return undefined;
}

/** Why a settings tool would switch an agent's hooks off: `Config` with `disableAllHooks`. */
export function settingWithoutHooks(event: EventFacts): string | undefined {
  const { toolName = "" } = event;
  if (!SETTING_TOOL.test(toolName) || FILE_KINDS.some((kind) => isOfKind(toolName, kind))) return undefined;
  const input = unpacked(dataField(event, "tool_args"));
  const names = namesIn(input);
  // Without a value, the tool only shows a setting.
  const isChange = names.some(({ key }) => VALUE_KEY.test(key)) || !names.some(({ key }) => NAME_KEY.test(key));
  const found = isChange
    ? names.flatMap(({ key, text }) => [key, text]).find((one) => HOOK_SETTING().test(one))
    : undefined;
  return found && `the tool ${toolName} would change ${found}, by which an agent calls its hooks`;
}

/** The keys and short texts of an input, at any depth. */
function namesIn(value: unknown, key = "", depth = 0): { readonly key: string; readonly text: string }[] {
  const held = typeof value === "string" ? unpacked(value) : value;
  if (typeof held === "object" && held !== value) return namesIn(held, key, depth + 1);
  if (typeof value === "string") return [{ key, text: value.length < MAX_NAME ? value : "" }];
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return [{ key, text: "" }];
  const own = Object.entries(value).flatMap(([name, inner]) =>
    namesIn(inner, Array.isArray(value) ? key : name, depth + 1),
  );
  return [{ key, text: "" }, ...own];
}

const SETTING_TOOL = /config|setting|preference|option/i;
const FILE_KINDS = ["@shell", "@read", "@write"] as const;
const NAME_KEY = /^(?:setting|key|name|option|path)$/i;
const VALUE_KEY = /value|^(?:data|content|enabled?|state|to)$/i;
/** `hooks`, `hooks.PreToolUse`, and each agent's settings that switch hooks off. */
const HOOK_SETTING = once(() => {
  const words = ADAPTERS.flatMap(({ escapes }) => escapes?.words ?? []).filter((word) => /^[\w.]+$/.test(word));
  return new RegExp(`^(?:[\\w.]+\\.)?(?:hooks|${words.join("|").replaceAll(".", "\\.")})(?:\\.[\\w.*-]+)?$`);
});
const MAX_NAME = 200;
const MAX_DEPTH = 6;

/** The commands that run the one at a position: `sudo`, `env`, `sh -c`, `docker run`. */
function wrappersAround({ at, command: { via } }: CommandRun, runs: readonly CommandRun[]): CommandRun[] {
  const names = new Set(via.map((one) => one.split(" ", 1)[0] ?? ""));
  return runs.slice(0, at).filter(({ name }) => name !== "" && names.has(basename(name)));
}

/** `claude --version` only shows something about itself. */
function isAboutItself({ args }: CommandRun): boolean {
  return args.some((word) => /^(?:--version|-v|-V|--help|-h|help|update|doctor)$/.test(word));
}

/** An agent under another name, or under one that is only known at run time: `HOME=/x $(which claude)`. */
function hiddenAgent({ command: { program } }: CommandRun, runs: readonly CommandRun[]): Adapter | undefined {
  if (program === undefined || (!program.text.includes("/") && program.isKnown)) return undefined;
  const isNamed = (name: string) => {
    const pattern = new RegExp(`(?:^|[\\s/])${name}(?=[\\s)"']|$)`);
    return runs.some(({ command }) => pattern.test(command.source));
  };
  return ADAPTERS.find(({ program: name }) => name !== undefined && isNamed(name));
}

/** An agent as another user, in another root, or with other variables or files than this one. */
function elsewhere(agent: Adapter, around: readonly CommandRun[], runs: readonly CommandRun[]): string | undefined {
  const { title, escapes = {} } = agent;
  const variables = [...HOMES, ...(escapes.variables ?? [])];
  const isNamed = (text: string) =>
    variables.some((name) => new RegExp(`(?:^|[^\\w$])${name}(?:['"\\]}]*\\s*[=:,]|$)`).test(text));
  // A terminal passes on the variables that were set in it before.
  const setters = runs.filter(({ args }) => args.some((text) => /^set(?:-environment|env)$/.test(text)));
  for (const { args, command, row, name: called } of [...around, ...setters]) {
    const name = basename(called);
    const end = args.findIndex((word) => word.split(/\s/).some((one) => basename(one) === agent.program));
    // The rest are the agent's own arguments.
    const words = args.slice(0, end < 0 ? args.length : end);
    const isInterpreter = row?.interpreter !== undefined;
    if (isInterpreter ? isNamed(command.source) : args.slice(0, end < 0 ? MAX_OPTIONS : end).some(isNamed))
      return `${title} under \`${name}\` with other variables does not find its hooks`;
    if (isOtherWorld(name, words)) return `${title} under \`${name}\` does not find its hooks, or runs as another user`;
  }
  const local = around.find((run) => run.is("remote-shell"));
  if (local?.args.some((text) => /^(?:[\w.-]+@)?(?:localhost|127\.[\d.]+|::1|0\.0\.0\.0)$/.test(text)))
    return `${title} in a new session of this machine does not find its hooks`;
  return undefined;
}

/** Whether a wrapper runs programs as another user, in a container, or with other files in place of the home directory. */
function isOtherWorld(name: string, words: readonly string[]): boolean {
  if (isProgram("holds-services", name)) return true;
  if (isProgram("other-world", name)) return !isWholeSandbox(words) || words.some((word) => HIDES_HOME.test(word));
  return isProgram("scheduler", name) && words.some((word) => /^--uid|^-p|^--property|^--machine/.test(word));
}

/** `bwrap --bind / /`: the whole machine is visible, and only devices and temporary files are replaced. */
function isWholeSandbox(words: readonly string[]): boolean {
  const targets = words.flatMap((word, at) =>
    /^--(?:dev-|ro-)?bind(?:-try)?$/.test(word) ? [words[at + 2] ?? ""] : [],
  );
  return (
    targets.includes("/") && targets.every((target) => /^\/(?:$|tmp\/?$|(?:dev|proc|sys|run)(?:\/|$))/.test(target))
  );
}

const HIDES_HOME = /^--(?:tmpfs|setenv|unsetenv|clearenv|overlay|private|blacklist)\b/;
/** A wrapper's own options come first. */
const MAX_OPTIONS = 24;

function escapeOf(
  { escapes = {}, title }: Adapter,
  { words, command: { source, folder } }: CommandRun,
  set: readonly SetVariable[],
  call: CallEffects,
): string | undefined {
  const flag = escapes.flags?.find((name) => words.some((word) => word === name || word.startsWith(`${name}=`)));
  const line = words
    .filter(mayBeSetting)
    .join(" ")
    .replaceAll(/\s*=\s*/g, "=");
  const isOff = (name: string) =>
    line.includes(name) || words.some((word) => holdsWord(fromFolder(word, folder, call) ?? word, name));
  const off = flag ?? escapes.words?.find(isOff) ?? words.find((word) => SETS_HOOKS.test(word));
  if (off !== undefined) return `${title} with ${off} runs without its hooks`;
  const verbs = words.filter((word) => !word.includes(" ")).join(" ");
  const isSetting =
    /\b(?:config|mcp|plugin|extensions?|hooks)\b/.test(verbs) &&
    /\b(?:set|remove|rm|disable|uninstall|unset|delete|purge)\b/.test(verbs);
  if (isSetting && words.some((word) => /hook|sluice/i.test(word))) return `${title} forgets its hooks by it`;
  const moved = set.find(([name]) => HOMES.has(name) || escapes.variables?.includes(name))?.[0];
  if (moved !== undefined) return `${title} with another ${moved} does not find its hooks`;
  return CLEARS_HOME.test(source) ? `${title} without its environment does not find its hooks` : undefined;
}

/** `env -i`, `env -u HOME`. */
const CLEARS_HOME =
  /\benv\s+(?:-\S+\s+)*(?:-[0v]*i|-\s|--ignore-e|(?:-[0v]*u|--u[nset]*)[\s=]*(?:HOME|XDG_CONFIG_HOME|XDG_STATE_HOME)\b)/;

/** `codex -c hooks.PreToolUse='[]'`: a setting for one run replaces the file's setting. */
const SETS_HOOKS = /^(?:--config=|-c)?(?:features\.)?hooks(?:\.[\w-]+)*\s*=/;

/** The text of a prompt is not a setting. */
function mayBeSetting(word: string): boolean {
  return !/\s/.test(word) || /^\s*(?:[{[-]|[\w."'-]+\s*=)/.test(word);
}

/** Whether a settings file that is named on the command line contains a name. */
function holdsWord(path: string, name: string): boolean {
  if (!/\.(?:json|toml|ya?ml)$/.test(path)) return false;
  try {
    return readRegularFile(path).toString().slice(0, MAX_SETTINGS).includes(name);
  } catch (error) {
    // The content of a pipe is not known yet.
    return (error as NodeJS.ErrnoException).code === NOT_REGULAR;
  }
}

/** The agent that a command starts: by its name, as a package with or without a version, or as a script. */
function agentIn(words: readonly string[]): Adapter | undefined {
  const started =
    words.find((word) => word.startsWith("npm:")) ?? words.find((word) => !word.startsWith("-") && !isRunner(word));
  const pieces = started?.replace(/^npm:|(?<=.)@[^/]*$|\.[cm]?js$/g, "").split(/[\\/]/) ?? [];
  return ADAPTERS.find(
    ({ program }) => program !== undefined && (program === pieces.at(-1) || pieces.includes(`${program}-code`)),
  );
}

const MAX_SETTINGS = 100_000;
const HOMES: ReadonlySet<string> = new Set(["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "USERPROFILE"]);
/** Variables that load code, and the values for which they do. */
const LOADERS: Readonly<Record<string, RegExp>> = {
  NODE_OPTIONS: new RegExp(`(?:^|\\s)(?:-r|--require|--import|--loader|--experimental-loader)|${GAP}`),
  NODE_PATH: /./,
  LD_PRELOAD: /./,
  LD_LIBRARY_PATH: /./,
  LD_AUDIT: /./,
  DYLD_INSERT_LIBRARIES: /./,
  DYLD_LIBRARY_PATH: /./,
  BASH_ENV: /./,
  // Folders after the usual ones do not replace a program.
  PATH: new RegExp(`^[^${GAP}]`),
};
