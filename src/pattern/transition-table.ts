import { add, bitsetOf, emptyBitset, FOUR, meet } from "./char-classes.ts";
import type { Position } from "./regex-program.ts";

/** The positions that follow besides the next one, for whole sets. */
interface TransitionTable {
  /** For each table, for each of the 256 sets of its eight positions, where these lead to in four words. */
  readonly rows: Int32Array;
  /** Which eight positions a table is for. */
  readonly blocks: Int32Array;
  /** After which table the next four words begin. */
  readonly ends: Int32Array;
  readonly gates: readonly Gate[];
}

/** Many positions that all lead to the same, as the last ones of a repeated choice do. */
interface Gate {
  readonly members: Int32Array;
  readonly targets: Int32Array;
}

/** Prepares the table of a list that has the following positions of each position. */
function transitionTableOf(list: readonly (readonly number[])[]): TransitionTable {
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
    if (gates.length < MAX_GATES && blocksOf(members) >= WORTH_A_GATE)
      gates.push({ members: bitsetOf(members, list.length), targets: bitsetOf(targets, list.length) });
    else for (const from of members) for (const to of targets) addTransition(blocks, from, to);
  }
  return { ...tablesOf(blocks, emptyBitset(list.length).length / FOUR), gates };
}

/** Adds the positions that these lead to, as far as they are in the mask. */
function follow(
  { rows, blocks, ends, gates }: TransitionTable,
  from: Int32Array,
  mask: Int32Array,
  into: Int32Array,
): void {
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

function addTransition(blocks: Blocks, from: number, to: number): void {
  const key = (to >> 7) * MAX_BLOCKS + (from >> 3);
  const block = blocks.get(key) ?? new Int32Array(8 * FOUR);
  blocks.set(key, block);
  add(block, ((from & 7) << 7) | (to & 127));
}

function tablesOf(found: Blocks, fours: number): Omit<TransitionTable, "gates"> {
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
  const ends = Array.from({ length: fours }, (_, four) => keys.filter((key) => key < (four + 1) * MAX_BLOCKS).length);
  return { rows, blocks: Int32Array.from(keys, (key) => key % MAX_BLOCKS), ends: Int32Array.from(ends) };
}

const MAX_BLOCKS = 1024;
/** A gate costs about as much as so many tables; those of more gates could all lead through the same tables. */
const WORTH_A_GATE = 6;
const MAX_GATES = 2;

/** Where positions lead to, for a whole set of them at once. */
export interface Transitions {
  /** Whether the expression is content with no character at all. */
  readonly isEmptyEnough: boolean;
  /** The positions with which a match begins, with which it ends, and which follow the one before them. */
  readonly begin: Int32Array;
  readonly last: Int32Array;
  readonly next: Int32Array;
  readonly table: TransitionTable;
}

/** Tells the positions that follow a step of the program, and -1 for its end. */
type Follow = (step: number, tell: (position: number) => void) => void;

/** Prepares the transitions between these positions. */
export function transitionsOf(list: readonly Position[], start: number, follow: Follow): Transitions {
  const [begin, next, last] = [emptyBitset(list.length), emptyBitset(list.length), emptyBitset(list.length)];
  let isEmptyEnough = false;
  follow(start, (position) => {
    if (position < 0) isEmptyEnough = true;
    else add(begin, position);
  });
  const table = list.map(({ out }, from) => {
    const targets: number[] = [];
    follow(out, (to) => {
      if (to < 0) add(last, from);
      else if (to === from + 1) add(next, to);
      else targets.push(to);
    });
    return targets.sort((one, other) => one - other);
  });
  return { isEmptyEnough, begin, last, next, table: transitionTableOf(table) };
}

/** Whether an expression that came to these positions is at its end. */
export function isAtEnd({ isEmptyEnough, last }: Transitions, set: Int32Array): boolean {
  return isEmptyEnough || meet(set, last);
}

/**
 * Finds the positions after these that accept a character class with this mask; a match may begin at every character.
 * Says whether the expression was at its end before.
 */
export function advance(transitions: Transitions, from: Int32Array, mask: Int32Array, into: Int32Array): boolean {
  const { isEmptyEnough, begin, next, last, table } = transitions;
  let carry = 0;
  let ended = 0;
  for (let word = 0; word < into.length; word++) {
    const here = from[word] ?? 0;
    ended |= here & (last[word] ?? 0);
    into[word] = ((((here << 1) | carry) & (next[word] ?? 0)) | (begin[word] ?? 0)) & (mask[word] ?? 0);
    carry = here >>> 31;
  }
  follow(table, from, mask, into);
  return isEmptyEnough || ended !== 0;
}

/** What one character costs at most, in nanoseconds of an ordinary machine: measured, and rounded up. */
export function costOf({ begin, table: { blocks, gates } }: Transitions): number {
  return 60 + begin.length * 12 + blocks.length * 11 + gates.length * begin.length * 5;
}
