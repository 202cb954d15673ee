/** One change that a call has made, as it was seen on the disk afterwards. */
export interface ObservedChange {
  readonly does: "write" | "delete";
  readonly path: string;
  /** A folder; one that is deleted is gone with everything in it. */
  readonly isFolder: boolean;
  /** Where a symlink leads that was made there. */
  readonly target?: string | undefined;
  /** The new text of a small text file. */
  readonly text?: (() => string | undefined) | undefined;
}

/** States what a call has really changed: later questions about its effects get these, not a reading of its input. */
export function attachObserved(event: object, changes: readonly ObservedChange[] | undefined): void {
  if (changes !== undefined) OBSERVED.set(event, changes);
}

/** What a call has really changed; undefined if that was not observed. */
export function observedOf(event: object): readonly ObservedChange[] | undefined {
  return OBSERVED.get(event);
}

const OBSERVED = new WeakMap<object, readonly ObservedChange[]>();
