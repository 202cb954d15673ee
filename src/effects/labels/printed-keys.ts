import type { CallEffects } from "../effect.ts";
import { isSubstitutedIn } from "../parse/insertions.ts";
import { isProgram } from "../programs/program-name.ts";
import type { Run } from "./effect-label.ts";

type Command = CallEffects["commands"][number];

/** Whether a run shows a variable that by its name holds a key or a password, also cut up or encoded; what another program takes is not shown. */
export function printsKey({ program, command: at }: Run, { commands }: CallEffects): boolean {
  const command = commands[at];
  if (command === undefined) return false;
  if (command.args.length === 0 && isProgram("lists-variables", program)) return looksForKey(at, commands);
  if (!isProgram("prints-words", program) || !namesIn(program, command).some((each) => KEY.test(each))) return false;
  return isShown(at, commands);
}

function namesIn(program: string, { args, source }: Command): readonly string[] {
  if (isProgram("lists-variables", program)) return args.map(({ text }) => text);
  // A name in single quotes is no variable.
  const isVariable = (written: string) => !args.some(({ text }) => text.includes(written));
  return [...source.matchAll(INSERTED)]
    .filter(([written]) => isVariable(written))
    .map(([, braced, bare]) => braced ?? bare ?? "");
}

/** The whole environment says nothing about what is wanted; a search in it for keys does. */
function looksForKey(at: number, commands: CallEffects["commands"]): boolean {
  return readersOf(at, commands).some((reader) => {
    const { program, args } = commands[reader] ?? { args: [] };
    if (
      !isProgram("text-search", program?.text ?? "") ||
      isCounting(args) ||
      args.some(({ text }) => INVERTED.test(text))
    )
      return false;
    const isWanted = args.some(({ text }) => !text.startsWith("-") && WANTED.test(text));
    return isWanted && isShown(reader, commands);
  });
}

/** Whether what a command prints is seen: by itself, or through others that only hand it on. */
export function isShown(at: number, commands: CallEffects["commands"]): boolean {
  const command = commands[at];
  if (command === undefined || command.redirects.some(({ way }) => way !== "read")) return false;
  if (commands.some((other) => other !== command && isSubstitutedIn(command, other))) return false;
  const readers = readersOf(at, commands);
  return (
    readers.length === 0 ||
    readers.some((reader) => reader > at && handsOn(commands[reader]) && isShown(reader, commands))
  );
}

function readersOf(at: number, commands: CallEffects["commands"]): number[] {
  return commands.flatMap(({ input }, reader) => (input.from === "commands" && input.of.includes(at) ? [reader] : []));
}

function handsOn(command: Command | undefined): boolean {
  const name = command?.program?.text ?? "";
  const words = command?.args.map(({ text }) => text).join(" ") ?? "";
  if (!isProgram("passes-text-on", name) || ONLY_NAMES.test(words)) return false;
  return !(isProgram("text-search", name) && isCounting(command?.args ?? []));
}

/** Whether a search shows nothing but a count, a name or an exit code. */
export function isCounting(args: Command["args"]): boolean {
  return args.some(({ text }) => /^-[a-zA-Z]*[clqL][a-zA-Z]*$|^--(?:count|quiet|silent|files)/.test(text));
}

/** Everything but what was looked for. */
const INVERTED = /^-[a-zA-Z]*v[a-zA-Z]*$|^--invert-match$/;
/** `cut -d= -f1` and its like leave the names. */
const ONLY_NAMES = /-d ?["']?=["']? .*-f ?1\b|-f ?1 -d ?["']?=|=\.\*|-F ?["']?=.*\$1\b/;
/** `$NAME` and `${NAME}`, cut up or not; `${NAME:+set}` and `${#NAME}` do not show it. */
const INSERTED = /\$(?:\{!?(\w+)(?:\}|[-=?:#%/^,@](?!\+)[^}]*\})|(\w+))/g;
const KEY = /(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|(?:ACCESS|PRIVATE|SECRET|ENCRYPTION|SIGNING)_KEY)$/i;
const WANTED = /SECRET|TOKEN|PASSW|PASSPHRASE|API_?KEY|CREDENTIAL|_KEY\b|^KEY$/i;
