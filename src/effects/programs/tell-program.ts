import { addRoles, type Call, type Told } from "./call.ts";
import type { SimpleCommand, Word } from "../parse/command.ts";
import type { Role } from "../effect.ts";
import { readOptions } from "./options.ts";
import type { Program, Use } from "./program.ts";

/** Lets a program's row tell what this run of it does. */
export function tellProgram(row: Program, command: SimpleCommand, told: Told): void {
  const call = callOf(row, command.args, command, told, row.verbs === undefined ? row.style : "first");
  tellUse(row, call);
  if (row.verbs === undefined) return;
  const chosen = choose(row.verbs, call.operands);
  told.verb = chosen?.verb ?? call.operands[0]?.text;
  if (chosen !== undefined && !isHelp(chosen))
    tellUse(chosen.use, callOf(chosen.use, chosen.args, command, told, chosen.use.style));
}

function tellUse({ roles, does }: Use, call: Call): void {
  if (roles !== undefined) addRoles(call.told, roles);
  does?.(call);
}

function callOf(use: Use, args: readonly Word[], command: SimpleCommand, told: Told, style: Use["style"]): Call {
  const { given, operands } = readOptions(args, use.options ?? "", style);
  return { given, operands, command, told };
}

interface Chosen {
  readonly verb: string;
  readonly use: Use;
  readonly args: readonly Word[];
}

/** `docker push --help`: with nothing else to work on, only words are shown. */
function isHelp({ args }: Chosen): boolean {
  return args.length === 1 && args[0]?.text === "--help";
}

/** Two words choose before one: `stash drop` before `stash`. */
function choose(verbs: NonNullable<Program["verbs"]>, operands: readonly Word[]): Chosen | undefined {
  const first = operands[0]?.text;
  if (first === undefined) return undefined;
  const uses = usesOf(verbs);
  const second = secondAt(first, operands, uses);
  const both = `${first} ${operands[second]?.text}`;
  const pair = second > 0 ? uses.get(both) : undefined;
  if (pair !== undefined) return { verb: both, use: pair, args: operands.filter((_, at) => at > 0 && at !== second) };
  const use = uses.get(first);
  return use && { verb: first, use, args: operands.slice(1) };
}

/** Options of the first word may stand between, with values: `compose -f a.yml down`. */
function secondAt(first: string, operands: readonly Word[], uses: ReadonlyMap<string, Use>): number {
  for (let at = 1; at < operands.length; at++) {
    const { text } = operands[at] as Word;
    if (text.startsWith("-")) continue;
    if (uses.has(`${first} ${text}`)) return at;
    if (!operands[at - 1]?.text.startsWith("-")) return -1;
  }
  return -1;
}

function usesOf(verbs: NonNullable<Program["verbs"]>): ReadonlyMap<string, Use> {
  const known = USES.get(verbs);
  if (known !== undefined) return known;
  const uses = new Map<string, Use>();
  for (const [names, use] of Object.entries(verbs))
    for (const name of names.split("|")) uses.set(name, isRoles(use) ? { roles: use } : use);
  USES.set(verbs, uses);
  return uses;
}

function isRoles(use: Use | readonly Role[]): use is readonly Role[] {
  return Array.isArray(use);
}

/** Verbs are laid out when their program first runs. */
const USES = new WeakMap<NonNullable<Program["verbs"]>, ReadonlyMap<string, Use>>();
