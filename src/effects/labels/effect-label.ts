import type { CallEffects, Effect, PathEffect, Role } from "../effect.ts";
import type { Trait } from "../programs/program.ts";
import { isProgram } from "../programs/program-name.ts";
import { indexOf } from "./effect-index.ts";

/** One word that may stand behind `effect`: what it means, and which effects of a call it names. */
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

/** The words behind the program of a run. */
export function argsOf({ command }: Run, { commands }: CallEffects): readonly string[] {
  return commands[command]?.args.map(({ text }) => text) ?? [];
}

/** What the same command does to paths. */
export function touchesOf({ command }: Run, act: CallEffects, does: PathEffect["does"]): readonly PathEffect[] {
  return indexOf(act)
    .touchesOf(command)
    .filter((touch) => touch.does === does);
}
