/** A path that a call changes. */
export interface Touch {
  readonly path: string;
  /** Everything below it is meant as well. */
  readonly isTree: boolean;
  /** The shell puts names of files in its place. */
  readonly isGlob: boolean;
  /** The folder as a whole, where no path was named: `git reset --hard`. */
  readonly isWorkTree: boolean;
  /** It goes away, and what lies in it with it. */
  readonly isGone?: boolean | undefined;
  /** What is put there; when the path is a folder, it comes to lie in it under its own name. */
  readonly puts?: readonly string[] | undefined;
}

/** What a call changes, as far as that is known before it runs. */
export interface Touches {
  readonly paths: readonly Touch[];
  /** Paths with `..` as they are written: behind a link they lead elsewhere than their letters say. */
  readonly climbs: readonly string[];
  /** What is copied before something else happens: links in it would lead elsewhere. */
  readonly copies: readonly string[];
  /** What nobody can tell beforehand, in a few words each. */
  readonly unknowns: readonly string[];
  /** What would not come back, in a few words each. */
  readonly losses: readonly string[];
  readonly isMutating: boolean;
}

/** What is seen besides the effects of a call. */
export interface MoreTouches {
  readonly paths: readonly Touch[];
  readonly climbs: readonly string[];
  readonly copies: readonly string[];
  readonly unknowns: readonly string[];
  readonly changes: boolean;
}

/** One named path. */
export function touch(path: string): Touch {
  return { path, isTree: false, isGlob: false, isWorkTree: false };
}
