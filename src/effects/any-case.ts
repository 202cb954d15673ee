import type { Field } from "./parse/value.ts";

/** A name that a search finds in letters of either case, as patterns: as it is written, in small letters, and in any. */
export function casesOf(name: string): string[] {
  const any = name.replaceAll(/\[[^[\]]*\]|[a-z]/gi, (part) =>
    part.length > 1 ? part : `[${part}${otherCase(part)}]`,
  );
  return [...new Set([name, name.toLowerCase(), any])];
}

/** The same for a shell word. */
export function inAnyCase(name: Field): Field[] {
  return casesOf(name.text).map((text) => ({ ...name, text }));
}

/** A pattern of `casesOf` with the letters that were written. */
export function withoutCases(text: string): string {
  if (!text.includes("[")) return text;
  return text.replaceAll(/\[([a-z])([a-z])\]/gi, (all, one: string, other: string) =>
    otherCase(one) === other ? one : all,
  );
}

function otherCase(letter: string): string {
  const small = letter.toLowerCase();
  return small === letter ? letter.toUpperCase() : small;
}
