import type { CallEffects, Effect } from "./effect.ts";
import { GAP, type SimpleCommand } from "./parse/command.ts";
import { hasSubstitution, isSubstitutedIn, variablesIn } from "./parse/insertions.ts";
import { isProgram, programNamed } from "./programs/program-name.ts";

/** The commands whose output became the arguments of a command, each followed by those that it was piped from. */
export function giversOf(at: number, commands: readonly SimpleCommand[]): readonly (readonly SimpleCommand[])[] {
  const command = commands[at];
  if (command === undefined) return [];
  if (command.via.some(takesWordsFromInput)) {
    let before = at - 1;
    while (before >= 0 && !takesWordsFromInput(commands[before]?.program?.text)) before--;
    const taker = commands[before];
    return taker?.input.from === "commands" ? taker.input.of.map((from) => chainFrom(from, commands)) : [];
  }
  if (!hasSubstitution(command.source)) return [];
  const found: SimpleCommand[][] = [];
  for (let before = at - 1; before >= 0 && at - before < FAR; before--)
    if (isSubstitutedIn(commands[before], command)) found.push(chainFrom(before, commands));
  // The longest chain holds the others.
  return found.filter((chain) => !found.some((other) => other !== chain && other.includes(chain[0] as SimpleCommand)));
}

/**
 * The same, also where what was printed came by a variable, or is the folder that the command works in:
 * `a=$(ls b); rm $a`, `cd "$(dirname b)" && rm c`.
 */
export function originsOf(at: number, commands: readonly SimpleCommand[]): readonly (readonly SimpleCommand[])[] {
  const origins = [...giversOf(at, commands)];
  const waiting = [at];
  const seen = new Set(waiting);
  for (const one of waiting) {
    const { source = "", folder = "" } = commands[one] ?? {};
    const names = variablesIn(source);
    const isElsewhere = folder.includes(GAP);
    for (let before = one - 1; before >= 0 && one - before < FAR; before--) {
      const other = commands[before] as SimpleCommand;
      if (seen.has(before) || !(gives(other, names) || (isElsewhere && entersFolder(other)))) continue;
      seen.add(before);
      waiting.push(before);
      origins.push(...giversOf(before, commands), ...inputOf(before, commands));
    }
  }
  return origins;
}

/** Whether a command sets one of these variables by what another one prints. */
function gives({ program, args, assignments, source }: SimpleCommand, names: readonly string[]): boolean {
  if (names.length === 0) return false;
  if (program === undefined || DECLARES.test(program.text))
    return (
      (hasSubstitution(source) || source.includes("$")) &&
      names.some((name) => name in assignments || source.includes(`${name}=`))
    );
  return isProgram("fills-variables", program.text) && args.some(({ text }) => names.includes(text));
}

function entersFolder({ program }: SimpleCommand): boolean {
  return program !== undefined && isProgram("enters-folder", program.text);
}

function inputOf(at: number, commands: readonly SimpleCommand[]): SimpleCommand[][] {
  const { input } = commands[at] as SimpleCommand;
  return input.from === "commands" ? input.of.map((from) => chainFrom(from, commands)) : [];
}

const DECLARES = /^(?:export|declare|typeset|local|readonly)$/;

function chainFrom(at: number, commands: readonly SimpleCommand[]): SimpleCommand[] {
  const chain: SimpleCommand[] = [];
  for (let next: number | undefined = at; next !== undefined && chain.length < FAR; ) {
    const command: SimpleCommand | undefined = commands[next];
    if (command === undefined) break;
    chain.push(command);
    next = command.input.from === "commands" ? command.input.of.at(-1) : undefined;
  }
  return chain;
}

/** Whether an effect changes a path that another command of the line prints: `ls a/* | xargs rm`, `rm $(ls a)`. */
export function changesPrintedPath(effect: Effect, { commands }: Pick<CallEffects, "commands">): boolean {
  if ((effect.does !== "write" && effect.does !== "delete") || !effect.path.text.includes(GAP)) return false;
  const command = commands[effect.command];
  if (command === undefined) return false;
  return (
    command.via.some(takesWordsFromInput) ||
    hasSubstitution(command.source) ||
    originsOf(effect.command, commands).length > 0
  );
}

/** Whether a program, with or without what it is asked for, makes arguments for another from its input: `xargs`, `parallel`. */
export function takesWordsFromInput(called: string | undefined): boolean {
  return called !== undefined && isProgram("words-from-input", called.split(" ", 1)[0] ?? "");
}

/** Whether one of the givers lists everything of its kind: nothing on the way chooses among it. */
export function listsAll(
  givers: readonly (readonly SimpleCommand[])[],
  source: (command: SimpleCommand) => boolean,
): boolean {
  return givers.some((chain) => {
    const first = chain.at(-1);
    return first !== undefined && source(first) && chain.slice(0, -1).every(takesAll);
  });
}

function takesAll({ program, args }: SimpleCommand): boolean {
  const name = program?.text ?? "";
  if (isProgram("shows-every-line", name)) return true;
  const script = args.find(({ text }) => !text.startsWith("-"))?.text ?? "";
  return programNamed(name)?.interpreter?.language === "awk" && /^\s*(?:NR\s*>\s*\d+\s*)?\{/.test(script);
}

const FAR = 32;
