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

/** What is said about a text of hooks that is not saved. */
export interface PolicyCheck {
  readonly problems: readonly {
    readonly line: number;
    readonly column: number;
    readonly severity: "error" | "warning";
    readonly code: string;
    readonly message: string;
    readonly fix?: string;
  }[];
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

/** What recorded calls would come to, were a text saved: judged again, nothing run. */
export interface ReplaySummary {
  /** More days are being judged; or these are all; or the time for it was over before more were judged. */
  readonly state: "more" | "done" | "cut";
  readonly days: number;
  readonly total: number;
  readonly judged: number;
  /** Calls about which it cannot be told, by why. */
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

/** What `sluice allow` would write, and what that would let pass. */
export interface AllowPreview {
  readonly file: string;
  readonly lines: readonly { readonly kind: "same" | "gone" | "new" | "left out"; readonly line: string }[];
  readonly replay: ReplaySummary;
}
