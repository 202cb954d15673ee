import { existsSync } from "node:fs";
import {
  type CallEffects,
  canonicalProgram,
  effectsOf,
  giversOf,
  isOurName,
  isProgram,
  isUndescribed,
  killsAll,
  programNamed,
  type SimpleCommand,
  takesWordsFromInput,
} from "../../effects/index.ts";
import { readRegularText } from "../../fs/regular-file.ts";
import { compileGlob } from "../../pattern/glob.ts";

/** Whether a command ends, stops, holds or takes over a process of Sluice. */
export function endsSluice(command: SimpleCommand, at: number, call: CallEffects): boolean {
  const { program } = command;
  if (program === undefined) return false;
  const words = command.args.map(({ text }) => text);
  const roles = effectsOf(at, call).flatMap((effect) => (effect.does === "run" ? effect.roles : []));
  if (!roles.includes("kill")) {
    const isService = roles.includes("settings") && isProgram("scheduler", program.text);
    if (isService && words.some(namesUs)) return true;
    // A debugger, a limit or a lower priority affects the process, unless the command only shows something.
    const isNamed = numbersIn(words.join(" ")).some(isOurProcess);
    return (isNamed && !isOnlyShown(command, at, call)) || (isFoundForUs(at, call) && !isHarmless(command, at, call));
  }
  const isOurs = killsAll(canonicalProgram(program.text), words, command.source) || words.some(namesUs);
  if (roles.includes("power") || isOurs || words.some(isOurProcess)) return true;
  const isPattern = words.some((word) => /^-\w*[fr]|^--(?:full|regexp)/.test(word));
  if (isPattern && patternsIn(words).some((word) => fitsUs(word, words.some(IGNORES_CASE)))) return true;
  const isFound = command.args.some(({ isKnown }) => !isKnown) || command.via.some(takesWordsFromInput);
  const finders = isFound ? call.commands.filter((other) => other !== command) : [];
  return finders.some((finder) => finder.args.some(({ text }) => isSoughtBy(finder, text)));
}

/** Whether a command that prints process ids, or lines with them, searches for ours by this argument. */
function isSoughtBy({ program }: SimpleCommand, word: string): boolean {
  if (namesUs(word) || (PATTERN.test(word) && fitsUs(word))) return true;
  const name = program?.text ?? "";
  const { language } = programNamed(name)?.interpreter ?? {};
  const isFilter = language === "awk" || language === "sed" || isProgram("text-search", name);
  return (isFilter || isProgram("finds-processes", name)) && OWN_OPTION.test(word);
}

/** The arguments that are patterns: no options, except after `--`. */
function patternsIn(words: readonly string[]): readonly string[] {
  const dashes = words.indexOf("--");
  return words.filter((word, at) => word !== "--" && (!word.startsWith("-") || (dashes >= 0 && at > dashes)));
}

const IGNORES_CASE = (word: string) => /^-\w*i|^--ignore-case$/.test(word);

/** `gdb -p $(pgrep sluice)`: whether another command finds our processes for this one. */
function isFoundForUs(at: number, { commands }: CallEffects): boolean {
  const finders = giversOf(at, commands)
    .flat()
    .filter(({ program }) => isProgram("finds-processes", program?.text ?? ""));
  return finders.some(({ args }) => args.some(({ text }) => namesUs(text)));
}

/** Whether a command does not affect a process; it may write its id to a file. */
function isHarmless(command: SimpleCommand, at: number, call: CallEffects): boolean {
  const acts = effectsOf(at, call).some((effect) => effect.does === "run" && effect.roles.length > 0);
  return !acts && !isUndescribed(command, at, call);
}

/** Whether a command only shows something, independent of the rest of the line. */
function isOnlyShown(command: SimpleCommand, at: number, call: CallEffects): boolean {
  const isAct = effectsOf(at, call).some(
    // A deletion has a role.
    (effect) => effect.does === "write" || (effect.does === "run" && effect.roles.length > 0),
  );
  return !isAct && !isUndescribed(command, at, call);
}

/** Whether code that is run names one of our processes, or searches for one by name, and sends a signal. */
export function signalsSluice(text: string, { effects, commands }: Pick<CallEffects, "effects" | "commands">): boolean {
  const isCode = effects.some(
    (effect) => effect.does === "unknown" || (effect.does === "run" && effect.code !== undefined),
  );
  if (isCode && SIGNALS.test(text) && (numbersIn(text).some(isOurProcess) || (KILLS.test(text) && namesUs(text))))
    return true;
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
  try {
    return readRegularText(file)
      .split("\0", 2)
      .some((word) => isOurName(word));
  } catch {
    return false;
  }
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
