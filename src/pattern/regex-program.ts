/** What the parser makes of an expression: steps that eat a character, and steps that only lead on. */
export interface RegexProgram {
  readonly inst: readonly Step[];
  readonly start: number;
}

interface Step {
  readonly op: number;
  readonly out: number;
  /** The other way of a fork; what an assertion asks for; whether case is ignored. */
  readonly arg: number;
  readonly runes: ArrayLike<number>;
  matchRune(code: number): boolean;
}

/** One step that eats a character, known by its place among those steps. */
export interface Position {
  readonly out: number;
  /** Positions that take the same characters mostly have the same number. */
  readonly eats: number;
  readonly takes: (code: number) => boolean;
}

/** The steps that eat, in the order of the expression, where `at` finds them again by their step. */
export interface Positions {
  readonly list: readonly Position[];
  readonly at: Int32Array;
  /** What the assertions of the expression ask for, together. */
  readonly asked: number;
}

/** Reads the positions of a program. */
export function positionsOf({ inst }: RegexProgram): Positions {
  const at = new Int32Array(inst.length).fill(-1);
  const list: Position[] = [];
  const kinds = new Map<string, number>();
  const known = new Map<ArrayLike<number>, string>();
  let asked = 0;
  for (const [index, step] of inst.entries()) {
    if (step.op === OP.assert) asked |= step.arg;
    if (step.op < OP.firstEater || step.op > OP.lastEater) continue;
    at[index] = list.length;
    // A count repeats its step with the same list, which may be long.
    const runes = known.get(step.runes) ?? Array.from(step.runes).join();
    known.set(step.runes, runes);
    const key = `${step.op}:${step.arg}:${runes}`;
    const eats = kinds.get(key) ?? kinds.size;
    kinds.set(key, eats);
    list.push({ out: step.out, eats, takes: (code) => step.matchRune(code) });
  }
  return { list, at, asked };
}

/** Walks from a step over all steps that consume nothing, given these facts; reports each position, and -1 for the end. */
export function walker({ inst }: RegexProgram, { at }: Positions): (from: number, facts: number, tell: Tell) => void {
  const seen = new Int32Array(inst.length);
  let walk = 0;
  return (from, facts, tell) => {
    walk++;
    const open = [from];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      const step = inst[index];
      if (step === undefined || seen[index] === walk) continue;
      seen[index] = walk;
      const position = at[index] ?? -1;
      if (position >= 0) tell(position);
      else if (step.op === OP.end) tell(-1);
      else if (step.op === OP.fork || step.op === OP.forkToEnd) open.push(step.out, step.arg);
      else if (step.op === OP.mark || step.op === OP.nothing) open.push(step.out);
      else if (step.op === OP.assert && (step.arg & ~facts) === 0) open.push(step.out);
    }
  };
}

type Tell = (position: number) => void;

/** How re2js numbers its steps. */
const OP = {
  fork: 1,
  forkToEnd: 2,
  mark: 3,
  assert: 4,
  end: 6,
  nothing: 7,
  firstEater: 8,
  lastEater: 11,
} as const;
