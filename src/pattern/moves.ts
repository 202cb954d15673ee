import { type Jumps, jump, jumpsOf } from "./jumps.ts";
import type { Position } from "./program.ts";
import { add, meet, setFor } from "./set.ts";

/** Where positions lead to, for a whole set of them at once. */
export interface Moves {
  /** Whether the expression is content with no character at all. */
  readonly isEmptyEnough: boolean;
  /** The positions with which a match begins, with which it ends, and which follow the one before them. */
  readonly begin: Int32Array;
  readonly last: Int32Array;
  readonly next: Int32Array;
  readonly jumps: Jumps;
}

/** Tells the positions that follow a step of the program, and -1 for its end. */
export type Follow = (step: number, tell: (position: number) => void) => void;

/** Prepares the moves between these positions. */
export function movesOf(list: readonly Position[], start: number, follow: Follow): Moves {
  const [begin, next, last] = [setFor(list.length), setFor(list.length), setFor(list.length)];
  let isEmptyEnough = false;
  follow(start, (position) => {
    if (position < 0) isEmptyEnough = true;
    else add(begin, position);
  });
  const jumps = list.map(({ out }, from) => {
    const targets: number[] = [];
    follow(out, (to) => {
      if (to < 0) add(last, from);
      else if (to === from + 1) add(next, to);
      else targets.push(to);
    });
    return targets.sort((one, other) => one - other);
  });
  return { isEmptyEnough, begin, last, next, jumps: jumpsOf(jumps) };
}

/** Whether an expression that came to these positions is at its end. */
export function isAtEnd({ isEmptyEnough, last }: Moves, set: Int32Array): boolean {
  return isEmptyEnough || meet(set, last);
}

/**
 * Finds the positions behind these that take a letter with this mask; a match may begin at every character.
 * Says whether the expression was at its end before.
 */
export function advance(moves: Moves, from: Int32Array, mask: Int32Array, into: Int32Array): boolean {
  const { isEmptyEnough, begin, next, last, jumps } = moves;
  let carry = 0;
  let ended = 0;
  for (let word = 0; word < into.length; word++) {
    const here = from[word] ?? 0;
    ended |= here & (last[word] ?? 0);
    into[word] = ((((here << 1) | carry) & (next[word] ?? 0)) | (begin[word] ?? 0)) & (mask[word] ?? 0);
    carry = here >>> 31;
  }
  jump(jumps, from, mask, into);
  return isEmptyEnough || ended !== 0;
}

/** What one character costs at most, in nanoseconds of an ordinary machine: measured, and rounded up. */
export function costOf({ begin, jumps: { blocks, gates } }: Moves): number {
  return 60 + begin.length * 12 + blocks.length * 11 + gates.length * begin.length * 5;
}
