import { pairOf } from "./letter-pairs.ts";
import { SECRET_SHAPES, type SecretKind } from "./secret-shapes.ts";

/** What a text has to hold before it is searched for a kind of secret. */
export interface SecretHints {
  readonly kind: SecretKind;
  readonly hints: readonly string[];
  readonly run: number;
}

/** The hints of every kind; the build works them out, so that a text without any is told without the shapes. */
export const SECRET_HINTS: readonly SecretHints[] = (Object.keys(SECRET_SHAPES) as SecretKind[]).map((kind) => ({
  kind,
  hints: SECRET_SHAPES[kind].hints,
  run: SECRET_SHAPES[kind].run,
}));

/**
 * The same in numbers, in one row for the processor's sake: of each kind its run and how many hints it has; of each hint how
 * many pairs of letters, and their places.
 */
export const HINT_PAIRS: readonly number[] = SECRET_HINTS.flatMap(({ run, hints }) => [
  run,
  hints.length,
  ...hints.flatMap((hint) => {
    const places = Array.from({ length: hint.length - 1 }, (_, at) =>
      pairOf(hint.charCodeAt(at), hint.charCodeAt(at + 1)),
    );
    return [places.length, ...places];
  }),
]);
