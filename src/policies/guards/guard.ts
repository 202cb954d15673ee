/** How careful the guards are; each does everything that the one before it does. */
export const PRESETS = ["standard", "strict", "paranoid"] as const;
export type Preset = (typeof PRESETS)[number];

/** What a rule of a guard looks at: words about effects, or patterns of files. */
type GuardOperator = "effect" | "writes" | "reads" | "deletes" | "runs" | "unknown";

/** One thing that a guard watches for, and what it says in each preset. */
export interface GuardRule {
  /** `effect` when left out. */
  readonly operator?: GuardOperator;
  readonly value?: string | readonly string[];
  /** Presets that say nothing are left out; a higher one says at least what a lower one says. */
  readonly standard?: GuardAction;
  readonly strict?: GuardAction;
  readonly paranoid: GuardAction;
  readonly reason: string;
  /** It is about losing the user's own files or git work: the call passes where what it destroys has been kept. */
  readonly undoable?: true;
  /** A shell command that does it well, which every preset that names it lets pass. */
  readonly remedy?: string;
}

/** What a guard says about what it watches for. */
export type GuardAction = "deny" | "ask";

/** A call that is no shell command: the tool, and its input. */
export interface GuardCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A danger, how it is told, and the proof that it is. */
export interface Guard {
  /** A few words for a list. */
  readonly title: string;
  /** What goes wrong without it. */
  readonly why: string;
  /** The first rule that matches decides. */
  readonly rules: readonly GuardRule[];
  /** Shell commands or calls that it stops in the standard preset, or in the lowest one that it speaks in. */
  readonly stops: readonly (string | GuardCall)[];
  /** Look-alikes that pass in that preset. */
  readonly passes: readonly (string | GuardCall)[];
}
