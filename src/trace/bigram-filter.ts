import { SECRET_SHAPES, type SecretKind } from "./secret-shapes.ts";

/** How many places there are for pairs of letters; several pairs share one. */
export const BIGRAMS = 2 ** 12;

/** What a text has to hold before it is searched for a kind of secret. */
export interface SecretBigrams {
  readonly kind: SecretKind;
  readonly hints: readonly string[];
  readonly run: number;
}

/** The hints of every kind; the build works them out, so that a text without any is told without the shapes. */
export const SECRET_BIGRAMS: readonly SecretBigrams[] = (Object.keys(SECRET_SHAPES) as SecretKind[]).map((kind) => ({
  kind,
  hints: SECRET_SHAPES[kind].hints,
  run: SECRET_SHAPES[kind].run,
}));

/**
 * The same in numbers, in one row for the processor's sake: of each kind its run and how many hints it has; of each hint how
 * many pairs of letters, and their places.
 */
export const HINT_BIGRAMS: readonly number[] = SECRET_BIGRAMS.flatMap(({ run, hints }) => [
  run,
  hints.length,
  ...hints.flatMap((hint) => {
    const places = Array.from({ length: hint.length - 1 }, (_, at) =>
      bigramOf(hint.charCodeAt(at), hint.charCodeAt(at + 1)),
    );
    return [places.length, ...places];
  }),
]);

/** The place of two letters that stand side by side. */
export function bigramOf(one: number, other: number): number {
  return ((one << 6) ^ other) & (BIGRAMS - 1);
}
