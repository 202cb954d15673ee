import { BIGRAMS, bigramOf, HINT_BIGRAMS, SECRET_BIGRAMS, type SecretBigrams } from "./bigram-filter.ts";
import { mayNameSecret, namesSecret } from "./secret-names.ts";
import { type Span, withoutArguments, withoutEscaped, withoutPieces } from "./secret-pieces.ts";
import { SECRET_SHAPES, type SecretShapeName } from "./secret-shapes.ts";
import { withField } from "./shorten.ts";

/** Takes secrets out of values and texts before they are written down. */
export interface Redactor {
  /** A copy of a JSON value. */
  value(value: unknown): unknown;
  text(text: string): string;
  /** Whether nothing in a short JSON text can be a secret; "no" may be wrong. */
  isPlain(json: string): boolean;
}

/** A redactor that also knows these exact secrets, wherever they stand. */
export function redactor(secrets: readonly string[] = []): Redactor {
  const cleaner = (whole: string) => {
    const exact = secrets.map(spellings).filter((spelt) => spelt.some((one) => whole.includes(one)));
    return cleanWith(foundIn(whole), exact.flat());
  };
  return {
    text: (text) => cleaner(text)(text),
    value: (value) => cleaned(value, undefined, cleaner(textsIn(value).join("\n"))),
    isPlain: (json) =>
      !ESCAPED_OR_QUOTED.test(json) &&
      shapesIn(json).length === 0 &&
      !secrets.some((secret) => spellings(secret).some((one) => json.includes(one))) &&
      !hasSecretName(json),
  };
}

/** In a text without any escaped sign: there, whatever a colon follows in quotes is a name. */
function hasSecretName(json: string): boolean {
  for (let at = json.indexOf(NAME_END); at >= 0; at = json.indexOf(NAME_END, at + 1)) {
    const name = json.slice(json.lastIndexOf('"', at - 1) + 1, at);
    if (mayNameSecret(name) || namesSecret(name)) return true;
  }
  return false;
}

const NAME_END = '":';

/** All texts of a value, its keys too. */
function textsIn(value: unknown, texts: string[] = []): string[] {
  if (typeof value === "string") texts.push(value);
  else if (Array.isArray(value)) for (const item of value) textsIn(item, texts);
  else if (typeof value === "object" && value !== null)
    for (const name of Object.keys(value)) {
      texts.push(name);
      textsIn(value[name as keyof typeof value], texts);
    }
  return texts;
}

/** The kinds of which there is one somewhere: the end of a line stands for the end of a text. */
function foundIn(whole: string): readonly SecretBigrams[] {
  return shapesIn(whole).filter(({ kind }) => whole.search(SECRET_SHAPES[kind].shape) >= 0);
}

/** The values of variables that hold credentials, by their names. */
export function secretsIn(env: Readonly<Record<string, string | undefined>>): string[] {
  const found = new Set<string>();
  for (const name of Object.keys(env)) {
    if (!mayNameSecret(name)) continue;
    const { [name]: value = "" } = env;
    if (value.length >= SHORTEST && !NO_SECRET.test(value)) found.add(value);
  }
  return found.size < 2 ? [...found] : [...found].sort((one, other) => other.length - one.length);
}

type Clean = (text: string) => string;

/** Looks for the hints of all kinds in everything at once; most events hold none. */
function shapesIn(whole: string): readonly SecretBigrams[] {
  const low = whole.toLowerCase();
  const pairs = SEEN.fill(0);
  let before = 0;
  let run = 0;
  let longest = 0;
  for (let at = 0; at < low.length; at++) {
    const letter = low.charCodeAt(at);
    pairs[bigramOf(before, letter)] = 1;
    before = letter;
    run = isLetterOrDigit(letter) ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return possible(pairs, longest).filter(({ hints }) => isHinted(hints, low));
}

/** Of small letters. */
function isLetterOrDigit(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}

/** The kinds of which a hint can be there: all of its pairs of letters are, and letters enough in a row. */
function possible(pairs: Uint8Array, longest: number): SecretBigrams[] {
  const found: SecretBigrams[] = [];
  for (let [at, kind] = [0, 0]; at < HINT_BIGRAMS.length; kind++) {
    let isPossible = false;
    const isLong = (HINT_BIGRAMS[at++] as number) <= longest;
    for (let hints = HINT_BIGRAMS[at++] as number; hints > 0; hints--) {
      const end = at + (HINT_BIGRAMS[at] as number) + 1;
      let next = at + 1;
      while (next < end && pairs[HINT_BIGRAMS[next] as number] === 1) next++;
      if (next === end) isPossible = true;
      at = end;
    }
    if (isPossible && isLong) found.push(SECRET_BIGRAMS[kind] as SecretBigrams);
  }
  return found;
}

const SEEN = new Uint8Array(BIGRAMS);

function markOf(kind: string): string {
  return `${REDACTION_MARK}${kind}]`;
}

/** How the mark of a secret begins that was taken out. */
export const REDACTION_MARK = "[redacted:";

const OF_ARGUMENTS: ReadonlySet<SecretShapeName> = new Set([
  "authorization_header",
  "basic_credentials",
  "bearer_token",
  "cookie",
  "curl_user",
  "key_header",
  "login_password",
  "password_option",
]);

/** The same short words stand in a record again and again: what became of them is remembered as long as it is looked at. */
function cleanWith(rows: readonly SecretBigrams[], exact: readonly string[]): Clean {
  if (rows.length + exact.length === 0) return withoutHidden;
  const known = new Map<string, string>();
  const clean = (text: string) => {
    let clean = text;
    for (const secret of exact) if (clean.includes(secret)) clean = clean.replaceAll(secret, ENVIRONMENT);
    const low = rows.length === 0 ? "" : clean.toLowerCase();
    for (const { kind, hints } of rows)
      if (isHinted(hints, low))
        clean = clean.replace(SECRET_SHAPES[kind].shape, (...found) => kept(found.at(-1)) + markOf(kind));
    return withoutHidden(clean);
  };
  return (text) => {
    const cleaned = known.get(text) ?? clean(text);
    if (text.length <= SHORT) known.set(text, cleaned);
    return cleaned;
  };
}

/** Secrets in pieces, or inside of another text. */
function withoutHidden(text: string): string {
  return QUOTED.test(text) ? withoutPieces(withoutEscaped(text, secretsOf), wholeSecretsIn) : text;
}

function secretsOf(text: string): Span[] {
  return spansIn(text, shapesIn(text));
}

/** Secrets that are known by their own shape, wherever they stand. */
function wholeSecretsIn(text: string): Span[] {
  return spansIn(
    text,
    shapesIn(text).filter(({ kind }) => !SECRET_SHAPES[kind].shape.source.includes("(?<keep>")),
  );
}

/** Secrets that stand behind an option or the name of a header. */
function argumentsIn(text: string): Span[] {
  return spansIn(
    text,
    shapesIn(text).filter(({ kind }) => OF_ARGUMENTS.has(kind)),
  );
}

function spansIn(text: string, rows: readonly SecretBigrams[]): Span[] {
  return rows.flatMap(({ kind }) =>
    [...text.matchAll(SECRET_SHAPES[kind].shape)].map(({ index, 0: found, groups }) => ({
      start: index + kept(groups).length,
      end: index + found.length,
      mark: markOf(kind),
    })),
  );
}

function isHinted(hints: readonly string[], low: string): boolean {
  for (const hint of hints) if (low.includes(hint)) return true;
  return false;
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
  if (Array.isArray(value)) {
    const items = value.map((item) => cleaned(item, key, clean));
    return items.length > 1 && items.every(isText) ? withoutArguments(items, argumentsIn) : items;
  }
  if (typeof value !== "object" || value === null) return value;
  const copy = {};
  for (const name of Object.keys(value))
    withField(copy, clean(name), cleaned(value[name as keyof typeof value], name, clean));
  return copy;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
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
function spellings(secret: string): readonly string[] {
  const known = SPELLINGS.get(secret);
  if (known !== undefined) return known;
  if (SPELLINGS.size >= MOST_SPELLINGS) SPELLINGS.clear();
  const encoded = /^[\x20-\x7e]*$/.test(secret) ? [btoa(secret).replace(/=+$/, ""), encodeURIComponent(secret)] : [];
  const spelt = [...new Set([secret, JSON.stringify(secret).slice(1, -1), ...encoded])];
  SPELLINGS.set(secret, spelt);
  return spelt;
}

/** A user's secrets are the same from call to call. */
const SPELLINGS = new Map<string, readonly string[]>();
const MOST_SPELLINGS = 200;

/** Only such a text may hold secrets in pieces, or inside of another text. */
const QUOTED = /["'`\\]/;
/** The same inside of JSON, which has quotes of its own. */
const ESCAPED_OR_QUOTED = /['`\\]/;
const SHORT = 200;
const ENVIRONMENT = "[redacted:environment]";
const SHORTEST = 8;
/** Paths, switches, numbers and plain words are worth nothing to a thief. */
const NO_SECRET = /^(?:[/~.].*|[A-Za-z]{1,20}|\d{1,12})$/;
const REFERENCE = /^(?:\$|<|\{\{|%\w+%$|process\.env)/;
