/**
 * How many cases a test makes up: `few` in a test run, `many` in `npm run fuzz`. `CASES` names another number, for one
 * file at a time.
 */
export function cases(few: number, many: number): number {
  const { CASES, FUZZ } = process.env;
  if (CASES !== undefined) return Number(CASES);
  return FUZZ === undefined ? few : many;
}

/** Where chance begins: `SEED` tries other cases than usual. */
export function seedOr(usual: number): number {
  return Number(process.env.SEED ?? usual);
}

/** Every nth of a long list in a test run, beginning with the first; all of it in `npm run fuzz`. */
export function everyNth<T>(step: number, all: readonly T[]): T[] {
  const every = cases(step, 1);
  return all.filter((_, index) => index % every === 0);
}
