/** An empty set of positions: one bit for each, in words that are worked on in fours. */
export function emptyBitset(positions: number): Int32Array {
  return new Int32Array(Math.max(1, Math.ceil(positions / (FOUR * 32))) * FOUR);
}

/** The set of these positions, out of so many. */
export function bitsetOf(members: readonly number[], positions: number): Int32Array {
  const set = emptyBitset(positions);
  for (const member of members) add(set, member);
  return set;
}

/** How many words are worked on together. */
export const FOUR = 4;

/** Puts a position into a set. */
export function add(set: Int32Array, position: number): void {
  set[position >>> 5] = (set[position >>> 5] ?? 0) | (1 << (position & 31));
}

/** Puts all of another set into a set. */
export function addAll(set: Int32Array, other: Int32Array): void {
  for (let word = 0; word < set.length; word++) set[word] = (set[word] ?? 0) | (other[word] ?? 0);
}

/** Whether two sets have a position in common. */
export function meet(one: Int32Array, other: Int32Array): boolean {
  for (let word = 0; word < one.length; word++) if (((one[word] ?? 0) & (other[word] ?? 0)) !== 0) return true;
  return false;
}
