import type { Positions } from "./program.ts";
import { add, addAll, setFor } from "./set.ts";
import { KIND, kindOf } from "./surroundings.ts";

/** Characters that no position and no assertion of the expression tells apart. */
export interface Letter {
  readonly id: number;
  readonly kind: number;
  /** The positions that take it. */
  readonly mask: Int32Array;
}

/** The letters of an expression, as far as texts had them. */
export interface Letters {
  /** For the first characters, which most texts are made of. */
  readonly byCode: (Letter | undefined)[];
  readonly byRange: (Letter | undefined)[];
  readonly byMask: Map<string, Letter>;
  /** The code points at which anything changes. */
  readonly bounds: Int32Array;
  readonly eaters: readonly Eater[];
  readonly positions: number;
  readonly hasAssertions: boolean;
}

/** Positions that take the same characters. */
interface Eater {
  readonly takes: (code: number) => boolean;
  readonly members: Int32Array;
}

/** Prepares the letters that these positions tell apart. */
export function lettersOf({ list, asked }: Positions, bounds: Int32Array): Letters {
  const eaters = new Map<number, Eater>();
  for (const [index, { eats, takes }] of list.entries()) {
    const eater = eaters.get(eats) ?? { takes, members: setFor(list.length) };
    add(eater.members, index);
    eaters.set(eats, eater);
  }
  return {
    byCode: new Array(FEW).fill(undefined),
    byRange: [],
    byMask: new Map(),
    bounds,
    eaters: [...eaters.values()],
    positions: list.length,
    hasAssertions: asked !== 0,
  };
}

/** The letter of a character. */
export function letterOf(letters: Letters, code: number): Letter {
  const known = code < FEW ? letters.byCode[code] : undefined;
  return known ?? letterInRange(letters, code);
}

const FEW = 256;

function letterInRange(letters: Letters, code: number): Letter {
  const { byRange, byCode, bounds } = letters;
  const range = rangeOf(code, bounds);
  const letter = byRange[range] ?? made(letters, code);
  byRange[range] = letter;
  if (code < FEW) byCode[code] = letter;
  return letter;
}

function made({ eaters, byMask, positions, hasAssertions }: Letters, code: number): Letter {
  const mask = setFor(positions);
  for (const { takes, members } of eaters) if (takes(code)) addAll(mask, members);
  const kind = hasAssertions ? kindOf(code) : KIND.other;
  const key = `${kind}:${mask.join()}`;
  const letter = byMask.get(key) ?? { id: byMask.size, kind, mask };
  byMask.set(key, letter);
  return letter;
}

function rangeOf(code: number, bounds: Int32Array): number {
  let low = 0;
  let high = bounds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bounds[middle] ?? 0) <= code) low = middle + 1;
    else high = middle;
  }
  return low;
}
