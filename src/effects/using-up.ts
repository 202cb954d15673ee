import { oncePerObject } from "../event/once.ts";
import type { Effect } from "./effect.ts";
import type { Reading, SimpleCommand, Word } from "./parse/command.ts";
import { hasSubstitution } from "./parse/insertions.ts";
import { isEndless, isStream } from "./paths.ts";
import type { RunReport } from "./programs/call.ts";
import { anyTraitTest, isProgram } from "./programs/program-name.ts";
import { giversOf } from "./substitution-sources.ts";

/** Whether a run fills the machine: endless input that is kept, sorted or multiplied. */
export function usesUp(command: SimpleCommand, report: RunReport, commands: readonly SimpleCommand[]): boolean {
  const { input, via } = command;
  if (input.from === "commands") {
    if (report.writes.length > 0 && isFilling(command, commands)) return true;
    if (isMultiplying(command, commands)) return true;
  }
  const isNamed = namesDevice(command);
  if ((input.from !== "nothing" || isNamed) && isSwallowing(command, commands)) return true;
  if ((isNamed || input.from === "commands") && isShownWithoutEnd(command, report.at, commands)) return true;
  if (command.source.length > 5 && hasSubstitution(command.source) && takesWithoutEnd(report.at, commands)) return true;
  if (command.args.length >= MANY_WORDS && hasHugeRange(command.source)) return true;
  return via.length > 0 && isFillingFor(command, report, commands);
}

function namesDevice({ args }: SimpleCommand): boolean {
  for (const { text } of args) if (text.startsWith("/dev/")) return true;
  return false;
}

/** Whether what a run prints has no end, and is put into a file. */
export function isEndlessWriter({ program, args, input }: SimpleCommand, { reads }: RunReport): boolean {
  if (program === undefined) return false;
  if (isProgram("prints-endlessly", program.text)) return true;
  if (isProgram("counts", program.text)) return countsOn(args);
  if (!isProgram("hands-all-on", program.text) || args.some(({ text }) => BOUNDED.test(text))) return false;
  return reads.some(({ text }) => isEndless(text)) || (input.from === "file" && isEndless(input.path.text));
}

/** A wrapper such as `nohup` has the file into which the program inside prints without an end. */
function isFillingFor(command: SimpleCommand, report: RunReport, commands: readonly SimpleCommand[]): boolean {
  const inner = command.via.at(-1);
  if (inner === undefined || !isEndlessWriter(command, report)) return false;
  return fillable(commands).some((name) => inner.startsWith(name));
}

/** The programs that print into a file and go on for as long as what they run: looked for once, a line may have thousands. */
const fillable = oncePerObject((commands: readonly SimpleCommand[]): readonly string[] => {
  const found = new Set<string>();
  for (const { program, redirects, args } of commands) {
    if (program === undefined || !redirects.some(({ way, target }) => way !== "read" && !isStream(target.text)))
      continue;
    const isEnded = isProgram("ends-others", program.text) && !args.some(({ text }) => text === "0");
    if (!isEnded) found.add(program.text);
  }
  return [...found];
});

/** Each number of a very long count becomes a program of its own. */
function isMultiplying({ program, args, input }: SimpleCommand, commands: readonly SimpleCommand[]): boolean {
  if (input.from !== "commands" || !isProgram("words-from-input", program?.text ?? "")) return false;
  const isAtOnce = args.some(
    ({ text }, at) => /^-[Pj]0$/.test(text) || (/^-[Pj]$/.test(text) && args[at + 1]?.text === "0"),
  );
  return input.of.some((at) => {
    const giver = commands[at];
    if (giver === undefined) return false;
    if (isProgram("prints-endlessly", giver.program?.text ?? "")) return isAtOnce;
    if (!isProgram("counts", giver.program?.text ?? "")) return false;
    return giver.args.some(({ text }) => /^inf/i.test(text) || Number(text) >= (isAtOnce ? 10_000 : 1e8));
  });
}

/** A sorter has to take all of its input before it prints anything, a search the whole of a line, a variable all that it is given. */
function isSwallowing({ program, args, input }: SimpleCommand, commands: readonly SimpleCommand[]): boolean {
  const name = program?.text ?? "";
  if (!mayKeep(name)) return false;
  const isByLine = isProgram("text-search", name);
  if (!isByLine && !isProgram("keeps-all", name) && !isProgram("fills-variables", name)) return false;
  if (args.some(({ text }) => BOUNDED_READ.test(text))) return false;
  if (args.some(({ text }) => isEndless(text)) || (input.from === "file" && isEndless(input.path.text))) return true;
  // One line of what never ends is an end for `read`.
  if (isByLine || name === "read") return false;
  return input.from === "commands" && input.of.some((at) => isEndlessStage(commands[at], commands));
}

const mayKeep = anyTraitTest("text-search", "keeps-all", "fills-variables");
const BOUNDED_READ = /^-(?:[a-zA-Z]*[nNm]\d*|-max-count.*)$/;
const BOUNDED = /^(?:count=|-c|-n|--bytes|--lines)/;
/** An end that is further away than most disks are large. */
const FAR_END = /^(?:-c\s*|--bytes=)?(?:\d{3,}G(?:i?B)?|\d+[TPE](?:i?B)?|\d{12,})$/;

/** What never ends comes in by a pipe, and stays in a file. */
function isFilling({ program, args, input }: SimpleCommand, commands: readonly SimpleCommand[]): boolean {
  if (input.from !== "commands") return false;
  const isFar = args.some(({ text }) => FAR_END.test(text));
  if (!isFar && !isProgram("hands-all-on", program?.text ?? "")) return false;
  if (!isFar && args.some(({ text }) => /^(?:count=|-c|-n)/.test(text))) return false;
  return input.of.some((at) => isEndlessStage(commands[at], commands));
}

/** Whether what a stage of a pipeline prints has no end. */
function isEndlessStage(stage: SimpleCommand | undefined, commands: readonly SimpleCommand[]): boolean {
  if (stage?.program === undefined || !mayGoOn(stage.program.text)) return false;
  const { program, args, input } = stage;
  if (isProgram("prints-endlessly", program.text)) return true;
  if (isProgram("counts", program.text)) return countsOn(args);
  if (!isProgram("hands-all-on", program.text) || args.some(({ text }) => /^(?:count=|-c|-n)/.test(text))) return false;
  if (args.some(({ text }) => isEndless(text.replace(/^if=/, "")))) return true;
  return input.from === "commands" && isGivenWithoutEnd(stage, input.of, commands);
}

const mayGoOn = anyTraitTest("prints-endlessly", "counts", "hands-all-on");

/** Several stages may give to one, and one to several: each is looked at once. */
function isGivenWithoutEnd(
  stage: SimpleCommand,
  givers: readonly number[],
  commands: readonly SimpleCommand[],
): boolean {
  const stages = ENDLESS_STAGES.get(commands) ?? new Map<SimpleCommand, boolean>();
  ENDLESS_STAGES.set(commands, stages);
  const known = stages.get(stage);
  if (known !== undefined) return known;
  stages.set(stage, false);
  const found = givers.some((at) => isEndlessStage(commands[at], commands));
  stages.set(stage, found);
  return found;
}

const ENDLESS_STAGES = new WeakMap<readonly SimpleCommand[], Map<SimpleCommand, boolean>>();

/** Numbers without an end, or with one that no disk holds. */
function countsOn(args: readonly Word[]): boolean {
  return args.some(({ text }) => /^(?:inf(?:inity)?|\d{10,}|\d+e\d{2,})$/i.test(text));
}

/** What never ends is handed on, and nothing takes it: it ends where the agent keeps what is printed. */
function isShownWithoutEnd(command: SimpleCommand, at: number, commands: readonly SimpleCommand[]): boolean {
  if (command.redirects.some(({ way }) => way !== "read") || isEnded(command)) return false;
  if (!isEndlessStage(command, commands)) return false;
  return !commands.some(
    ({ input, source }) =>
      (input.from === "commands" && input.of.includes(at)) || source.includes(`(${command.source}`),
  );
}

/** What never ends becomes a word or the value of a variable: `x=$(yes)`. */
function takesWithoutEnd(at: number, commands: readonly SimpleCommand[]): boolean {
  return giversOf(at, commands).some(
    ([last]) => last !== undefined && !isEnded(last) && isEndlessStage(last, commands),
  );
}

/** Another program ends it after a time. */
function isEnded({ via }: SimpleCommand): boolean {
  return via.some((wrapper) => isProgram("ends-others", wrapper.split(" ", 1)[0] ?? ""));
}

/** `{1..10000000}` among the words: more than any program takes, or names for more files than a disk does. */
function hasHugeRange(source: string): boolean {
  for (const [, from, to] of source.matchAll(/\{(-?\d{1,15})\.\.(-?\d{1,15})(?:\.\.\d+)?\}/g))
    if (Math.abs(Number(to) - Number(from)) >= HUGE_RANGE) return true;
  return false;
}

/** As many words as are made of a range that is longer than that. */
const MANY_WORDS = 1_000;
const HUGE_RANGE = 500_000;

/** The line itself, or a burner of the processor, that is started twice. */
function startedAgain(commands: readonly SimpleCommand[]): number | undefined {
  let [itself, burning]: [number, number] = [-1, -1];
  for (let at = 0; at < commands.length; at++) {
    const command = commands[at] as SimpleCommand;
    if (command.source.length < 10 && ITSELF.test(command.source)) {
      if (itself >= 0) return itself;
      itself = at;
    } else if (command.redirects.length > 0 && isBurning(command)) {
      if (burning >= 0) return burning;
      burning = at;
    }
  }
  return undefined;
}

const ITSELF = /^(?:\.\/)?"?\$\{?0\}?"?$/;

/** Prints without an end into nothing: all that it uses is the processor. */
function isBurning({ program, redirects }: SimpleCommand): boolean {
  if (program === undefined) return false;
  return redirects.some(({ target }) => target.text === "/dev/null") && isProgram("prints-endlessly", program.text);
}

/** A function that calls itself twice or more runs out of depth and of number, under its own name. */
export function forkBomb({ commands, doubts }: Reading): Effect[] {
  const again = startedAgain(commands);
  if (again !== undefined) return [{ does: "run", program: "$0", roles: ["exhaust"], command: again }];
  if (doubts.length === 0) return [];
  const deep = doubts.find(({ why, what }) => why === "too deep" && /^\S{1,64}$/.test(what));
  if (deep === undefined || !doubts.some(({ why }) => why === "too many commands")) return [];
  return [{ does: "run", program: deep.what, roles: ["exhaust"], command: Math.max(commands.length - 1, 0) }];
}
