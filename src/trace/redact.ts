import { oncePerText } from "../event/once.ts";
import { looksRandom, REFERENCE } from "./named-secrets.ts";
import { nameStrength } from "./secret-names.ts";
import {
  replaced,
  type Span,
  withoutArguments,
  withoutEncoded,
  withoutEscaped,
  withoutPieces,
} from "./secret-pieces.ts";
import {
  BIGRAMS,
  bigramOf,
  HINT_BIGRAMS,
  SECRET_BIGRAMS,
  SECRET_SHAPES,
  type SecretBigrams,
  type SecretShapeName,
} from "./secret-shapes.ts";
import { withField } from "./shorten.ts";

/** Takes secrets out of values and texts before they are written down. */
export interface Redactor {
  /** A copy of a JSON value. */
  value(value: unknown): unknown;
  text(text: string): string;
  /** Whether nothing in a short JSON text can be a secret; "no" may be wrong. */
  isPlain(json: string): boolean;
}

/** A redactor that also removes these exact secrets, wherever they are. */
export function redactor(secrets: readonly string[] = []): Redactor {
  const cleaner = (whole: string) => {
    const exact = secrets.map(spellings).filter((spelt) => spelt.some((one) => whole.includes(one)));
    const rows = foundIn(whole);
    return cleanWith(rows, exact.flat(), longestRun >= LONG ? withoutEncodedHidden : withoutHidden);
  };
  return {
    text: (text) => cleaner(text)(text),
    value: (value) => cleaned(value, undefined, cleaner(textsIn(value).join("\n"))),
    isPlain: (json) =>
      !ESCAPED_OR_QUOTED.test(json) &&
      !shapesIn(json).some(({ kind }) => SECRET_SHAPES[kind].mayBeIn(json)) &&
      longestRun < SHORTEST_ENCODED &&
      !secrets.some((secret) => spellings(secret).some((one) => json.includes(one))) &&
      !hasSecretName(json),
  };
}

/** In a text without any escaped sign: there, whatever a colon follows in quotes is a name. */
function hasSecretName(json: string): boolean {
  for (let at = json.indexOf(NAME_END); at >= 0; at = json.indexOf(NAME_END, at + 1)) {
    const name = json.slice(json.lastIndexOf('"', at - 1) + 1, at);
    if (nameStrength(name) !== undefined) return true;
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

/** The kinds of which there is one somewhere: the end of a line is treated as the end of a text. */
function foundIn(whole: string): readonly SecretBigrams[] {
  return shapesIn(whole).filter(({ kind }) => SECRET_SHAPES[kind].isIn(whole));
}

/** The values of variables that hold credentials, by their names. */
export function secretsIn(env: Readonly<Record<string, string | undefined>>): string[] {
  const found = new Set<string>();
  for (const name of Object.keys(env)) {
    if (nameStrength(name) === undefined) continue;
    const { [name]: value = "" } = env;
    if (value.length >= SHORTEST && !NO_SECRET.test(value)) found.add(value);
  }
  return found.size < 2 ? [...found] : [...found].sort((one, other) => other.length - one.length);
}

type Clean = (text: string) => string;

/** The longest run of letters and digits in the text that was searched last. */
let longestRun = 0;
/** What is shorter in base64 than the id of a call is not decoded if nothing else suggests a secret. */
const SHORTEST_ENCODED = 25;

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
  longestRun = longest;
  return hinted(low, pairs, longest);
}

/** Of small letters. */
function isLetterOrDigit(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}

/** The kinds of which a hint is there; most hints lack a pair of letters, and are not looked for. */
function hinted(low: string, pairs: Uint8Array, longest: number): SecretBigrams[] {
  const found: SecretBigrams[] = [];
  for (let [at, kind] = [0, 0]; at < HINT_BIGRAMS.length; kind++) {
    const row = SECRET_BIGRAMS[kind] as SecretBigrams;
    let isHinted = (HINT_BIGRAMS[at++] as number) > longest;
    const isShort = isHinted;
    const count = HINT_BIGRAMS[at++] as number;
    for (let hint = 0; hint < count; hint++) {
      const end = at + (HINT_BIGRAMS[at] as number) + 1;
      if (!isHinted) {
        let next = at + 1;
        while (next < end && pairs[HINT_BIGRAMS[next] as number] === 1) next++;
        isHinted = next === end && low.includes(row.hints[hint] as string);
      }
      at = end;
    }
    if (isHinted && !isShort) found.push(row);
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
  "command_password",
  "cookie",
  "curl_user",
  "key_header",
  "named_value",
  "user_password",
]);

/** The same short texts occur in a record again and again: their results are cached while it is processed. */
function cleanWith(rows: readonly SecretBigrams[], exact: readonly string[], last: Clean): Clean {
  if (rows.length + exact.length === 0) return last;
  const known = new Map<string, string>();
  const clean = (text: string) => {
    let clean = text;
    for (const secret of exact) if (clean.includes(secret)) clean = clean.replaceAll(secret, ENVIRONMENT);
    const low = rows.length === 0 ? "" : clean.toLowerCase();
    for (const { kind, hints } of rows) if (isHinted(hints, low)) clean = replaced(clean, spansOf(clean, kind));
    return last(clean);
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

/** The same where a text is long enough to be another one in base64 or in hexadecimal digits. */
function withoutEncodedHidden(text: string): string {
  return withoutHidden(text.length < LONG ? text : withoutEncoded(text, secretsOf));
}

function secretsOf(text: string): Span[] {
  return spansIn(text, shapesIn(text));
}

/** Secrets that are recognised by their own shape, wherever they are. */
function wholeSecretsIn(text: string): Span[] {
  return spansIn(
    text,
    shapesIn(text).filter(({ kind }) => !SECRET_SHAPES[kind].isTold),
  );
}

/** Secrets that follow an option or the name of a header. */
function argumentsIn(text: string): Span[] {
  return spansIn(
    text,
    shapesIn(text).filter(({ kind }) => OF_ARGUMENTS.has(kind)),
  );
}

function spansIn(text: string, rows: readonly SecretBigrams[]): Span[] {
  return rows.flatMap(({ kind }) => spansOf(text, kind));
}

function spansOf(text: string, kind: SecretShapeName): Span[] {
  const mark = markOf(kind);
  return SECRET_SHAPES[kind].spans(text).map(({ start, end }) => ({ start, end, mark }));
}

function isHinted(hints: readonly string[], low: string): boolean {
  for (const hint of hints) if (low.includes(hint)) return true;
  return false;
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
  const told = toldName(value);
  for (const name of Object.keys(value)) {
    const key = told !== undefined && VALUE_FIELD.test(name) ? told : name;
    withField(copy, clean(name), cleaned(value[name as keyof typeof value], key, clean));
  }
  return copy;
}

/** The name in `{ name: "DB_PASSWORD", value: "…" }`. */
function toldName(value: object): string | undefined {
  for (const field of NAME_FIELDS) {
    const name = value[field as keyof typeof value] as unknown;
    if (typeof name === "string" && nameStrength(name) !== undefined) return name;
  }
  return undefined;
}

const NAME_FIELDS = ["name", "key", "Name", "Key", "header", "variable"];
const VALUE_FIELD = /^(?:[vV]alue|content)$/;

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Under `password` anything is a secret, under `token` what has a digit and no blank, under `key` what looks random. */
function isSecretUnder(key: string, value: string): boolean {
  if (value === "" || REFERENCE.test(value)) return false;
  const strength = nameStrength(key);
  if (strength === undefined || strength === "strong") return strength === "strong";
  return looksRandom(value) || (strength === "medium" && value.length >= 12 && /^(?=.*\d)[^\s/]+$/.test(value));
}

/** A secret also in the form it has in a URL, in base64 and inside quoted text. */
const spellings = oncePerText((secret: string): readonly string[] => {
  const encoded = /^[\x20-\x7e]*$/.test(secret) ? [btoa(secret).replace(/=+$/, ""), encodeURIComponent(secret)] : [];
  const spelt = [...new Set([secret, JSON.stringify(secret).slice(1, -1), ...encoded])];
  return spelt;
});

/** Only such a text may hold secrets in pieces, or inside of another text. */
const QUOTED = /["'`\\]|%[0-9a-fA-F]{2}|&(?:#|quot|amp|lt|apos)/;
/** The same inside of JSON, which has quotes of its own. */
const ESCAPED_OR_QUOTED = /['`\\]|%[0-9a-fA-F]{2}|&(?:#|quot|amp|lt|apos)/;
/** Letters side by side of which a text in base64 has some. */
const LONG = 16;
const SHORT = 200;
const ENVIRONMENT = "[redacted:environment]";
const SHORTEST = 8;
/** Paths, options, numbers and plain words are not secrets. */
const NO_SECRET = /^(?:[/~.].*|[A-Za-z]{1,20}|\d{1,12})$/;
