import type { Part } from "./part.ts";

/** How strict the guards are; each preset includes the one before it. */
export const PRESETS = ["standard", "strict", "paranoid"] as const;
export type Preset = (typeof PRESETS)[number];

/** One effect that a guard matches, its action in each preset, and its message. */
export interface GuardRule {
  /** The effect, which is also the rule's name in a configuration; `unknown` is what cannot be known before the call runs. */
  readonly name: string;
  /**
   * A preset without an action is left out; a stricter preset has at least the action of the one before it. If the lowest
   * one is `off`, the rule's effects are hidden from the rules after it too.
   */
  readonly standard?: GuardAction | "off";
  readonly strict?: GuardAction;
  readonly paranoid: GuardAction;
  /** The description in a list. */
  readonly reason: string;
  /** The rule is about losing the user's own files or git work: the call passes if everything that it destroys was kept. */
  readonly undoable?: true;
  /** Rules with better messages: if one of them matches the same part of a call, its message is used. */
  readonly yieldsTo?: readonly string[];
  /** What the part of a call does that the rule matched; the sentence begins with the part itself. */
  readonly does: PartText;
  /** Shell commands with the same result, the best first; the first that passes every guard is named. */
  readonly instead?: (part: Part) => string | undefined | readonly (string | undefined)[];
  /** What to ask the user if no command is left: the end of a sentence that begins with `Ask the user`. */
  readonly ask: PartText;
}

/** A text about a part, with the names of `PART_TEXTS` in braces: `removes {paths}, for good`. */
export type PartText = string | ((part: Part) => string);

type GuardAction = "deny" | "ask";

/** The actions of a rule that denies in every preset. */
export const DENY = { standard: "deny", strict: "deny", paranoid: "deny" } as const;
/** The actions of a rule that asks, and denies in the strictest preset. */
export const ASK = { standard: "ask", strict: "ask", paranoid: "deny" } as const;
/** The actions of a rule that asks, and denies in the presets after the first. */
export const ASK_THEN_DENY = { standard: "ask", strict: "deny", paranoid: "deny" } as const;
/** The actions of a rule that the first preset leaves out. */
export const ASK_IF_STRICT = { strict: "ask", paranoid: "ask" } as const;
/** The same for a rule that denies in the strictest preset. */
export const STRICT = { strict: "ask", paranoid: "deny" } as const;

/** A call that is not a shell command: the tool and its input. */
export interface GuardCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A danger, the rules against it, and examples that prove them. */
export interface Guard {
  /** A short title for a list. */
  readonly title: string;
  /** What goes wrong without it. */
  readonly why: string;
  /** The first rule that matches an effect of a call decides about that effect. */
  readonly rules: readonly GuardRule[];
  /** Shell commands or calls that it stops in the standard preset, or in the lowest one in which it acts. */
  readonly stops: () => readonly (string | GuardCall)[];
  /** Similar calls that pass in that preset. */
  readonly passes: () => readonly (string | GuardCall)[];
}
