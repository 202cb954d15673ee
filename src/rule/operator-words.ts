import { OPERATORS, type Operator, type OperatorName } from "./operators.ts";

/** An operator as a rule names it: `contains`, `not_contains`, and `regex` for `matches`. */
export interface NamedOperator {
  readonly name: OperatorName;
  readonly negated: boolean;
  readonly row: Operator;
}

/** The operator of that name; `undefined` when there is none. */
export function operatorNamed(word: string): NamedOperator | undefined {
  return WORDS.get(word);
}

/** Every word that names an operator. */
export function operatorWords(): string[] {
  return [...WORDS.keys()];
}

/** Other names for the same thing. */
const SYNONYMS: Readonly<Record<string, OperatorName>> = { regex: "matches" };

const NAMES = [...Object.keys(OPERATORS).map((name) => [name, name] as const), ...Object.entries(SYNONYMS)];
const WORDS: ReadonlyMap<string, NamedOperator> = new Map(
  [false, true].flatMap((negated) =>
    NAMES.map(([word, name]) => {
      const row: Operator = OPERATORS[name as OperatorName];
      return [negated ? `not_${word}` : word, { name: name as OperatorName, negated, row }] as const;
    }),
  ),
);
