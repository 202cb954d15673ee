import type { SimpleCommand } from "./command.ts";

/** Does a command's text hold `$(…)`, `` `…` `` or `<(…)`? */
export function hasSubstitution(source: string): boolean {
  return SUBSTITUTION.test(source);
}

/** Does the outer command, which has substitutions, take what the inner one prints? Told by its text. */
export function isSubstitutedIn(inner: SimpleCommand | undefined, outer: SimpleCommand): boolean {
  if (inner === undefined || inner.source === "" || inner.source.length >= outer.source.length) return false;
  const at = outer.source.indexOf(inner.source);
  // A short one may be a part of another word, such as `env` in `.env`.
  return at >= 0 && (inner.source.length > 8 || !/[\w./-]/.test(outer.source[at - 1] ?? " "));
}

/** The names of the variables that a command's text asks for. */
export function variablesIn(source: string): readonly string[] {
  return source.includes("$") ? [...source.matchAll(/\$\{?(\w+|[@*])/g)].map(([, name]) => name ?? "") : [];
}

const SUBSTITUTION = /\$\(|`|[<>]\(/;
