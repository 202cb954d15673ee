import type { CallPlace } from "../effect.ts";
import { hasKey, isKeyName, keyKindIn } from "../key-shapes.ts";
import { GAP, type Word } from "../parse/command.ts";
import { isOutside } from "../path-class.ts";
import { isSecretFile } from "../programs/secret-files.ts";

/**
 * What of keys and passwords a file holds, in a few words: by its content if that can be read, else by its name. Undefined if it holds
 * none. The stores of the user's own keys outside of the project count by their names.
 */
export function keysIn(path: Word, place: CallPlace): string | undefined {
  if (isKeyFile(path, place)) return foundIn(path, place) ?? BY_NAME;
  return isSecretFile(path.text) || !mayBeNotes(path) ? undefined : keyKindIn(textOf(path, place) ?? "");
}

/** Whether a file holds keys or passwords. */
export function holdsKeys(path: Word, place: CallPlace): boolean {
  return keysIn(path, place) !== undefined;
}

/** The same for what leaves the machine: there a name that may mean keys is enough if the content cannot be read. */
export function mayHoldKeys(path: Word, place: CallPlace): boolean {
  return holdsKeys(path, place) || (isSecretFile(path.text) && textOf(path, place) === undefined);
}

/**
 * Whether a file with such a name holds keys or passwords. A file whose name means settings as often holds them if a login is in it; one that
 * cannot be read does not. What a package manager logs in with, outside of the project, counts until its text says otherwise.
 */
export function isKeyFile(path: Word, place: CallPlace): boolean {
  if (!isSecretFile(path.text)) return false;
  const [, , variables, logins] = MIXED().exec(path.text) ?? [undefined, undefined, "none"];
  const given = textOf(path, place);
  if (variables !== "none") {
    if (isOutside(path, place) && (variables !== undefined || (logins !== undefined && given === undefined)))
      return true;
    const text = (given ?? "").replaceAll(REFERENCE, "=");
    return hasKey(text) || (variables === undefined && LOGIN().test(text));
  }
  // What cannot be read as a whole may hold anything.
  if (given === undefined || given.length >= MAX_TEXT || isOutside(path, place)) return true;
  if (hasKey(given)) return true;
  const [kind] = KINDS.find(([, fits]) => fits.test(path.text)) ?? ["other"];
  switch (kind) {
    case "code":
    case "fixture":
      return false;
    case "key":
      return !PUBLIC.test(given);
    case "translation":
    case "settings":
      return secretNameIn(given, kind === "translation") !== undefined;
    case "other":
      return true;
  }
}

/** The text of a file as it is now; undefined if the disk was not asked, or the file is no text. */
function textOf({ text, isGlob }: Word, place: CallPlace): string | undefined {
  if (place.textAt === undefined || isGlob || text.includes(GAP)) return undefined;
  const known = TEXTS.get(place) ?? new Map<string, string | undefined>();
  TEXTS.set(place, known);
  if (!known.has(text)) known.set(text, known.size < MAX_FILES ? place.textAt(text) : undefined);
  return known.get(text);
}

/** Several labels ask about one file of a call. */
const TEXTS = new WeakMap<CallPlace, Map<string, string | undefined>>();
const MAX_FILES = 8;
/** As much of a file is read at most. */
const MAX_TEXT = 64 * 1024;

function foundIn(path: Word, place: CallPlace): string | undefined {
  const text = textOf(path, place);
  if (text === undefined) return undefined;
  const name = secretNameIn(text, false);
  return keyKindIn(text) ?? (name === undefined ? undefined : `\`${name}\``);
}

/** The first name in a text whose value is a key or a password; in translations a value of one word is one. */
function secretNameIn(text: string, isTranslation: boolean): string | undefined {
  for (const [, name = "", value = ""] of text.matchAll(ENTRY)) {
    if (PLACEHOLDER.test(value)) continue;
    const isRandom = /\d/.test(value) && /[a-z]/i.test(value);
    if (isTranslation ? isRandom && NAMED.test(name) : NAMED.test(name) || isKeyName(name)) return name;
    if (isRandom && value.length >= 24 && /[A-Z]/.test(value) && /[a-z]/.test(value) && !/[:/\\ ]/.test(value))
      return name;
    if (/^[a-z][a-z+]*:\/\/[^\s/:@]*:[^\s/@]+@/i.test(value)) return name;
  }
  return undefined;
}

/** Whether a name may be one of notes, settings or logs, in which a key may have been put: no code, and nothing made for tests. */
function mayBeNotes({ text }: Word): boolean {
  return NOTES.test(text) && !FOR_TESTS.test(text) && !MADE.test(text);
}

const BY_NAME = "keys or passwords";
/** Settings of tools, variables for tests, and settings of package managers with the login to their registry. */
const MIXED = () =>
  /(?:^|\/)(?:(pip\.conf|settings\.xml|nuget\.config|gradle\.properties|\.terraformrc|\.aws\/config)|(\.env\.(?:test|testing|ci|e2e))|(\.npmrc|\.yarnrc(?:\.yml)?))$/i;
/** What is to be taken from a variable is not in the file. */
const REFERENCE = /[=:>]\s*["']?\$\{[\w.:-]+\}/g;
const LOGIN = () =>
  /(?:_auth(?:Token)?|_password|npmAuth(?:Token|Ident)|passw\w*|passphrase|token|secret\w*|api_?key|private_?key|credential\w*)["']?\s*[=:>]\s*["']?[^\s"'<]|:\/\/[^\s/:@]{1,100}:[^\s/@]{1,200}@/i;

const FOR_TESTS =
  /(?:^|\/)(?:(?:test[-_])?fixtures?|testdata|tests?|__(?:tests|mocks|fixtures)__|spec|e2e|mocks?|examples?|samples?|docs?)\//i;
const MADE =
  /(?:^|\/)(?:node_modules|dist|build|vendor|\.git)\/|(?:package-lock|pnpm-lock|npm-shrinkwrap|composer)\.\w+$/;
/** How a name says what its content decides; the first that fits applies. */
const KINDS: readonly (readonly ["code" | "fixture" | "translation" | "key" | "settings", RegExp])[] = [
  ["code", /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|swift|php|cs|c|h|cpp|hpp|scala|vue|svelte|md|mdx|css|scss|html?)$/i],
  ["fixture", FOR_TESTS],
  ["translation", /(?:^|\/)(?:locales?|i18n|l10n|lang|languages?|translations?|messages|intl)\//i],
  ["key", /\.(?:pem|key|p8)$/i],
  ["settings", /\.env(?:rc)?(?:\.[\w.-]+)?$|\.(?:json|ya?ml|toml|txt|ini|properties|conf|xml|csv|vars|tfvars)$/i],
];
/** A certificate or the public half of a key, or a type with the name of one. */
const PUBLIC = /^\s*-----BEGIN (?:CERTIFICATE|PUBLIC KEY|X509 CRL)|^\s*(?:export|import|interface|type|class|const)\s/m;
/** A name and its value on one line, as variables, JSON, YAML and INI have them. */
const ENTRY =
  /^[^\S\n]*(?:export\s+|[-{,]\s*)*["']?([\w.-]{2,80})["']?[^\S\n]*[=:][^\S\n]*["']?([^\s"',#}][^\s"',}]{3,400})["']?/gm;
const NAMED =
  /passw|passphrase|secret|token|api[-_]?key|private[-_]?key|access[-_]?key|credential|client[-_]?id[-_]?secret|_key$|^key$|^pass$|_pass$|_pw$|auth$/i;
const PLACEHOLDER =
  /^(?:\$|<|%|\{|\[|xxx|\*+|\.\.\.|your|my-|change|replace|example|dummy|fake|placeholder|todo|none$|null$|true$|false$|undefined$|string$|https?:\/\/[^@]*$)/i;
const NOTES =
  /(?:^|\/)[^./][^/.]*$|\.(?:txt|log|json|ya?ml|toml|ini|conf|cfg|config|csv|xml|properties|bak|old|orig|sql|text|rtf|env|out)$/i;
