import type { WireRule } from "./wire.ts";

/** A file of hooks. */
export interface PolicyFile {
  readonly layer: string;
  readonly path: string;
  readonly text: string;
  /** Tells the text from every other: a file that was changed meanwhile is not overwritten. */
  readonly hash: string;
  readonly exists: boolean;
  readonly isWritable: boolean;
}

/** A problem of a configuration, as `sluice check` reports it. */
export interface PolicyProblem {
  /** The file that it is in; left out for a problem without a place. */
  readonly file?: string;
  readonly line: number;
  readonly column: number;
  readonly severity: "error" | "warning";
  readonly code: string;
  readonly message: string;
  readonly fix?: string;
}

/** What is known about a text of hooks that is not saved. */
export interface PolicyCheck {
  readonly problems: readonly PolicyProblem[];
  /** Problems of the same configuration in other files. */
  readonly elsewhere: readonly PolicyProblem[];
  /** The entries of its list of hooks, as they are written. */
  readonly hooks: readonly {
    readonly index: number;
    readonly line: number;
    readonly data: Readonly<Record<string, unknown>>;
  }[];
  /** What the examples of its rules come to. */
  readonly examples: readonly {
    readonly hook: string;
    readonly name: string;
    readonly status: string;
    readonly why?: string;
    readonly line?: number;
  }[];
  /** What the file holds now. */
  readonly hash: string;
}

/** The names that the text of a policy may contain here. */
export interface KnownNames {
  readonly events: readonly string[];
  readonly agents: readonly string[];
  /** Tool kinds, tools of agents, and how the tools of each MCP server begin. */
  readonly tools: readonly string[];
  readonly fields: readonly string[];
  readonly operators: readonly string[];
}

/** A hook to begin with. */
export interface StarterHook {
  readonly from: "template" | "denial";
  readonly id: string;
  readonly title: string;
  readonly hook: Readonly<Record<string, unknown>>;
}

/** One change of an entry by its form. */
export interface PolicyEdit {
  readonly path: string;
  readonly text: string;
  /** The entry; a new one when left out. */
  readonly index?: number;
  readonly set: Readonly<Record<string, unknown>>;
  readonly remove: readonly string[];
}

/** What recorded calls would come to if a text were saved: judged again, nothing run. */
export interface ReplaySummary {
  /** `more`: more days are being judged; `done`: these are all; `cut`: the limit of processor time was reached first. */
  readonly state: "more" | "done" | "cut";
  /** The days that are being judged now, and how much of them is done, from 0 to 1. */
  readonly next?: { readonly days: number; readonly part: number };
  /** 0 if only the latest calls were judged. */
  readonly days: number;
  readonly total: number;
  readonly judged: number;
  /** Calls that could not be judged, by reason. */
  readonly cannotTell: Readonly<Record<string, number>>;
  /** What differs because of the text; what would open comes first. */
  readonly changes: readonly {
    readonly from: string;
    readonly to: string;
    readonly count: number;
    readonly sessions: number;
    readonly shape: string;
    readonly said: string;
    readonly last: number;
  }[];
}

/** What an exception would change in a file. Nothing is written. */
export interface AllowPreview {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** Which hooks listen to which event, in the order in which they run. */
export interface PolicyPicture {
  readonly events: readonly {
    readonly event: string;
    /** A hook can still stop what is about to happen. */
    readonly isGate: boolean;
    readonly when: string;
    readonly hooks: readonly {
      readonly hook: string;
      readonly layer: string;
      readonly priority: number;
      readonly kind: string;
      readonly mode: string;
      /** The pattern of its events, or its matcher as JSON. */
      readonly pattern: string;
      readonly isGuard: boolean;
      readonly file?: string;
      readonly line?: number;
      /** Why it does not run here. */
      readonly off?: string;
      readonly parallel?: true;
      readonly async?: true;
      readonly ran: number;
      readonly fired: number;
      readonly p50: number;
    }[];
  }[];
}

/** Whether a hook matches a recorded call, and why. */
export interface HookMatch {
  readonly matches: boolean;
  readonly why: string;
  readonly rules?: readonly WireRule[];
  /** It runs something, so that what it returns is not known here. */
  readonly wouldRun?: true;
}
