import type { Act } from "../act/act.ts";
import type { Effect, Role } from "../shell/effect.ts";

/** One word that may stand behind `effect`: what it means, and which effects of a call it names. */
export interface EffectWord {
  readonly means: string;
  /** The kind of effect that it looks at. */
  readonly on: Effect["does"];
  /** A run that does not play this role is not it. */
  readonly role?: Role;
  readonly holds: (effect: Effect, act: Act) => boolean;
}

/** A program that runs. */
export type Run = Extract<Effect, { does: "run" }>;

/** A path that is read, written or deleted. */
export type Touch = Extract<Effect, { isTree: boolean }>;

/** A run that plays a role, by one of these programs or by any. */
export function plays(effect: Effect, role: Role, programs?: RegExp): effect is Run {
  return effect.does === "run" && effect.roles.includes(role) && (programs?.test(nameIn(effect.program)) ?? true);
}

/** The words behind the program of a run. */
export function argsOf({ command }: Run, { commands }: Act): readonly string[] {
  return commands[command]?.args.map(({ text }) => text) ?? [];
}

/** What the same command does to paths. */
export function touchesOf({ command }: Run, act: Act, does: Touch["does"]): readonly Touch[] {
  return (
    sorted(act)
      .byCommand.get(command)
      ?.filter((touch) => touch.does === does) ?? []
  );
}

/** What a call deletes, without what it only moves; of very many, the first. */
export function deletionsOf(act: Act): readonly Touch[] {
  return sorted(act).deletions;
}

/** Dozens of words are asked about one act; it is laid out once. */
function sorted(act: Act): Sorted {
  if (last?.act === act) return last;
  const byCommand = new Map<number, Touch[]>();
  const deletions: Touch[] = [];
  for (const effect of act.effects) {
    if (effect.does !== "read" && effect.does !== "write" && effect.does !== "delete") continue;
    const own = byCommand.get(effect.command);
    if (own === undefined) byCommand.set(effect.command, [effect]);
    else own.push(effect);
    if (effect.does === "delete" && deletions.length < MOST_DELETIONS && !/^g?mv$/.test(effect.program))
      deletions.push(effect);
  }
  last = { act, byCommand, deletions };
  return last;
}

interface Sorted {
  readonly act: Act;
  readonly byCommand: ReadonlyMap<number, readonly Touch[]>;
  readonly deletions: readonly Touch[];
}

let last: Sorted | undefined;
const MOST_DELETIONS = 200;

function nameIn(program: string): string {
  return program.slice(program.lastIndexOf("/") + 1);
}
