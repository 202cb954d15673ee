import { type Hook, LAYERS } from "../hook/hook.ts";

/** A hook in a registry. */
export interface Entry {
  readonly hook: Hook;
  /** Registration number: what decides between equals. */
  readonly turn: number;
}

/** By layer, then priority (low first), then registration. */
export function inOrder(one: Entry, other: Entry): number {
  return (
    LAYERS.indexOf(one.hook.layer) - LAYERS.indexOf(other.hook.layer) ||
    one.hook.priority - other.hook.priority ||
    one.turn - other.turn
  );
}

/** Where a new entry belongs: behind everything that runs before it. */
export function placeFor(entry: Entry, entries: readonly Entry[]): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = entries[middle];
    if (other !== undefined && inOrder(other, entry) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
