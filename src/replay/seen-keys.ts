import { createHash } from "node:crypto";

/** Which keys have come before: eight bytes of the hash of each, so that a long history takes little memory. */
export class SeenKeys {
  #table = new BigUint64Array(FIRST_SIZE);
  #count = 0;

  /** Whether a key comes for the first time. */
  isNew(key: string): boolean {
    // Zero is an empty place.
    const mark = createHash("sha256").update(key).digest().readBigUInt64LE() || 1n;
    const place = placeOf(mark, this.#table);
    if (this.#table[place] === mark) return false;
    this.#table[place] = mark;
    if (++this.#count * 2 > this.#table.length) this.#grow();
    return true;
  }

  #grow(): void {
    const table = new BigUint64Array(this.#table.length * 2);
    for (const mark of this.#table) if (mark !== 0n) table[placeOf(mark, table)] = mark;
    this.#table = table;
  }
}

/** Where a mark stands, or would stand: sizes are powers of two, and what is taken is passed over. */
function placeOf(mark: bigint, table: BigUint64Array): number {
  let place = Number(BigInt.asUintN(LOW_BITS, mark)) & (table.length - 1);
  while (table[place] !== 0n && table[place] !== mark) place = (place + 1) & (table.length - 1);
  return place;
}

const FIRST_SIZE = 1024;
const LOW_BITS = 30;
