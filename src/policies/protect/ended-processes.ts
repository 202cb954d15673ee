import { existsSync } from "node:fs";
import type { CallEffects } from "../../effects/effect.ts";
import { effectsOf } from "../../effects/effects-by-command.ts";
import { isOurName } from "../../effects/own-command.ts";
import type { SimpleCommand } from "../../effects/parse/command.ts";
import { killsAll } from "../../effects/programs/processes.ts";
import { canonicalProgram, isProgram, programNamed } from "../../effects/programs/program-name.ts";
import { giversOf, takesWordsFromInput } from "../../effects/substitution-sources.ts";
import { isUndescribed } from "../../effects/undescribed-changes.ts";
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
    // A debugger, a limit, a lower rank: what is no look at the process is meant for it.
    const isNamed = numbersIn(words.join(" ")).some(isOurProcess);
    return (isNamed && !isOnlyShown(command, at, call)) || (isFoundForUs(at, call) && !isHarmless(command, at, call));
  }
  if (
    roles.includes("power") ||
    killsAll(canonicalProgram(program.text), words, command.source) ||
    words.some(namesUs) ||
    words.some(isOurProcess)
  )
    return true;
  const isPattern = words.some((word) => /^-\w*[fr]|^--(?:full|regexp)/.test(word));
  if (isPattern && patternsIn(words).some((word) => fitsUs(word, words.some(IGNORES_CASE)))) return true;
  const isFound = command.args.some(({ isKnown }) => !isKnown) || command.via.some(takesWordsFromInput);
  const finders = isFound ? call.commands.filter((other) => other !== command) : [];
  return finders.some((finder) => finder.args.some(({ text }) => isSoughtBy(finder, text)));
}

/** Whether a command that prints numbers of processes, or lines with them, looks for ours by this word. */
function isSoughtBy({ program }: SimpleCommand, word: string): boolean {
  if (namesUs(word) || (PATTERN.test(word) && fitsUs(word))) return true;
  const name = program?.text ?? "";
  const { language } = programNamed(name)?.interpreter ?? {};
  const isFilter = language === "awk" || language === "sed" || isProgram("text-search", name);
  return (isFilter || isProgram("finds-processes", name)) && OWN_OPTION.test(word);
}

/** The words of a command that are patterns: no options, unless `--` says so. */
function patternsIn(words: readonly string[]): readonly string[] {
  const dashes = words.indexOf("--");
  return words.filter((word, at) => word !== "--" && (!word.startsWith("-") || (dashes >= 0 && at > dashes)));
}

const IGNORES_CASE = (word: string) => /^-\w*i|^--ignore-case$/.test(word);

/** `gdb -p $(pgrep sluice)`: whether a command is given the numbers of our processes by another that looks for them. */
function isFoundForUs(at: number, { commands }: CallEffects): boolean {
  const finders = giversOf(at, commands)
    .flat()
    .filter(({ program }) => isProgram("finds-processes", program?.text ?? ""));
  return finders.some(({ args }) => args.some(({ text }) => namesUs(text)));
}

/** Whether a command does nothing to a process; it may write a number down. */
function isHarmless(command: SimpleCommand, at: number, call: CallEffects): boolean {
  const acts = effectsOf(at, call).some((effect) => effect.does === "run" && effect.roles.length > 0);
  return !acts && !isUndescribed(command, at, call);
}

/** Whether a command only shows something, whatever else the line does. */
function isOnlyShown(command: SimpleCommand, at: number, call: CallEffects): boolean {
  const isAct = effectsOf(at, call).some(
    // What deletes has that role.
    (effect) => effect.does === "write" || (effect.does === "run" && effect.roles.length > 0),
  );
  return !isAct && !isUndescribed(command, at, call);
}

/** Whether code that is run names a process of ours, or looks for one by its name, and signals. */
export function signalsSluice(text: string, { effects, commands }: Pick<CallEffects, "effects" | "commands">): boolean {
  const isCode = effects.some(
    (effect) => effect.does === "unknown" || (effect.does === "run" && effect.code !== undefined),
  );
  if (isCode && SIGNALS.test(text) && (numbersIn(text).some(isOurProcess) || (KILLS.test(text) && namesUs(text))))
    return true;
  // `case $(tr … < $p/cmdline) in *sluice*) kill …`: the pattern of a choice is no word of a command.
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

/** Whether a text is the number of a process of ours, where the system tells. */
export function isOurProcess(word: string): boolean {
  if (!/^-?\d{2,}$/.test(word)) return false;
  const file = `/proc/${word.replace("-", "")}/cmdline`;
  // Most numbers are no process, and an error takes longer than a look.
  if (!existsSync(file)) return false;
  try {
    return readRegularText(file)
      .split("\0", 2)
      .some((word) => isOurName(word));
  } catch {
    return false;
  }
}

/** Whether a word is, or holds, the name of Sluice. */
export function namesUs(word: string): boolean {
  return [word, word.replaceAll(/[[\]]/g, "")].some((one) => /\bsluice\b/i.test(one));
}

/** Whether a pattern for command lines fits that of the daemon, or of the process of a plugin. */
function fitsUs(given: string, isAnyCase = false): boolean {
  if (given.length > LONGEST || given.length === 0) return false;
  const word = isAnyCase ? given.toLowerCase() : given;
  const own = [process.execPath, process.argv[1] ?? "", "serve --launched", "plugin-host.cjs"].join(" ");
  const line = isAnyCase ? own.toLowerCase() : own;
  // `/x/ { print }` looks for `x`; the path of a file goes on behind its slashes.
  const sought = [...word.matchAll(SOUGHT)].map(([, inner = ""]) => inner);
  return (sought.length === 0 ? [word] : sought)
    .flatMap(alternativesOf)
    .some((part) => compileGlob(`*${asGlob(part)}*`)(line));
}

/** What a regular expression lets one choose from, also within groups; a group that is repeated, or one of very many, may be anything. */
function alternativesOf(pattern: string): string[] {
  let all = [pattern.replaceAll(/\\([()|])/g, "$1")];
  while (all.some((one) => GROUP.test(one))) {
    if (all.length > MOST_CHOICES) return [".*"];
    all = all.flatMap((one) => {
      const [group, inside = "", repeats] = GROUP.exec(one) ?? [];
      if (group === undefined) return [one];
      const parts = repeats === undefined ? inside.split("|") : [".*"];
      return parts.map((part) => one.replace(group, () => part));
    });
  }
  return all.flatMap((one) => one.split("|"));
}

/** A regular expression without groups as a glob that fits all that it fits: repetitions may be anything. */
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

/** Signs that only a pattern has, or words of the daemon's own line; another plain word may be any. */
const PATTERN = /[[\].*]|\(.*\|.*\)|serve -/;
/** The option that only the line of the daemon has. */
const OWN_OPTION = /\blaunched\b/;
const SOUGHT = /(?:^|[\s&|(~,])\/((?:\\.|[^/\\])+)\/(?=[\s{,;!&|)~]|$)/g;
const KILLS = /\bkill(?:pg)?\s*\(/;
const CHOOSES = /\bin\b[^\n;]{0,200}sluice[^\n;]{0,80}\)|=~?\s*["'*]{0,3}sluice/;
const SIGNALS = /kill|signal|ptrace|SIG(?:STOP|TERM|KILL|INT|HUP)/;
const GROUP = /\((?:\?:)?([^()]*)\)([*+?]|\{[^}]*\})?/;
const MOST_CHOICES = 64;
const LONGEST = 400;
