import type { CallEffects, Effect, PathEffect, Role } from "../effect.ts";
import type { Trait } from "../programs/program.ts";
import { isProgram } from "../programs/program-name.ts";

/** The effects of one call, indexed as labels need them; what no label needs is not indexed. */
class ActIndex {
  readonly act: CallEffects;
  /** By the kind's place in `KINDS`. */
  readonly byKind: readonly (readonly Effect[] | undefined)[];
  readonly roles: ReadonlySet<string>;
  /** The same as bits: kinds with `ACTS`, and roles, of which several may share a bit. */
  readonly kindBits: number;
  readonly roleBits: number;
  #byCommand: ReadonlyMap<number, readonly PathEffect[]> | undefined;
  #deletions: readonly PathEffect[] | undefined;

  constructor(act: CallEffects) {
    const byKind: (Effect[] | undefined)[] = KINDS.map(() => undefined);
    const roles = new Set<string>();
    let [kindBits, roleBits] = [0, 0];
    for (const effect of act.effects) {
      const kind = KINDS.indexOf(effect.does);
      const same = byKind[kind];
      kindBits |= 1 << kind;
      if (same === undefined) byKind[kind] = [effect];
      else same.push(effect);
      if (effect.does !== "run") continue;
      for (const role of effect.roles) {
        roles.add(role);
        roleBits |= roleBit(role);
      }
      if (effect.act !== undefined) kindBits |= ACTS;
    }
    this.act = act;
    this.byKind = byKind;
    this.roles = roles;
    this.kindBits = kindBits;
    this.roleBits = roleBits;
  }

  /** What one command does to paths. */
  touchesOf(command: number): readonly PathEffect[] {
    this.#byCommand ??= byCommand(this.act.effects);
    return this.#byCommand.get(command) ?? [];
  }

  /** What is deleted, without what is only moved; of very many, the first. */
  get deletions(): readonly PathEffect[] {
    this.#deletions ??= this.act.effects
      .filter((effect): effect is PathEffect => effect.does === "delete" && effect.by !== "move")
      .slice(0, MAX_DELETIONS);
    return this.#deletions;
  }
}

/** Dozens of labels are tested for one call; its effects are indexed once. */
export function indexOf(act: CallEffects): ActIndex {
  if (last?.act === act) return last;
  const isLarge = act.effects.length > MANY;
  last = (isLarge ? LARGE.get(act) : undefined) ?? new ActIndex(act);
  if (isLarge) LARGE.set(act, last);
  return last;
}

let last: ActIndex | undefined;
/** While a message about an act is made, others are asked about: a large one is not sorted again for each. */
const LARGE = new WeakMap<CallEffects, ActIndex>();
const MANY = 64;

function byCommand(effects: readonly Effect[]): ReadonlyMap<number, readonly PathEffect[]> {
  const found = new Map<number, PathEffect[]>();
  for (const effect of effects) {
    if (effect.does !== "read" && effect.does !== "write" && effect.does !== "delete") continue;
    const own = found.get(effect.command);
    if (own === undefined) found.set(effect.command, [effect]);
    else own.push(effect);
  }
  return found;
}

/** Every kind of effect; labels refer to a kind by its position. */
export const KINDS: readonly Effect["does"][] = ["run", "read", "write", "delete", "network", "flow", "unknown"];
/** The bit that is set if a tool does something at a service. */
export const ACTS = 1 << KINDS.length;
const MAX_DELETIONS = 200;

/** The bit of a role. */
export function roleBit(role: Role): number {
  let bit = ROLE_BITS.get(role);
  if (bit === undefined) {
    bit = 1 << (ROLE_BITS.size % 31);
    ROLE_BITS.set(role, bit);
  }
  return bit;
}

/** One label that may follow `effect`: what it means, and which effects of a call it names. */
export interface EffectLabel {
  readonly means: string;
  /** The kind of effect that it looks at. */
  readonly on: Effect["does"];
  /** Only what a tool does at a service is it. */
  readonly byTool?: true;
  /** A run that does not play this role is not it. */
  readonly role?: Role;
  /** A call in which no run plays one of these roles does not do it. */
  readonly roles?: readonly Role[];
  readonly holds: (effect: Effect, act: CallEffects) => boolean;
}

/** A program that runs. */
export type Run = Extract<Effect, { does: "run" }>;

/** A run that plays a role, by a program that is this or by any. */
export function plays(effect: Effect, role: Role, trait?: Trait): effect is Run {
  if (effect.does !== "run" || !effect.roles.includes(role)) return false;
  return trait === undefined || isProgram(trait, effect.program, effect.verb);
}

/** The arguments of a run. */
export function argsOf({ command }: Run, { commands }: CallEffects): readonly string[] {
  return commands[command]?.args.map(({ text }) => text) ?? [];
}

/** What the same command does to paths. */
export function touchesOf({ command }: Run, act: CallEffects, does: PathEffect["does"]): readonly PathEffect[] {
  return indexOf(act)
    .touchesOf(command)
    .filter((touch) => touch.does === does);
}

const ROLE_BITS = new Map<Role, number>();
