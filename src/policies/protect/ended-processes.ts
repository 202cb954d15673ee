import { existsSync } from "node:fs";
import {
  type CallEffects,
  type CommandRun,
  canonicalProgram,
  giversOf,
  isOpaque,
  isOurName,
  isProgram,
  killsAll,
  runsOf,
  takesWordsFromInput,
} from "../../effects/index.ts";
import { attempt } from "../../event/attempt.ts";
import { readRegularText } from "../../fs/regular-file.ts";
import { compileGlob } from "../../pattern/glob.ts";

/** Whether a command ends, stops, holds or takes over a process of Sluice. */
export function endsSluice(run: CommandRun, call: CallEffects): boolean {
  const { name, args, roles, command } = run;
  if (name === "") return false;
  if (!roles.includes("kill")) {
    if (roles.includes("settings") && run.is("scheduler") && args.some(namesUs)) return true;
    // A debugger, a limit or a lower priority affects the process, unless the command only shows something.
    const isNamed = numbersIn(args.join(" ")).some(isOurProcess);
    const acts = roles.length > 0 || run.isUndescribed;
    const writes = run.effects.some(({ does }) => does === "write");
    return (isNamed && (acts || writes)) || (acts && isFoundForUs(run, call));
  }
  const isOurs = killsAll(canonicalProgram(name), args, command.source) || args.some(namesUs);
  if (roles.includes("power") || isOurs || args.some(isOurProcess)) return true;
  const isPattern = args.some((word) => /^-\w*[fr]|^--(?:full|regexp)/.test(word));
  if (isPattern && patternsIn(args).some((word) => fitsUs(word, args.some(IGNORES_CASE)))) return true;
  const isFound = command.args.some(({ isKnown }) => !isKnown) || command.via.some(takesWordsFromInput);
  const finders = isFound ? runsOf(call).filter((other) => other !== run) : [];
  return finders.some((finder) => finder.args.some((word) => isSoughtBy(finder, word)));
}

/** Whether a command that prints process ids, or lines with them, searches for ours by this argument. */
function isSoughtBy(run: CommandRun, word: string): boolean {
  if (namesUs(word) || (PATTERN.test(word) && fitsUs(word))) return true;
  const language = run.row?.interpreter?.language;
  const isFilter = language === "awk" || language === "sed" || run.is("text-search");
  return (isFilter || run.is("finds-processes")) && OWN_OPTION.test(word);
}

/** The arguments that are patterns: no options, except after `--`. */
function patternsIn(words: readonly string[]): readonly string[] {
  const dashes = words.indexOf("--");
  return words.filter((word, at) => word !== "--" && (!word.startsWith("-") || (dashes >= 0 && at > dashes)));
}

const IGNORES_CASE = (word: string) => /^-\w*i|^--ignore-case$/.test(word);

/** `gdb -p $(pgrep sluice)`: whether another command finds our processes for this one. */
function isFoundForUs({ at }: CommandRun, { commands }: CallEffects): boolean {
  const finders = giversOf(at, commands)
    .flat()
    .filter(({ program }) => isProgram("finds-processes", program?.text ?? ""));
  return finders.some(({ args }) => args.some(({ text }) => namesUs(text)));
}

/** Whether code that is run names one of our processes, or searches for one by name, and sends a signal. */
export function signalsSluice(text: string, { effects, commands }: Pick<CallEffects, "effects" | "commands">): boolean {
  const isOurs = () => numbersIn(text).some(isOurProcess) || (KILLS.test(text) && namesUs(text));
  if (effects.some(isOpaque) && SIGNALS.test(text) && isOurs()) return true;
  // `case $(tr … < $p/cmdline) in *sluice*) kill …`: the pattern of a `case` is not an argument.
  return (
    CHOOSES.test(text) &&
    effects.some(
      (effect) =>
        effect.does === "run" &&
        effect.roles.includes("kill") &&
        commands[effect.command]?.args.some(({ isKnown }) => !isKnown),
    )
  );
}

/** Whether a text is the id of one of our processes, as far as the system shows it. */
export function isOurProcess(word: string): boolean {
  if (!/^-?\d{2,}$/.test(word)) return false;
  const file = `/proc/${word.replace("-", "")}/cmdline`;
  // Most numbers are not a process, and an exception is slower than a check.
  if (!existsSync(file)) return false;
  return (
    attempt(() =>
      readRegularText(file)
        .split("\0", 2)
        .some((word) => isOurName(word)),
    ) ?? false
  );
}

/** Whether a text is, or contains, the name of Sluice. */
export function namesUs(word: string): boolean {
  return [word, word.replaceAll(/[[\]]/g, "")].some((one) => /\bsluice\b/i.test(one));
}

/** Whether a pattern for command lines matches that of the daemon or of a plugin's process. */
function fitsUs(given: string, isAnyCase = false): boolean {
  if (given.length > MAX_PATTERN || given.length === 0) return false;
  const word = isAnyCase ? given.toLowerCase() : given;
  const own = [process.execPath, process.argv[1] ?? "", "serve --launched", "plugin-host.cjs"].join(" ");
  const line = isAnyCase ? own.toLowerCase() : own;
  // `/x/ { print }` searches for `x`; a path continues after its slashes.
  const sought = [...word.matchAll(SOUGHT)].map(([, inner = ""]) => inner);
  return (sought.length === 0 ? [word] : sought)
    .flatMap(alternativesOf)
    .some((part) => compileGlob(`*${asGlob(part)}*`)(line));
}

/** The alternatives of a regular expression, also in groups; a repeated group, or too many alternatives, match anything. */
function alternativesOf(pattern: string): string[] {
  let all = [pattern.replaceAll(/\\([()|])/g, "$1")];
  while (all.some((one) => GROUP.test(one))) {
    if (all.length > MAX_CHOICES) return [".*"];
    all = all.flatMap((one) => {
      const [group, inside = "", repeats] = GROUP.exec(one) ?? [];
      if (group === undefined) return [one];
      const parts = repeats === undefined ? inside.split("|") : [".*"];
      return parts.map((part) => one.replace(group, () => part));
    });
  }
  return all.flatMap((one) => one.split("|"));
}

/** A glob that matches everything that a regular expression without groups matches. */
function asGlob(pattern: string): string {
  return pattern
    .replaceAll(/[\^$]/g, "")
    .replaceAll(/\\(.)/g, (_, sign: string) => (/\w/.test(sign) ? "?" : sign))
    .replaceAll(/\.?(?:[*+?]|\{[^}]*\})/g, "*")
    .replaceAll(".", "?");
}

function numbersIn(text: string): string[] {
  return [...new Set(text.match(/\b\d{2,7}\b/g))];
}

/** Characters that only a pattern has, or arguments of the daemon's command line. */
const PATTERN = /[[\].*]|\(.*\|.*\)|serve -/;
/** The option that only the daemon's command line has. */
const OWN_OPTION = /\blaunched\b/;
const SOUGHT = /(?:^|[\s&|(~,])\/((?:\\.|[^/\\])+)\/(?=[\s{,;!&|)~]|$)/g;
const KILLS = /\bkill(?:pg)?\s*\(/;
const CHOOSES = /\bin\b[^\n;]{0,200}sluice[^\n;]{0,80}\)|=~?\s*["'*]{0,3}sluice/;
const SIGNALS = /kill|signal|ptrace|SIG(?:STOP|TERM|KILL|INT|HUP)/;
const GROUP = /\((?:\?:)?([^()]*)\)([*+?]|\{[^}]*\})?/;
const MAX_CHOICES = 64;
const MAX_PATTERN = 400;
