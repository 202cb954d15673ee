import { type NameStrength, nameStrength } from "./secret-names.ts";

/** The position of a value that is a secret because of its name. */
export interface NamedSecret {
  readonly start: number;
  readonly end: number;
}

/** Lower-case pieces of which a name of a secret has at least one. */
export const NAME_HINTS: readonly string[] = [
  "pass",
  "pwd",
  "secret",
  "token",
  "key",
  "credential",
  "auth",
  "salt",
  "psk",
  "jwt",
  "dsn",
  ...["wort", "contrasena", "mdp", "senha", "haslo", "woord", "losenord", "adgangskode", "kodeord", "salasana"],
  ...["heslo", "jelszo", "parola", "sifre", "lozinka", "parool"],
];

/** Whether a text contains a name that may belong to a secret; `secrets` and `passes` do not. */
export function hasSecretNames(text: string): boolean {
  for (const { index } of text.matchAll(NAME_PIECE))
    if (nameStrength(nameAround(text, index).text) !== undefined) return true;
  return false;
}

/** Finds values that follow the name of a secret: assignments, settings, attributes, options, pairs of name and value. */
export function namedSecrets(text: string): NamedSecret[] {
  const found: NamedSecret[] = [];
  let seen = 0;
  for (const { index } of text.matchAll(NAME_PIECE)) {
    if (index < seen) continue;
    const name = nameAround(text, index);
    seen = name.end;
    const strength = nameStrength(name.text);
    if (strength === undefined) continue;
    const value = valueAfter(text, name, strength);
    if (value === undefined) continue;
    found.push({ start: value.start, end: value.end });
    seen = value.end;
  }
  return found;
}

const NAME_PIECE = new RegExp(NAME_HINTS.join("|"), "gi");

interface Name {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function nameAround(text: string, at: number): Name {
  let [start, end] = [at, at];
  while (start > 0 && at - start < LONGEST_NAME && isNameLetter(text.charCodeAt(start - 1))) start--;
  while (end < text.length && end - at < LONGEST_NAME && isNameLetter(text.charCodeAt(end))) end++;
  // The end of a sentence is not a part of a name.
  while (end > at && text.charCodeAt(end - 1) === DOT) end--;
  return { text: text.slice(start, end), start, end };
}

const LONGEST_NAME = 60;
const DOT = 46;

/** Letters, digits, and what joins the parts of a name. */
function isNameLetter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45 ||
    code === DOT
  );
}

interface Value {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly isQuoted: boolean;
}

/** How a value follows its name. */
interface Link {
  /** From the end of the name to the beginning of the value. */
  readonly joint: RegExp;
  /** The text directly before the name, if required. */
  readonly before?: RegExp;
  /** Only a value in quotes is accepted. */
  readonly isQuoted?: true;
  /** Only under a name of which anything is a secret. */
  readonly isStrong?: true;
  /** The value may be a bare word: an option or a setting has nothing else. */
  readonly isLiteral?: true;
  /** It may also be an assignment in a program, followed by a variable. */
  readonly isAssigned?: true;
}

const LINKS: readonly Link[] = [
  // --name=value
  { joint: /=/y, before: /(?:^|[\s"'])--?$/, isLiteral: true },
  // NAME=value as the shell and .env files have it, name = "value", name: value, 'name' => 'value', x["name"] = "value", name: Type = "value".
  { joint: /(?<=[A-Z0-9_])=/y, before: /(?:^|[\s;&|"'({/-])$/, isLiteral: true, isAssigned: true },
  { joint: /=(?=[^\s=]{3,256}(?:\r?\n|$))/y, before: /(?:^|\n)$/, isLiteral: true, isAssigned: true },
  {
    joint:
      /\\{0,8}["'`]?\]?(?:\s{0,2}:\s{0,2}[A-Za-z][\w<>[\]?&']{0,30}\s{0,4}=(?!=)|\s{0,4}(?:=>|:=|=(?!=)|:[ \t]{0,4}[|>]-?\r?\n|:))\s{0,8}/y,
  },
  // define("NAME", "value")
  { joint: /\\{0,8}["'`]\s{0,3},\s{0,3}(?=\\{0,8}["'`])/y, before: /\(\s{0,3}\\{0,8}["'`]$/, isQuoted: true },
  // setPassword("value")
  { joint: /\(\s{0,3}(?=\\{0,8}["'`])/y, isQuoted: true, isStrong: true },
  // <add key="name" value="value"/>, <input name="name" value="value">
  {
    joint:
      /\\{0,8}["']\s{1,40}(?:[\w:-]{1,30}\s{0,2}=\s{0,2}["'][^"'<>]{0,80}["']\s{1,40})?[\w:]{0,10}(?:value|content|default)\s{0,2}=\s{0,2}(?=\\{0,8}["'])/y,
  },
  // <name>value</name>, <property name="name"><value>value</value>
  { joint: /(?:\\{0,8}["'])?>\s{0,40}(?:<value>\s{0,20})?(?!<)/y, before: /[<"']$/, isLiteral: true },
  // { "name": "NAME", "value": "value" }, and the same as YAML
  { joint: /\\{0,8}["']\s{0,3},\s{0,20}\\{0,8}["'][Vv]alue\\{0,8}["']\s{0,3}:\s{0,4}/y, isLiteral: true },
  { joint: /\\{0,8}["']?[ \t]{0,4}\r?\n[ \t]{1,40}value:[ \t]{1,4}/y, isLiteral: true },
  // variable "name" { default = "value" }
  { joint: /["']\s{0,3}\{[^{}]{0,300}?\bdefault\s{0,8}=\s{0,3}(?=")/y, isQuoted: true },
  // --name value, /name:value, SET name value, ENV name value, #define name "value"
  { joint: /["']?[ \t]{1,4}(?!--?[a-zA-Z][a-z-]*(?:[\s=]|$))/y, before: /(?:^|[\s"'])--?$/, isLiteral: true },
  {
    joint: /["']?[ \t]{1,4}(?!--?[a-zA-Z][a-z-]*(?:[\s=]|$))/y,
    before: /(?:^|[\s;&|])(?:ENV|setx?(?: -\w{1,4})?|#define|SET)[ \t]{1,4}["']?[\w/.:]{0,80}$/,
    isLiteral: true,
  },
  // PASSWORD 'value'
  { joint: /\s{1,3}(?=')/y, isQuoted: true, isStrong: true },
];

function valueAfter(text: string, name: Name, strength: NameStrength): Value | undefined {
  for (const link of LINKS) {
    if (link.isStrong && strength !== "strong") continue;
    link.joint.lastIndex = name.end;
    if (!link.joint.test(text) || !(link.before?.test(textBefore(text, name)) ?? true)) continue;
    const value = valueAt(text, link.joint.lastIndex);
    if (value !== undefined && (value.isQuoted || !link.isQuoted) && isSecret(value, link, strength, name, text))
      return value;
  }
  return undefined;
}

/** What leads to a name; an option's dashes belong to the letters of the name. */
function textBefore(text: string, name: Name): string {
  const dashes = /^-{1,2}/.exec(name.text)?.[0].length ?? 0;
  return text.slice(Math.max(0, name.start - MAX_BEFORE), name.start + dashes);
}

const MAX_BEFORE = 110;

function valueAt(text: string, at: number): Value | undefined {
  QUOTE.lastIndex = at;
  const [prefix = "", quote = ""] = QUOTE.exec(text) ?? [];
  if (quote !== "") {
    const start = at + prefix.length;
    const end = closing(text, start, quote);
    return end < 0 ? undefined : { start, end, text: text.slice(start, end), isQuoted: true };
  }
  PLAIN.lastIndex = at;
  const [found = ""] = PLAIN.exec(text) ?? [];
  return found === "" ? undefined : { start: at, end: at + found.length, text: found, isQuoted: false };
}

/** A quote that was written into another text ends with one that was written the same way. */
function closing(text: string, start: number, quote: string): number {
  const line = text.slice(start, start + LONGEST_VALUE).split(/[\r\n]/, 1)[0] ?? "";
  for (let at = line.indexOf(quote); at >= 0; at = line.indexOf(quote, at + 1))
    if (quote.length > 1 || line[at - 1] !== "\\" || at === 0) return start + at;
  return -1;
}

const QUOTE = /[fFrRbBuU@$]{0,2}(\\{0,8}["'`])/y;
/** Up to a blank, a quote or a bracket; a `&` ends it where another name follows. */
const PLAIN = /(?:[^\s"'`,;<>(){}[\]|&\\]|&(?!\w{1,40}=)|\\(?![nrt"'`\\])){1,512}/y;
const LONGEST_VALUE = 1024;

function isSecret(value: Value, link: Link, strength: NameStrength, name: Name, whole: string): boolean {
  const { text } = value;
  if (text.length < 3 || /\s/.test(text) || REFERENCE.test(text) || PLACEHOLDER().test(text)) return false;
  if (strength === "weak") return looksRandom(text);
  const hasSign = /[^A-Za-z_]/.test(text);
  if (strength === "medium") {
    if (looksRandom(text) || isLiteralWord(value, link, name)) return true;
    if (text.length < 8 || PATH.test(text) || CODE().test(text)) return false;
    return /\d/.test(text) && (value.isQuoted || isWholeWord(whole, value.end));
  }
  if (value.isQuoted)
    return (
      text.length >= (hasSign ? 3 : 4) &&
      !DOTTED.test(text) &&
      !LABEL().test(text) &&
      (!PATH.test(text) || looksRandom(text))
    );
  if (isLiteralWord(value, link, name)) return true;
  // In a connection string, a semicolon ends it.
  const isWhole = isWholeWord(whole, value.end) || (whole[value.start - 1] === "=" && whole[value.end] === ";");
  if (looksRandom(text) && isWhole) return true;
  if (!hasSign || PATH.test(text) || CODE().test(text) || IDENTIFIER.test(text)) return false;
  return isWhole;
}

/** A bare word at a place where only a value is possible. */
function isLiteralWord({ text }: Value, { isLiteral, isAssigned }: Link, { text: name }: Name): boolean {
  if (
    !isLiteral ||
    text.length < 4 ||
    PATH.test(text) ||
    LABEL().test(text) ||
    DOTTED.test(text) ||
    /^\d{1,6}$/.test(text)
  )
    return false;
  return !isAssigned || name === name.toUpperCase() || looksRandom(text) || !CODE().test(text);
}

/** After the value of a setting there is only the end of its line, the next parameter or a quote. */
function isWholeWord(whole: string, end: number): boolean {
  return end >= whole.length || /[\s"'`&<\\,]/.test(whole[end] ?? "");
}

/** A value that only names where the secret comes from. */
export const REFERENCE =
  /^(?:\$[A-Za-z_{(]|<[\w -]{0,40}>?$|\{\{|\$\{\{|%\w+%$|%\(|process\.env|os\.environ|env\(|ENV\[|\*{3,}|\[redacted:|!\w|x{3,}$|\.{3}|\u2026|\?)/;
const PLACEHOLDER = () =>
  /^(?:your|my|the|some|example|sample|insert|enter|replace)[-_ ]?[a-z_-]*(?:password|secret|token|key|here)/i;
/** Words that forms, types and schemas have instead of a value. */
const LABEL = () =>
  /^(?:string|text|str|required|optional|none|null|nil|true|false|undefined|unknown|number|boolean|bool|int|any|object|varchar|hidden|visible|current-password|new-password|(?:[a-z]+[_-]?){0,4}(?:password|passwd|secret|key|token|field|input|error|name|label)s?)$/i;
const PATH = /^(?:\.{0,2}\/|~\/|[A-Za-z]:\\|file:|https?:\/\/[^@]*$)/;
/** `request.body.password`, `errors.password.tooShort`. */
const DOTTED = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/;
/** A name, a chain of names, or the beginning of a call. */
const CODE = () => /^(?:await|new|typeof|function|async)?[A-Za-z_$][A-Za-z_$]*(?:\??\.[\w$]+)*[!?]?$/;
const IDENTIFIER = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/;

/** A mix of letters that neither a word nor a name made of words has. */
export function looksRandom(text: string): boolean {
  if (text.length < 12 || /\s|^\w+:\/\/|\.\w{1,4}$/.test(text)) return false;
  let [count, changes, before] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const sort = sortOf(text.charCodeAt(at));
    if (sort !== 0) count++;
    // A capital letter before small ones begins a word.
    if (sort !== 0 && before !== 0 && sort !== before && !(before === UPPER && sort === LOWER)) changes++;
    before = sort;
  }
  if (count >= 10 && changes / count >= 0.22) return true;
  if (/^(?=.*\d)(?=.*[a-f])[0-9a-f]{16,}$/i.test(text)) return true;
  if (count >= 20 && changes >= 4 && /^(?=.*[a-z])(?=.*[A-Z])(?:\D*\d){4}/.test(text)) return true;
  if (!/[bcdfghjklmnpqrstvwxz]{5}/i.test(text)) return false;
  return /^[a-z]{16,}$/i.test(text) || /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w+/-]{24,}={0,2}$/.test(text);
}

const [LOWER, UPPER, DIGIT] = [1, 2, 3];

function sortOf(code: number): number {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  return code >= 48 && code <= 57 ? DIGIT : 0;
}
