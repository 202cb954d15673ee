import { SECRET_SHAPES, type SecretShapeName } from "./secret-shapes.ts";

/** How many places there are for pairs of letters; several pairs share one. */
export const BIGRAMS = 2 ** 12;

/** What a text has to hold before it is searched for a kind of secret. */
export interface SecretBigrams {
  readonly kind: SecretShapeName;
  readonly hints: readonly string[];
  readonly run: number;
}

/** The hints of every kind. */
export const SECRET_BIGRAMS: readonly SecretBigrams[] = (Object.keys(SECRET_SHAPES) as SecretShapeName[]).map(
  (kind) => ({
    kind,
    hints: SECRET_SHAPES[kind].hints,
    run: SECRET_SHAPES[kind].run,
  }),
);

/**
 * The same in numbers, in one row for the processor's sake: of each kind its run and how many hints it has; of each hint how
 * many pairs of letters, and their places.
 */
export const HINT_BIGRAMS: readonly number[] = hintBigrams();

/** Every process does this once, before V8 makes fast code of anything: in plain loops, without lists in between. */
function hintBigrams(): number[] {
  const row: number[] = [];
  for (const { run, hints } of SECRET_BIGRAMS) {
    row.push(run, hints.length);
    for (const hint of hints) {
      row.push(hint.length - 1);
      for (let at = 1; at < hint.length; at++) row.push(bigramOf(hint.charCodeAt(at - 1), hint.charCodeAt(at)));
    }
  }
  return row;
}

/** The place of two letters that stand side by side. */
export function bigramOf(one: number, other: number): number {
  return ((one << 6) ^ other) & (BIGRAMS - 1);
}
