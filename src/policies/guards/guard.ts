import type { Part } from "./part.ts";

/** How careful the guards are; each does everything that the one before it does. */
export const PRESETS = ["standard", "strict", "paranoid"] as const;
export type Preset = (typeof PRESETS)[number];

/** One thing that a guard watches for, what it says in each preset, and what it tells about a call. */
export interface GuardRule {
  /** The effect that it watches for, which is also its name in a configuration; `unknown` is what cannot be told beforehand. */
  readonly name: string;
  /**
   * Presets that say nothing are left out; a higher one says at least what a lower one says. Where the lowest says "off",
   * what it finds is no matter of the rules behind it either.
   */
  readonly standard?: GuardAction | "off";
  readonly strict?: GuardAction;
  readonly paranoid: GuardAction;
  /** What it is about, in a list. */
  readonly reason: string;
  /** It is about losing the user's own files or git work: the call passes where what it destroys has been kept. */
  readonly undoable?: true;
  /** Rules that say the same better: where one of them finds the same part of a call, this one says what that one says. */
  readonly yieldsTo?: readonly string[];
  /** What it tells about the part of a call that it matched. */
  readonly tells: (part: Part) => GuardMessage;
}

/** What a guard says about what it watches for. */
type GuardAction = "deny" | "ask";

/** A message about one part of a call. */
export interface GuardMessage {
  /** What the part does; the sentence begins with the part itself. */
  readonly does: string;
  /** Shell commands that reach the same end, the best first; the first that every guard lets pass is named. */
  readonly instead?: readonly (string | undefined)[];
  /** What to ask the user, where no command is left: the end of a sentence that begins with `Ask the user`. */
  readonly ask: string;
}

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
  /** The first rule that matches an effect of a call decides about that effect. */
  readonly rules: readonly GuardRule[];
  /** Shell commands or calls that it stops in the standard preset, or in the lowest one that it speaks in. */
  readonly stops: readonly (string | GuardCall)[];
  /** Look-alikes that pass in that preset. */
  readonly passes: readonly (string | GuardCall)[];
}
