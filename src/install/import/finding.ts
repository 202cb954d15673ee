/** A hook of somebody else's, in our words. */
export interface Imported {
  readonly kind: "imported";
  /** What goes into the configuration. */
  readonly spec: Readonly<Record<string, unknown>>;
  /** The file it was found in. */
  readonly file: string;
  /** What differs from what it was, in sentences. */
  readonly notes: readonly string[];
  /** Somebody besides the agent needs the original, so it has to stay. */
  readonly isNeeded?: boolean;
}

/** A hook that has no counterpart, and why. */
export interface Left {
  readonly kind: "left";
  /** What a reader recognises it by. */
  readonly what: string;
  readonly file: string;
  readonly why: string;
}

/** What became of one hook that was found. */
export type Finding = Imported | Left;
