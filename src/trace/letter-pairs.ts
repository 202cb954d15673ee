/** How many places there are for pairs of letters; several pairs share one. */
export const PAIRS = 2 ** 12;

/** The place of two letters that stand side by side. */
export function pairOf(one: number, other: number): number {
  return ((one << 6) ^ other) & (PAIRS - 1);
}
