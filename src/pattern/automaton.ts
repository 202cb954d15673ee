import { type Letter, type Letters, letterOf, lettersOf } from "./letters.ts";
import { advance, costOf, isAtEnd, type Moves, movesOf } from "./moves.ts";
import { type Program, positionsOf, walker } from "./program.ts";
import { setFor } from "./set.ts";
import { factsBetween, KIND } from "./surroundings.ts";

/** A program ready to be looked for, with all that was learned from the texts before. */
export interface Automaton {
  readonly letters: Letters;
  /** By what stands before and behind a gap. */
  readonly moves: (Moves | undefined)[];
  readonly movesBetween: (before: number, after: number) => Moves;
  readonly states: Map<string, State>;
  readonly first: State;
  /** What the end of a text counts as. */
  readonly edge: number;
  learned: number;
}

/** All that a search has to know between two characters. */
interface State {
  readonly kind: number;
  readonly set: Int32Array;
  /** By letter, as far as it was learned. */
  readonly next: (State | undefined)[];
}

/** Prepares a program; `bounds` are the code points at which it begins or ceases to tell characters apart. */
export function automatonOf(program: Program, bounds: Int32Array): Automaton {
  const positions = positionsOf(program);
  const walk = walker(program, positions);
  const edge = positions.asked === 0 ? KIND.other : KIND.edge;
  const byFacts = new Map<number, Moves>();
  return {
    letters: lettersOf(positions, bounds),
    moves: new Array(16).fill(undefined),
    movesBetween: (before, after) => {
      const facts = factsBetween(before, after) & positions.asked;
      const known = byFacts.get(facts);
      const moves = known ?? movesOf(positions.list, program.start, (step, tell) => walk(step, facts, tell));
      byFacts.set(facts, moves);
      return moves;
    },
    states: new Map(),
    first: { kind: edge, set: setFor(positions.list.length), next: [] },
    edge,
    learned: 0,
  };
}

/**
 * Whether the program matches anywhere in the text, in a time that no text can stretch: what it meets often it learns,
 * one look-up per character; what would be too much to learn it computes, all positions at once.
 */
export function isFound(automaton: Automaton, text: string): boolean {
  const { letters } = automaton;
  let state = automaton.first;
  for (let at = 0; at < text.length; at++) {
    const code = codeAt(text, at);
    const letter = letterOf(letters, code);
    const next = state.next[letter.id] ?? learn(automaton, state, letter);
    if (next === FOUND) return true;
    if (next === TOO_MUCH) return isFoundFrom(automaton, text, at, state);
    state = next;
    if (code > LAST_OF_ONE) at++;
  }
  return isAtEnd(movesIn(automaton, state.kind, automaton.edge), state.set);
}

/** Whether a character costs no more than this, whatever stands beside it. */
export function costsAtMost(automaton: Automaton, most: number): boolean {
  const kinds = Object.values(KIND);
  return kinds.every((before) => kinds.every((after) => costOf(movesIn(automaton, before, after)) <= most));
}

function learn(automaton: Automaton, state: State, letter: Letter): State {
  if (automaton.learned >= MOST_LEARNED) return TOO_MUCH;
  automaton.learned++;
  const set = new Int32Array(state.set.length);
  const isEnd = advance(movesIn(automaton, state.kind, letter.kind), state.set, letter.mask, set);
  const next = isEnd ? FOUND : stateFor(automaton, letter.kind, set);
  state.next[letter.id] = next;
  return next;
}

function stateFor({ states }: Automaton, kind: number, set: Int32Array): State {
  let key = String.fromCharCode(kind);
  for (const word of set) key += String.fromCharCode(word & 0xffff, word >>> 16);
  const state = states.get(key) ?? { kind, set, next: [] };
  states.set(key, state);
  return state;
}

function isFoundFrom(automaton: Automaton, text: string, from: number, { kind, set }: State): boolean {
  const { letters, edge } = automaton;
  let before = kind;
  let now = Int32Array.from(set);
  let then = new Int32Array(set.length);
  for (let at = from; at < text.length; at++) {
    const code = codeAt(text, at);
    const letter = letterOf(letters, code);
    const moves = movesIn(automaton, before, letter.kind);
    if (advance(moves, now, letter.mask, then)) return true;
    const spare = now;
    now = then;
    then = spare;
    before = letter.kind;
    if (code > LAST_OF_ONE) at++;
  }
  return isAtEnd(movesIn(automaton, before, edge), now);
}

function movesIn(automaton: Automaton, before: number, after: number): Moves {
  const known = automaton.moves[before * 4 + after];
  if (known !== undefined) return known;
  const moves = automaton.movesBetween(before, after);
  automaton.moves[before * 4 + after] = moves;
  return moves;
}

/** The code point, or the half of one that stands alone. */
function codeAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code <= 0xdbff ? (text.codePointAt(at) ?? code) : code;
}

const LAST_OF_ONE = 0xffff;
/** So many steps are worth their memory; each takes microseconds. */
const MOST_LEARNED = 500;
const FOUND: State = { kind: -1, set: new Int32Array(0), next: [] };
const TOO_MUCH: State = { kind: -2, set: new Int32Array(0), next: [] };
