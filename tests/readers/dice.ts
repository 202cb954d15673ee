/** Chance that repeats itself: the same seed gives the same texts. */
export interface Dice {
  /** A whole number below `limit`. */
  below(limit: number): number;
  /** True about once in `times`. */
  onceIn(times: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
}

/** Dice that fall as the seed says (mulberry32). */
export function diceFor(seed: number): Dice {
  let state = seed >>> 0;
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return {
    below,
    onceIn: (times) => below(times) === 0,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error("nothing to pick from");
      return item;
    },
  };
}
