import { type CallEffects, type Effect, isPathEffect, type PathEffect, type Role } from "../effect.ts";
import { namedFiles } from "../named-files.ts";
import type { Trait } from "../programs/program.ts";
import { isProgram } from "../programs/program-name.ts";
import type { ToolActKind } from "../tools/tool-call.ts";

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
export type EffectLabel = { readonly [Does in Effect["does"]]: LabelOf<Does> }[Effect["does"]];

/** A label of effects of one kind; an effect has it if every field is true of the effect. */
export interface LabelOf<Does extends Effect["does"]> {
  readonly means: string;
  readonly on: Does;
  /** A run with this role. */
  readonly role?: Role;
  /** A run that has this role too. */
  readonly also?: Role;
  /** A run of a program with this trait. */
  readonly trait?: Trait;
  /** In a call in which a run has one of these roles. */
  readonly roles?: readonly Role[];
  /** A run that stands for one of these acts of a tool at a service. */
  readonly acts?: readonly ToolActKind[];
  /** A flow from here, or to there. */
  readonly from?: Flow["from"];
  readonly to?: Flow["to"];
  holds?(
    effect: Does extends PathEffect["does"] ? PathEffect : Extract<Effect, { does: Does }>,
    act: CallEffects,
  ): boolean;
}

type Flow = Extract<Effect, { does: "flow" }>;

/** Whether a label names an effect of its kind. */
export function isLabelled(label: LabelOf<Effect["does"]>, effect: Effect, act: CallEffects): boolean {
  const { role, also, trait, acts, from, to } = label;
  if (effect.does === "run") {
    if (role !== undefined && !effect.roles.includes(role)) return false;
    if (also !== undefined && !effect.roles.includes(also)) return false;
    if (trait !== undefined && !isProgram(trait, effect.program, effect.verb)) return false;
    if (acts !== undefined && !acts.some((kind) => kind === effect.act?.kind)) return false;
  } else if (effect.does === "flow") {
    if (from !== undefined && effect.from !== from) return false;
    if (to !== undefined && effect.to !== to) return false;
  }
  if (label.holds === undefined || label.holds(effect, act)) return true;
  if (!isPathEffect(effect)) return false;
  // A pattern is each of the files that it names on the disk.
  const { names = [] } = namedFiles(effect, act) ?? {};
  return names.some((text) => label.holds?.({ ...effect, path: { text, isKnown: true, isGlob: false } }, act));
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
