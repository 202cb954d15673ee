import { choicesOf, gotInWords, type Misfit, wantedInWords } from "../hook/schema-words.ts";
import { didYouMean } from "../problem/nearest.ts";
import { type Place, type Problem, problems } from "../problem/problem.ts";
import type { Protects } from "./protection.ts";

/** A protection with a value that cannot be read, or with none; something counts in its place. */
interface WrongValue {
  readonly key: string;
  readonly issue: Misfit;
  readonly counts: unknown;
  readonly protects: Protects;
}

/** A key that is none, and the setting that it most likely means. */
interface WrongKey {
  readonly key: string;
  readonly setting: string;
  /** What counts; nothing, where it would only loosen. */
  readonly value: unknown;
}

/** A protection whose value cannot be read, or is not there. */
export function wrongProtection(value: WrongValue, place: Place): Problem {
  return PROBLEMS.wrongProtection(value, { place });
}

/** A key at the top of a file that is nearly a protection's. */
export function misspeltProtection(key: WrongKey, place: Place): Problem {
  return PROBLEMS.misspeltProtection(key, { place });
}

/** A protection that stands inside something else. */
export function misplacedProtection(key: WrongKey & { readonly holder: string }, place: Place): Problem {
  return PROBLEMS.misplacedProtection(key, { place });
}

/** A key inside a protection that is nearly one of its parts. */
export function misspeltPart(key: WrongKey & { readonly part: string }, place: Place): Problem {
  return PROBLEMS.misspeltPart(key, { place });
}

/** The problem after which nothing is lost: what counts is at least as strict as what was written. */
export const WRONG_PROTECTION = "config/wrong-protection";

const PROBLEMS = problems("config", {
  wrongProtection: ({ key, issue, counts, protects }: WrongValue) => ({
    what: `\`${key}\` is ${gotInWords(issue)}; it has to be ${wantedOf(issue, counts, protects)}. Until then it counts as \`${written(counts)}\`.`,
    fix:
      didYouMean(gotInWords(issue).replaceAll('"', ""), choicesOf(issue)) ||
      (typeof counts === "string"
        ? `Write one of ${choicesOf(issue).join(", ")}.`
        : `Write \`${key}: { ${written(counts)} }\`, for example.`),
  }),
  misspeltProtection: ({ key, setting, value }: WrongKey) => ({
    what: `The file has a key \`${key}\`; it has to be \`${setting}\`. ${countingAs(setting, value)}`,
    fix: `Rename it to \`${setting}\`.`,
  }),
  misplacedProtection: ({ key, setting, value, holder }: WrongKey & { holder: string }) => ({
    what: `\`${holder}\` has a key \`${key}\`; \`${setting}\` has to stand at the top of the file. ${countingAs(setting, value)}`,
    fix: `Write \`${setting}\` beside \`${holder}\`, not inside it.`,
  }),
  misspeltPart: ({ key, setting, part, value }: WrongKey & { part: string }) => ({
    what: `\`${setting}\` has a key \`${key}\`; it has to be \`${part}\`. ${countingAs(setting, value)}`,
    fix: `Rename it to \`${part}\`.`,
  }),
});

function wantedOf(issue: Misfit, counts: unknown, { parts }: Protects): string {
  if (typeof counts === "string" || parts === undefined) return wantedInWords(issue);
  const names = Object.keys(parts).map((part) => `\`${part}\``);
  return `an object with ${names.join(" and ")}`;
}

function countingAs(setting: string, value: unknown): string {
  if (value === undefined) return "It has no effect.";
  const counts = typeof value === "string" ? value : `{ ${written(value)} }`;
  return `Until then it counts as \`${setting}: ${counts}\`.`;
}

function written(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([part, stated]) => `${part}: ${stated}`)
    .join(", ");
}
