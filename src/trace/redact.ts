import { mayNameSecret, namesSecret } from "./secret-names.ts";
import { SECRET_SHAPES } from "./secret-shapes.ts";

/** Takes secrets out of values and texts before they are written down. */
export interface Redactor {
  /** A copy of a JSON value. */
  value(value: unknown): unknown;
  text(text: string): string;
}

/** A redactor that also knows these exact secrets, wherever they stand. */
export function redactor(secrets: readonly string[] = []): Redactor {
  const exact = secrets.flatMap(spellings);
  const cleaner = (whole: string) => cleanWith(shapesIn(whole), exact);
  return {
    text: (text) => cleaner(text)(text),
    value: (value) => cleaned(value, undefined, cleaner(JSON.stringify(value) ?? "")),
  };
}

/** The values of variables that hold credentials, by their names. */
export function secretsIn(env: Readonly<Record<string, string | undefined>>): string[] {
  const found = Object.entries(env).flatMap(([name, value = ""]) =>
    value.length >= SHORTEST && mayNameSecret(name) && !NO_SECRET.test(value) ? [value] : [],
  );
  return [...new Set(found)].sort((one, other) => other.length - one.length);
}

type Clean = (text: string) => string;

/** Looks for the hints of all kinds in everything at once; most events hold none. */
function shapesIn(whole: string): readonly Row[] {
  const low = whole.toLowerCase();
  const pairs = new Uint8Array(PAIRS);
  let before = 0;
  for (let at = 0; at < low.length; at++) {
    const letter = low.charCodeAt(at);
    pairs[pairOf(before, letter)] = 1;
    before = letter;
  }
  return ROWS.filter(({ hints }) => hints.some((hint) => mayHold(hint, pairs) && low.includes(hint)));
}

/** A hint can only be where all of its pairs of letters are. */
function mayHold(hint: string, pairs: Uint8Array): boolean {
  for (let at = 1; at < hint.length; at++)
    if (pairs[pairOf(hint.charCodeAt(at - 1), hint.charCodeAt(at))] === 0) return false;
  return true;
}

function pairOf(one: number, other: number): number {
  return ((one << 7) ^ other) & (PAIRS - 1);
}

const PAIRS = 2 ** 14;

interface Row {
  readonly hints: readonly string[];
  readonly regex: () => RegExp;
  readonly mark: string;
}

const ROWS: readonly Row[] = Object.entries(SECRET_SHAPES).map(([kind, row]) => ({
  hints: row.hints,
  regex: () => row.shape,
  mark: `[redacted:${kind}]`,
}));

function cleanWith(rows: readonly Row[], exact: readonly string[]): Clean {
  return (text) => {
    let clean = text;
    for (const secret of exact) if (clean.includes(secret)) clean = clean.replaceAll(secret, ENVIRONMENT);
    for (const { regex, mark } of rows) clean = clean.replace(regex(), (...found) => kept(found.at(-1)) + mark);
    return clean;
  };
}

/** A shape with something to keep names it; one without has no groups, and the last argument is the whole text. */
function kept(groups: unknown): string {
  return typeof groups === "object" && groups !== null && "keep" in groups ? String(groups.keep ?? "") : "";
}

function cleaned(value: unknown, key: string | undefined, clean: Clean): unknown {
  if (typeof value === "string") {
    const text = clean(value);
    return key !== undefined && text === value && isSecretUnder(key, value) ? "[redacted:key]" : text;
  }
  if (Array.isArray(value)) return value.map((item) => cleaned(item, key, clean));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [clean(name), cleaned(item, name, clean)]));
}

/** Under `password` anything is a secret; under `token` only what looks random. */
function isSecretUnder(key: string, value: string): boolean {
  if (value === "" || value.startsWith("[redacted:") || REFERENCE.test(value)) return false;
  if (namesSecret(key)) return true;
  return mayNameSecret(key) && value.length >= 16 && !/\s/.test(value) && /\d/.test(value) && entropy(value) >= 3;
}

/** Bits per character. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** A secret also as it stands in an address, in base64 and inside quoted text. */
function spellings(secret: string): string[] {
  const encoded = /^[\x20-\x7e]*$/.test(secret) ? [btoa(secret).replace(/=+$/, ""), encodeURIComponent(secret)] : [];
  return [...new Set([secret, JSON.stringify(secret).slice(1, -1), ...encoded])];
}

const ENVIRONMENT = "[redacted:environment]";
const SHORTEST = 8;
/** Paths, switches, numbers and plain words are worth nothing to a thief. */
const NO_SECRET = /^(?:[/~.].*|[A-Za-z]{1,20}|\d{1,12})$/;
const REFERENCE = /^(?:\$|<|\{\{|%\w+%$|process\.env)/;
