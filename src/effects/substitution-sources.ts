import type { CallEffects, Effect } from "./effect.ts";
import { GAP, type SimpleCommand } from "./parse/command.ts";
import { hasSubstitution, isSubstitutedIn } from "./parse/insertions.ts";
import { isProgram, programNamed } from "./programs/program-name.ts";

/** The commands whose output became the words of a command, each followed by those that it was piped from. */
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
  return command !== undefined && (command.via.some(takesWordsFromInput) || hasSubstitution(command.source));
}

/** Whether a program, with or without what it is asked for, makes words for another from its input: `xargs`, `parallel`. */
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
