import type { FileState } from "./file-state.ts";

/** One file before and after a call. */
export interface Seen {
  readonly path: string;
  readonly before: FileState | undefined;
  readonly after: FileState;
  /** Where it was before, when the call moved it. */
  readonly from?: string;
  /** `after` is what the call was given: no file was there to look at. */
  readonly isGiven?: boolean;
}

/**
 * Joins a file that is gone with the one that came in its place: the same bytes, or the only pair of a call whose text
 * has most of its lines in common.
 */
export function withRenames(files: readonly Seen[]): Seen[] {
  const gone = files.filter(
    ({ before, after }) => after.kind === "missing" && before !== undefined && before.kind !== "missing",
  );
  const come = files.filter(({ before, after }) => isContent(after) && !isContent(before));
  const pairs = new Map<Seen, Seen>();
  for (const young of come) {
    const isFree = (old: Seen) => ![...pairs.values()].includes(old);
    const same = gone.find((old) => isFree(old) && hashOf(old.before) === hashOf(young.after));
    const only = gone.length === 1 && come.length === 1 ? gone[0] : undefined;
    const old = same ?? (only !== undefined && areAlike(only.before, young.after) ? only : undefined);
    if (old !== undefined) pairs.set(young, old);
  }
  const moved = new Set(pairs.values());
  return files
    .filter((file) => !moved.has(file))
    .map((file) => {
      const old = pairs.get(file);
      return old === undefined ? file : { ...file, before: old.before, from: old.path };
    });
}

function isContent(state: FileState | undefined): boolean {
  return state?.kind === "text" || state?.kind === "bytes";
}

function hashOf(state: FileState | undefined): string | undefined {
  return state !== undefined && "hash" in state ? state.hash : undefined;
}

function areAlike(one: FileState | undefined, other: FileState): boolean {
  if (one?.kind !== "text" || other.kind !== "text") return false;
  const lines = one.text.split("\n").filter((line) => line.trim() !== "");
  const kept = new Set(other.text.split("\n"));
  return lines.length > 0 && lines.filter((line) => kept.has(line)).length * 2 > lines.length;
}
