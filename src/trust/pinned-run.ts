import type { Pin } from "./pin.ts";
import type { FileCopy } from "./pinned-arguments.ts";
import { pinnedArguments, pinnedText, type TextPlace } from "./pinned-text.ts";
import { type Sealed, sealedCopies } from "./sealed-copies.ts";

/** A run of approved bytes, with copies in place of the files. */
export interface PinnedRun {
  /** A command line for a shell. */
  line(text: string): string;
  /** A program and its arguments. */
  args(all: readonly string[]): readonly string[];
  /** The copy of one file. */
  file(path: string): string | undefined;
  /** After the run: whether only approved bytes ran. Files that were not replaced by a copy are compared again. */
  isTrue(): boolean;
}

/** Prepares a run from a folder; undefined if a file differs from the approved one. */
export function pinnedRun(pin: Pin, folder: string): PinnedRun | undefined {
  const sealed = sealedCopies(pin);
  if (sealed === undefined) return undefined;
  const { root, isStill } = pin;
  const { copies } = sealed;
  const place: TextPlace = { root, folder, copies };
  const used = new Set<FileCopy>();
  const use = (copy: FileCopy) => void used.add(copy);
  return {
    line: (text) => pinnedText(text, place, use),
    args: (all) => pinnedArguments(all, place, use),
    file: (path) => {
      const copy = copies.get(path);
      if (copy !== undefined) use(copy);
      return copy?.path;
    },
    isTrue: () => isWhole(pin, sealed, used) || isStill(),
  };
}

/** Whether every file of an approval is run by its copy. */
function isWhole({ files }: Pin, { copies, inner }: Sealed, used: ReadonlySet<FileCopy | undefined>): boolean {
  return files.every(
    ({ path, script, isImplied }) =>
      script === undefined && !isImplied && (used.has(copies.get(path)) || inner.has(path)),
  );
}
