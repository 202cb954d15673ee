import type { CallEffects, Effect, PathEffect, Role } from "./effect.ts";
import { effectsOf } from "./effects-by-command.ts";
import { GAP, type SimpleCommand } from "./parse/command.ts";
import type { Program, Trait } from "./programs/program.ts";
import { isProgram, programNamed } from "./programs/program-name.ts";
import { isUndescribed } from "./undescribed-changes.ts";

type Commands = Pick<CallEffects, "commands" | "effects">;

/** One command of a call, with the answers to what policies ask about it. */
export class CommandRun {
  /** Its index among the commands of the call. */
  readonly at: number;
  readonly command: SimpleCommand;
  /** The program as it is named; empty for assignments without a program. */
  readonly name: string;
  readonly args: readonly string[];
  readonly #call: Commands;

  constructor(command: SimpleCommand, at: number, call: Commands) {
    this.at = at;
    this.command = command;
    this.name = command.program?.text ?? "";
    this.args = command.args.map(({ text }) => text);
    this.#call = call;
  }

  /** The program and its arguments. */
  get words(): readonly string[] {
    return [this.name, ...this.args];
  }

  /** What this command does, without the other commands of the call. */
  get effects(): readonly Effect[] {
    return effectsOf(this.at, this.#call);
  }

  /** The roles of what it runs: `kill`, `settings`. */
  get roles(): readonly Role[] {
    return this.effects.flatMap((effect) => (effect.does === "run" ? effect.roles : []));
  }

  /** Whether it runs code in a language other than the shell's. */
  get hasCode(): boolean {
    return this.effects.some(isCode);
  }

  /** Whether it connects to other machines. */
  get hasNetwork(): boolean {
    return this.effects.some(({ does }) => does === "network");
  }

  /** Whether it is not known what it changes. */
  get isUndescribed(): boolean {
    return isUndescribed(this.command, this.at, this.#call);
  }

  /** The description of its program; undefined if the program is unknown. */
  get row(): Program | undefined {
    return programNamed(this.name);
  }

  /** Whether its program has this trait. */
  is(trait: Trait): boolean {
    return isProgram(trait, this.name);
  }

  /** Its text for a person, in backticks. */
  get shown(): string {
    return `\`${this.command.source.replaceAll(GAP, "…").slice(0, MAX_SHOWN)}\``;
  }
}

/** The commands of a call, in their order. */
export function runsOf(call: Commands): readonly CommandRun[] {
  const known = RUNS.get(call.commands);
  if (known?.effects === call.effects) return known.runs;
  const runs = call.commands.map((command, at) => new CommandRun(command, at, call));
  RUNS.set(call.commands, { effects: call.effects, runs });
  return runs;
}

/** Whether an effect runs code in a language other than the shell's. */
export function isCode(effect: Effect): boolean {
  return effect.does === "run" && effect.code !== undefined;
}

/** The same, or something that cannot be read. */
export function isOpaque(effect: Effect): boolean {
  return effect.does === "unknown" || isCode(effect);
}

/** Whether an effect writes or deletes a path. */
export function isPathChange(effect: Effect): effect is PathEffect {
  return effect.does === "write" || effect.does === "delete";
}

const RUNS = new WeakMap<
  CallEffects["commands"],
  { readonly effects: CallEffects["effects"]; readonly runs: readonly CommandRun[] }
>();
const MAX_SHOWN = 120;
