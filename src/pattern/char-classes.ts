import type { Positions } from "./regex-program.ts";

/** Characters that no position and no assertion of the expression distinguishes. */
export interface CharClass {
  readonly id: number;
  readonly kind: number;
  /** The positions that take it. */
  readonly mask: Int32Array;
}

/** The character classes of an expression, as far as texts had them. */
export interface CharClasses {
  /** For the first characters, which most texts are made of. */
  readonly byCode: (CharClass | undefined)[];
  readonly byRange: (CharClass | undefined)[];
  readonly byMask: Map<string, CharClass>;
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

/** Prepares the character classes that these positions distinguish. */
export function charClassesOf({ list, asked }: Positions, bounds: Int32Array): CharClasses {
  const eaters = new Map<number, Eater>();
  for (const [index, { eats, takes }] of list.entries()) {
    const eater = eaters.get(eats) ?? { takes, members: emptyBitset(list.length) };
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

/** The class of a character. */
export function charClassOf(charClasses: CharClasses, code: number): CharClass {
  const known = code < FEW ? charClasses.byCode[code] : undefined;
  return known ?? charClassInRange(charClasses, code);
}

const FEW = 256;

function charClassInRange(charClasses: CharClasses, code: number): CharClass {
  const { byRange, byCode, bounds } = charClasses;
  const range = rangeOf(code, bounds);
  const charClass = byRange[range] ?? made(charClasses, code);
  byRange[range] = charClass;
  if (code < FEW) byCode[code] = charClass;
  return charClass;
}

function made({ eaters, byMask, positions, hasAssertions }: CharClasses, code: number): CharClass {
  const mask = emptyBitset(positions);
  for (const { takes, members } of eaters) if (takes(code)) addAll(mask, members);
  const kind = hasAssertions ? kindOf(code) : KIND.other;
  const key = `${kind}:${mask.join()}`;
  const charClass = byMask.get(key) ?? { id: byMask.size, kind, mask };
  byMask.set(key, charClass);
  return charClass;
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

/** The characters on both sides of a position, as far as an assertion can see them. */
export const KIND = { edge: 0, newline: 1, word: 2, other: 3 } as const;

/** Which kind a character is of. */
function kindOf(code: number): number {
  if (code === 10) return KIND.newline;
  const isWord = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
  return isWord ? KIND.word : KIND.other;
}

/** The assertions that are true between two kinds of characters, as the bits that re2js uses. */
export function factsBetween(before: number, after: number): number {
  const isBoundary = (before === KIND.word) !== (after === KIND.word);
  return (
    (before <= KIND.newline ? FACT.lineBegins : 0) |
    (after <= KIND.newline ? FACT.lineEnds : 0) |
    (before === KIND.edge ? FACT.textBegins : 0) |
    (after === KIND.edge ? FACT.textEnds : 0) |
    (isBoundary ? FACT.boundary : FACT.noBoundary)
  );
}

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
function addAll(set: Int32Array, other: Int32Array): void {
  for (let word = 0; word < set.length; word++) set[word] = (set[word] ?? 0) | (other[word] ?? 0);
}

/** Whether two sets have a position in common. */
export function meet(one: Int32Array, other: Int32Array): boolean {
  for (let word = 0; word < one.length; word++) if (((one[word] ?? 0) & (other[word] ?? 0)) !== 0) return true;
  return false;
}

const FACT = { lineBegins: 1, lineEnds: 2, textBegins: 4, textEnds: 8, boundary: 16, noBoundary: 32 } as const;
