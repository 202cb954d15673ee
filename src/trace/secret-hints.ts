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
