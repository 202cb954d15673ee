import { add, FOUR, meet, setFor, setOf } from "./set.ts";

/** Where positions lead to besides the one behind them, for whole sets. */
export interface Jumps {
  /** For each table, for each of the 256 sets of its eight positions, where these lead to in four words. */
  readonly rows: Int32Array;
  /** Which eight positions a table is for. */
  readonly blocks: Int32Array;
  /** Behind which table the next four words begin. */
  readonly ends: Int32Array;
  readonly gates: readonly Gate[];
}

/** Many positions that all lead to the same, as the last ones of a repeated choice do. */
interface Gate {
  readonly members: Int32Array;
  readonly targets: Int32Array;
}

/** Prepares the jumps of a list that says for each position where it leads to. */
export function jumpsOf(list: readonly (readonly number[])[]): Jumps {
  const groups = new Map<string, number[]>();
  for (const [from, targets] of list.entries()) {
    const key = targets.join();
    groups.set(key, [...(groups.get(key) ?? []), from]);
  }
  groups.delete("");
  const gates: Gate[] = [];
  const blocks: Blocks = new Map();
  const blocksOf = (members: readonly number[]) => new Set(members.map((from) => from >> 3)).size;
  for (const members of [...groups.values()].sort((one, other) => blocksOf(other) - blocksOf(one))) {
    const targets = list[members[0] ?? 0] ?? [];
    if (gates.length < MOST_GATES && blocksOf(members) >= WORTH_A_GATE)
      gates.push({ members: setOf(members, list.length), targets: setOf(targets, list.length) });
    else for (const from of members) for (const to of targets) addJump(blocks, from, to);
  }
  return { ...tablesOf(blocks, setFor(list.length).length / FOUR), gates };
}

/** Adds the positions that these lead to, as far as they are in the mask. */
export function jump({ rows, blocks, ends, gates }: Jumps, from: Int32Array, mask: Int32Array, into: Int32Array): void {
  let table = 0;
  for (let word = 0; table < blocks.length; word += FOUR) {
    let one = 0;
    let two = 0;
    let three = 0;
    let four = 0;
    for (const end = ends[word >> 2] ?? 0; table < end; table++) {
      const block = blocks[table] ?? 0;
      const eight = ((from[block >> 2] ?? 0) >>> ((block & 3) << 3)) & 255;
      const row = ((table << 8) | eight) << 2;
      one |= rows[row] ?? 0;
      two |= rows[row + 1] ?? 0;
      three |= rows[row + 2] ?? 0;
      four |= rows[row + 3] ?? 0;
    }
    into[word] = (into[word] ?? 0) | (one & (mask[word] ?? 0));
    into[word + 1] = (into[word + 1] ?? 0) | (two & (mask[word + 1] ?? 0));
    into[word + 2] = (into[word + 2] ?? 0) | (three & (mask[word + 2] ?? 0));
    into[word + 3] = (into[word + 3] ?? 0) | (four & (mask[word + 3] ?? 0));
  }
  for (let gate = 0; gate < gates.length; gate++) pass(gates[gate], from, mask, into);
}

function pass(gate: Gate | undefined, from: Int32Array, mask: Int32Array, into: Int32Array): void {
  if (gate === undefined || !meet(from, gate.members)) return;
  const { targets } = gate;
  for (let word = 0; word < into.length; word++)
    into[word] = (into[word] ?? 0) | ((targets[word] ?? 0) & (mask[word] ?? 0));
}

/** By four words, then by block of eight positions: where each of the eight leads to within the four. */
type Blocks = Map<number, Int32Array>;

function addJump(blocks: Blocks, from: number, to: number): void {
  const key = (to >> 7) * MOST_BLOCKS + (from >> 3);
  const block = blocks.get(key) ?? new Int32Array(8 * FOUR);
  blocks.set(key, block);
  add(block, ((from & 7) << 7) | (to & 127));
}

function tablesOf(found: Blocks, fours: number): Omit<Jumps, "gates"> {
  const keys = [...found.keys()].sort((one, other) => one - other);
  const rows = new Int32Array(keys.length * 256 * FOUR);
  for (const [table, key] of keys.entries()) {
    const block = found.get(key) ?? rows;
    for (let set = 1; set < 256; set++) {
      // Where a set leads to without its lowest position is known already.
      const lowest = 31 - Math.clz32(set & -set);
      const known = ((table << 8) | (set & (set - 1))) * FOUR;
      for (let word = 0; word < FOUR; word++)
        rows[((table << 8) | set) * FOUR + word] = (rows[known + word] ?? 0) | (block[lowest * FOUR + word] ?? 0);
    }
  }
  const ends = Array.from({ length: fours }, (_, four) => keys.filter((key) => key < (four + 1) * MOST_BLOCKS).length);
  return { rows, blocks: Int32Array.from(keys, (key) => key % MOST_BLOCKS), ends: Int32Array.from(ends) };
}

const MOST_BLOCKS = 1024;
/** A gate costs about as much as so many tables; those of more gates could all lead through the same tables. */
const WORTH_A_GATE = 6;
const MOST_GATES = 2;
