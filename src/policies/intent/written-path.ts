/** A path that a call changes. */
export interface WrittenPath {
  readonly path: string;
  /** Everything below it is meant as well. */
  readonly isTree: boolean;
  /** The shell puts names of files in its place. */
  readonly isGlob: boolean;
  /** The files that the shell puts there; undefined if that is known only when the command runs. */
  readonly names?: readonly string[] | undefined;
  /** The folder as a whole, where no path was named: `git reset --hard`. */
  readonly isWorkTree: boolean;
  /** Where it is a folder, everything below it is meant as well: `git checkout -- folder`. */
  readonly isPicked?: boolean | undefined;
  /** It is removed with everything in it. */
  readonly isGone?: boolean | undefined;
  /** What is put there; if the path is a folder, into it under its own name. */
  readonly puts?: readonly string[] | undefined;
}

/** What a call changes, as far as that is known before it runs. */
export interface CallChanges {
  readonly paths: readonly WrittenPath[];
  /** Paths with `..` as they are written: behind a link they lead elsewhere than their letters say. */
  readonly climbs: readonly string[];
  /** What is copied before something else happens: links in it would lead elsewhere. */
  readonly copies: readonly string[];
  /** What is not known beforehand, in a few words each. */
  readonly unknowns: readonly string[];
  /** What would not come back, in a few words each. */
  readonly losses: readonly string[];
  readonly isMutating: boolean;
}

/** What is seen besides the effects of a call. */
export interface OtherChanges {
  readonly paths: readonly WrittenPath[];
  readonly climbs: readonly string[];
  readonly copies: readonly string[];
  readonly unknowns: readonly string[];
}

/** One named path. */
export function writtenPath(path: string): WrittenPath {
  return { path, isTree: false, isGlob: false, isWorkTree: false };
}
