/** What waits for the person, for the first page. */
export interface Summary {
  /** Contained calls whose changes are held until a person keeps or drops them. */
  readonly held: readonly {
    readonly id: string;
    readonly at: number;
    readonly command: string;
    /** Left out if the call was interrupted before its changes were judged. */
    readonly changes?: readonly { readonly path: string; readonly change: string }[];
  }[];
  /** Hooks that broke in the last week, with their latest failure. */
  readonly broke: readonly {
    readonly hook: string;
    readonly why: string;
    readonly at: number;
    readonly broke: number;
    /** Runs that broke and let the call pass. */
    readonly letPass: number;
    readonly lastFired: number;
  }[];
  /** Hooks of the configuration that have not fired in 30 days. */
  readonly never: readonly string[];
  /** Errors of the configuration. */
  readonly problems: readonly string[];
  /** Agents that are installed and of which no call was recorded. */
  readonly agents: readonly { readonly id: string; readonly title: string }[];
  /** What was kept of the latest calls that destroyed something. */
  readonly kept: readonly KeptForUndo[];
}

/** What was kept of a call before it destroyed it. */
export interface KeptForUndo {
  readonly id: string;
  readonly at: number;
  readonly agent?: string;
  readonly session?: string;
  /** The command, or the tool. */
  readonly text: string;
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  readonly bytes: number;
}

/** What an undo brings back, or has brought back. */
export interface UndoPreview extends KeptForUndo {
  readonly isDone: boolean;
  readonly restored: readonly string[];
  /** Already as it was. */
  readonly same: readonly string[];
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

/** A call that waits for an answer, as the page shows it. */
export interface WireRequest {
  readonly id: string;
  readonly at: number;
  /** When it ends without an answer. */
  readonly until: number;
  readonly agent: string;
  readonly root: string;
  readonly text: string;
  readonly reasons: readonly string[];
  /** The agent shows the question as well. */
  readonly isShown: boolean;
  readonly mayShape: boolean;
  readonly together: readonly string[];
  readonly failed: readonly string[];
}

/** What approving takes: a PIN, a passkey, or with neither the terminal of `sluice ui`. */
export interface PersonAsks {
  readonly pin: boolean;
  readonly passkey: boolean;
}

/** Everything that waits or was answered. */
export interface RequestList extends PersonAsks {
  readonly pending: readonly WireRequest[];
  readonly grants: readonly {
    readonly id: string;
    readonly answer: "allow" | "deny";
    readonly on: "input" | "shape";
    readonly shape: string;
    readonly left: number;
    readonly until: number;
    readonly by: string;
    readonly channel: string;
  }[];
}

/** A contained call whose changes wait for a person, what it deletes first. */
export interface HeldCall extends PersonAsks {
  readonly id: string;
  readonly at: number;
  readonly agent?: string;
  readonly command: string;
  /** The call was interrupted before its changes were judged. */
  readonly isInterrupted: boolean;
  readonly changes: readonly HeldChange[];
  /** How many changes are held besides those that are listed. */
  readonly more: number;
}

/** One change that is held. */
export interface HeldChange {
  readonly path: string;
  readonly change: string;
  readonly kind: string;
  readonly why?: string;
  /** Its difference, unless it is too long for the page; of a folder that goes, what is in it. */
  readonly texts?: { readonly before?: string; readonly after?: string };
}

/** What became of changes that a person kept or dropped. */
export interface HeldOutcome {
  readonly done: number;
  readonly left: readonly { readonly path: string; readonly why: string }[];
  /** The id with which `sluice undo` takes it back. */
  readonly undo?: string;
}
