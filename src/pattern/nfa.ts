import {
  type CharClass,
  type CharClasses,
  charClassesOf,
  charClassOf,
  emptyBitset,
  factsBetween,
  KIND,
} from "./char-classes.ts";
import { positionsOf, type RegexProgram, walker } from "./regex-program.ts";
import { advance, costOf, isAtEnd, type Transitions, transitionsOf } from "./transition-table.ts";

/** A program ready to be looked for, with all that was learned from the texts before. */
export interface Nfa {
  readonly charClasses: CharClasses;
  /** By the characters before and after a position. */
  readonly transitions: (Transitions | undefined)[];
  readonly transitionsBetween: (before: number, after: number) => Transitions;
  readonly states: Map<string, State>;
  readonly first: State;
  /** The kind of the end of a text. */
  readonly edge: number;
  learned: number;
}

/** All that a search has to know between two characters. */
interface State {
  readonly kind: number;
  readonly set: Int32Array;
  /** By charClass, as far as it was learned. */
  readonly next: (State | undefined)[];
}

/** Prepares a program; `bounds` are the code points at which it begins or stops distinguishing characters. */
export function nfaOf(program: RegexProgram, bounds: Int32Array): Nfa {
  const positions = positionsOf(program);
  const walk = walker(program, positions);
  const edge = positions.asked === 0 ? KIND.other : KIND.edge;
  const byFacts = new Map<number, Transitions>();
  return {
    charClasses: charClassesOf(positions, bounds),
    transitions: new Array(16).fill(undefined),
    transitionsBetween: (before, after) => {
      const facts = factsBetween(before, after) & positions.asked;
      const known = byFacts.get(facts);
      const transitions =
        known ?? transitionsOf(positions.list, program.start, (step, tell) => walk(step, facts, tell));
      byFacts.set(facts, transitions);
      return transitions;
    },
    states: new Map(),
    first: { kind: edge, set: emptyBitset(positions.list.length), next: [] },
    edge,
    learned: 0,
  };
}

/**
 * Whether the program matches anywhere in the text, in a time that no text can stretch: what it meets often it learns,
 * one look-up per character; what would be too much to learn it computes, all positions at once.
 */
export function isFound(nfa: Nfa, text: string): boolean {
  const { charClasses } = nfa;
  let state = nfa.first;
  for (let at = 0; at < text.length; at++) {
    const code = codeAt(text, at);
    const charClass = charClassOf(charClasses, code);
    const next = state.next[charClass.id] ?? learn(nfa, state, charClass);
    if (next === FOUND) return true;
    if (next === TOO_MUCH) return isFoundFrom(nfa, text, at, state);
    state = next;
    if (code > LAST_OF_ONE) at++;
  }
  return isAtEnd(transitionsIn(nfa, state.kind, nfa.edge), state.set);
}

/** Whether a character costs at most this, whatever its neighbours are. */
export function costsAtMost(nfa: Nfa, most: number): boolean {
  const kinds = Object.values(KIND);
  return kinds.every((before) => kinds.every((after) => costOf(transitionsIn(nfa, before, after)) <= most));
}

function learn(nfa: Nfa, state: State, charClass: CharClass): State {
  if (nfa.learned >= MAX_LEARNED) return TOO_MUCH;
  nfa.learned++;
  const set = new Int32Array(state.set.length);
  const isEnd = advance(transitionsIn(nfa, state.kind, charClass.kind), state.set, charClass.mask, set);
  const next = isEnd ? FOUND : stateFor(nfa, charClass.kind, set);
  state.next[charClass.id] = next;
  return next;
}

function stateFor({ states }: Nfa, kind: number, set: Int32Array): State {
  let key = String.fromCharCode(kind);
  for (const word of set) key += String.fromCharCode(word & 0xffff, word >>> 16);
  const state = states.get(key) ?? { kind, set, next: [] };
  states.set(key, state);
  return state;
}

function isFoundFrom(nfa: Nfa, text: string, from: number, { kind, set }: State): boolean {
  const { charClasses, edge } = nfa;
  let before = kind;
  let now = Int32Array.from(set);
  let then = new Int32Array(set.length);
  for (let at = from; at < text.length; at++) {
    const code = codeAt(text, at);
    const charClass = charClassOf(charClasses, code);
    const transitions = transitionsIn(nfa, before, charClass.kind);
    if (advance(transitions, now, charClass.mask, then)) return true;
    const spare = now;
    now = then;
    then = spare;
    before = charClass.kind;
    if (code > LAST_OF_ONE) at++;
  }
  return isAtEnd(transitionsIn(nfa, before, edge), now);
}

function transitionsIn(nfa: Nfa, before: number, after: number): Transitions {
  const known = nfa.transitions[before * 4 + after];
  if (known !== undefined) return known;
  const transitions = nfa.transitionsBetween(before, after);
  nfa.transitions[before * 4 + after] = transitions;
  return transitions;
}

/** The code point, or a lone surrogate. */
function codeAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code <= 0xdbff ? (text.codePointAt(at) ?? code) : code;
}

const LAST_OF_ONE = 0xffff;
/** So many steps are worth their memory; each takes microseconds. */
const MAX_LEARNED = 500;
const FOUND: State = { kind: -1, set: new Int32Array(0), next: [] };
const TOO_MUCH: State = { kind: -2, set: new Int32Array(0), next: [] };
