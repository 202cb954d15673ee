/** A whole number below the given one. */
export type Next = (below: number) => number;

/** Numbers that look random, the same ones for the same seed. */
export function randomNumbers(seed: number): Next {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** One of these. */
export function pick<Item>(next: Next, items: readonly Item[]): Item {
  return items[next(items.length)] as Item;
}
