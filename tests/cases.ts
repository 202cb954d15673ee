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
