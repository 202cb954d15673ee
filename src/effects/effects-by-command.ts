import type { CallEffects, Effect } from "./effect.ts";
import type { SimpleCommand } from "./parse/command.ts";

/** The effects of one command of a call: a line may have thousands of them, so many are sorted once. */
export function effectsOf(at: number, call: Pick<CallEffects, "effects">): readonly Effect[] {
  if (call.effects.length <= FEW) return call.effects.filter(({ command }) => (command ?? -1) === at);
  let known = SORTED.get(call.effects);
  if (known === undefined) {
    known = new Map();
    for (const effect of call.effects) {
      const own = known.get(effect.command ?? -1);
      if (own === undefined) known.set(effect.command ?? -1, [effect]);
      else own.push(effect);
    }
    SORTED.set(call.effects, known);
  }
  return known.get(at) ?? NONE;
}

/** The names of programs that run another one of the call. */
export function wrappersOf(commands: readonly SimpleCommand[]): ReadonlySet<string> {
  const sorted = commands.length > FEW ? WRAPPERS.get(commands) : undefined;
  if (sorted !== undefined) return sorted;
  const known = new Set(commands.flatMap(({ via }) => via.map((one) => one.replace(/ .*/s, ""))));
  if (commands.length > FEW) WRAPPERS.set(commands, known);
  return known;
}

/** Looking through so few is quicker than sorting them. */
const FEW = 32;
const NONE: readonly Effect[] = [];
const SORTED = new WeakMap<readonly Effect[], Map<number, Effect[]>>();
const WRAPPERS = new WeakMap<readonly SimpleCommand[], ReadonlySet<string>>();
