import type { SimpleCommand } from "./parse/command.ts";
import { hasSubstitution, isSubstitutedIn } from "./parse/insertions.ts";
import { picksOpenField, printsRead } from "./programs/prints-read.ts";
import { isProgram } from "./programs/program-name.ts";

/** Whether what a command prints is seen: by itself, or through others that only pass it on. */
export function isShown(at: number, commands: readonly SimpleCommand[]): boolean {
  const command = commands[at];
  if (command === undefined || isKept(command)) return false;
  for (const [where, other] of commands.entries())
    if (other !== command && hasSubstitution(other.source) && isSubstitutedIn(command, other))
      // What `echo` is given, it prints.
      return where > at && isProgram("prints-words", other.program?.text ?? "") && isShown(where, commands);
  const readers = readersOf(at, commands);
  return (
    readers.length === 0 ||
    readers.some((reader) => reader > at && handsOn(commands[reader]) && isShown(reader, commands))
  );
}

/** The commands that take what one prints. */
export function readersOf(at: number, commands: readonly SimpleCommand[]): number[] {
  return commands.flatMap(({ input }, reader) => (input.from === "commands" && input.of.includes(at) ? [reader] : []));
}

/** Whether a filter leaves the names of variables and drops their values, such as `cut -d= -f1`, or picks one that is not a key. */
export function leavesNames(command: SimpleCommand): boolean {
  const { program, args } = command;
  if (!isProgram("passes-text-on", program?.text ?? "")) return false;
  if (picksOpenField(command)) return true;
  const words = args.map(({ text }) => text).join(" ");
  return (words.includes("=") || words.includes("-o")) && ONLY_NAMES().test(words);
}

/** Whether a search shows nothing but a count, a name or an exit code. */
export function isCounting(args: SimpleCommand["args"]): boolean {
  return args.some(({ text }) => /^-[a-zA-Z]*[clqL][a-zA-Z]*$|^--(?:count|quiet|silent|files)/.test(text));
}

/** What is printed goes into a file; errors that go elsewhere are not output. */
function isKept({ redirects, source }: SimpleCommand): boolean {
  return redirects.some(({ way, target }) => {
    if (way === "read" || /^\/dev\/(?:tty|stdout|stderr|fd\/[12])$/.test(target.text)) return false;
    return !ERRORS.test(source) || OUTPUT.test(source.replace(ERRORS, ""));
  });
}

/** Whether what comes in is shown, at least in part. */
export function handsOn(command: SimpleCommand | undefined): boolean {
  const name = command?.program?.text ?? "";
  if (command === undefined || leavesNames(command)) return false;
  if (!isProgram("passes-text-on", name)) return printsRead(command) === true;
  return !(isProgram("text-search", name) && isCounting(command.args));
}

const ERRORS = /2>>?\s*\S+/;
const OUTPUT = />/;
const ONLY_NAMES = () =>
  /-d ?["']?=["']? .*-f ?1(?:\s|$)|-f ?1 -d ?["']?=|s(.)\^?\(?(?:\[\^=\][*+]\)?)?=\.[*+]\$?\1|-F ?["']?=(?!.*\$(?:0|[2-9]|NF)\b).*\$1\b|^-[a-zA-Z]*o[a-zA-Z]* .*\[\^=\]|-o .*\^\[A-Z/;
