/**
 * Those of the names under which an input has something, in their order. Inputs are mostly small and plain, and to ask them
 * for many names that they do not have takes longer than to ask what they have.
 */
export function presentKeys(input: object, names: readonly string[]): readonly string[] {
  const kind = Object.getPrototypeOf(input) as unknown;
  if (kind !== Object.prototype && kind !== null) return names;
  const given = Object.keys(input);
  const [only = ""] = given;
  if (given.length === 1) return names.includes(only) ? given : NONE;
  return given.length > SMALL ? names : names.filter((name) => given.includes(name));
}

const NONE: readonly string[] = [];
const SMALL = 6;
