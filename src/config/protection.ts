import { choicesOf, gotInWords, type Misfit, wantedInWords } from "../hook/schema-words.ts";
import { didYouMean, nearest } from "../problem/nearest.ts";
import { problems } from "../problem/problem.ts";

/** A protection: its values from the loosest to the strictest, and the value that applies if none can be read. */
export interface Protection<Rungs extends readonly string[] = readonly string[]> {
  readonly rungs: Rungs;
  readonly unread: Rungs[number];
}

/** What a setting protects: as a whole, or with each of its parts. */
export type Protects =
  | { readonly whole: Protection; readonly parts?: never }
  | { readonly parts: Readonly<Record<string, Protection>>; readonly whole?: never };

/** Every protection that a file can ask for. */
export const PROTECTIONS = {
  guards: protection(["off", "standard", "strict", "paranoid"], "standard"),
  trace: protection(["off", "on", "required"], "required"),
  mode: protection(["off", "advise", "enforce"], "enforce"),
  onUnknown: protection(["allow", "ask", "deny"], "deny"),
  contain: protection(["off", "unknown", "all"], "unknown"),
};

/** The value that applies: the stated one, else the one most likely meant, and then nothing looser than the row's default. */
export function countsAs(value: unknown, { rungs, unread }: Protection): string {
  if (typeof value === "string" && rungs.includes(value)) return value;
  const near = nearest(String(value), rungs);
  return near !== undefined && rungs.indexOf(near) > rungs.indexOf(unread) ? near : unread;
}

/** The value that applies if nothing in a setting can be read; a mistyped protection is not lost. */
export function unreadSetting({ whole, parts }: Protects, value: unknown): unknown {
  if (whole !== undefined) return countsAs(value, whole);
  return Object.fromEntries(Object.entries(parts).map(([name, { unread }]) => [name, unread]));
}

/** The part that a key of a setting names, in any spelling, or most likely means. */
export function partNamed(key: string, { parts = {} }: Protects): string | undefined {
  return nearest(key, Object.keys(parts));
}

/** What is left of a value that only a guess gave its meaning: a guess may tighten, never loosen. */
export function tightening(value: unknown, protects: Protects): unknown {
  if (protects.whole !== undefined) {
    // Of an object only what it asks for at least is left: its exceptions would loosen.
    const asked = typeof value === "object" && value !== null ? Object(value).preset : value;
    return isLoosest(asked, protects.whole) ? undefined : (asked ?? protects.whole.unread);
  }
  const kept = Object.entries(Object(value)).filter(([key, stated]) => {
    const part = protects.parts[partNamed(key, protects) ?? ""];
    return part !== undefined && !isLoosest(stated, part);
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function isLoosest(value: unknown, { rungs }: Protection): boolean {
  return value === rungs[0];
}

function protection<const Rungs extends readonly string[]>(rungs: Rungs, unread: Rungs[number]): Protection<Rungs> {
  return { rungs, unread };
}

/** A key that is none, and the setting that it most likely means. */
interface WrongKey {
  readonly key: string;
  readonly setting: string;
  /** The value that applies; undefined if it would only loosen. */
  readonly value: unknown;
}

/** A problem that loses nothing: the value that applies is at least as strict as the one that was written. */
export const WRONG_PROTECTION = "config/wrong-protection";

/** Protections with a value that cannot be read, misspelt ones, and those inside another setting. */
export const PROTECTION_PROBLEMS = problems("config", {
  wrongProtection: ({
    key,
    issue,
    counts,
    protects,
  }: {
    key: string;
    issue: Misfit;
    counts: unknown;
    protects: Protects;
  }) => ({
    what: `\`${key}\` is ${gotInWords(issue)}; it has to be ${wantedOf(issue, counts, protects)}. Until then it is read as \`${written(counts)}\`.`,
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
    what: `\`${holder}\` has a key \`${key}\`; \`${setting}\` has to be at the top of the file. ${countingAs(setting, value)}`,
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
  return `Until then it is read as \`${setting}: ${counts}\`.`;
}

function written(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([part, stated]) => `${part}: ${stated}`)
    .join(", ");
}
