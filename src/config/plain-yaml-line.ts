import { decimalOf } from "./plain-text.ts";
import type { Tree } from "./tree.ts";

type Scalar = string | number | boolean | null;

/** Something that was read, and where it ends. */
interface Found<Value> {
  readonly value: Value;
  readonly end: number;
}

/** The first place from `at` on that is no space, or `end`. */
export function afterSpaces(text: string, at: number, end: number): number {
  while (at < end && text.charCodeAt(at) === SPACE) at++;
  return at;
}

/** Is there nothing but a comment left of the line? What stands before `at` has to be a space or nothing. */
export function isOver(text: string, at: number, end: number): boolean {
  return at >= end || text[at] === "#";
}

/** The key at `at`, up to and with its colon; keys that need a closer look are none. */
export function keyAt(text: string, at: number, end: number): Found<string> | undefined {
  const found = isQuote(text[at]) ? quotedAt(text, at, end) : nameAt(text, at, end);
  if (found === undefined || found.end - at > LONGEST_KEY || text[found.end] !== ":") return undefined;
  const after = found.end + 1;
  return after === end || text[after] === " " ? { value: found.value, end: after } : undefined;
}

/** The value that fills the line from `at` on, save for a comment. */
export function valueAt(text: string, at: number, end: number): Tree | undefined {
  const found = collectionAt(text, at, end) ?? scalarAt(text, at, end, false);
  if (found === undefined) return undefined;
  const rest = afterSpaces(text, found.end, end);
  return rest === end || (rest > found.end && text[rest] === "#") ? found.value : undefined;
}

function nameAt(text: string, at: number, end: number): Found<string> | undefined {
  let stop = at;
  while (stop < end && isNameCharacter(text.charCodeAt(stop), stop > at)) stop++;
  const value = text.slice(at, stop);
  return stop > at && typed(value) === value ? { value, end: stop } : undefined;
}

/** Letters, `_` and `$`; inside also digits and `-` `.` `/`, which stand before the digits. */
function isNameCharacter(code: number, isInside: boolean): boolean {
  if ((code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f || code === 0x24) return true;
  return isInside && code >= 0x2d && code <= 0x39;
}

/** `{}`, or a list of scalars in brackets. */
function collectionAt(text: string, start: number, end: number): Found<Tree> | undefined {
  if (text[start] !== "[" && text[start] !== "{") return undefined;
  let at = afterSpaces(text, start + 1, end);
  if (text[start] === "{")
    return text[at] === "}" ? { value: { kind: "map", at: start, members: [] }, end: at + 1 } : undefined;
  const items: Tree[] = [];
  while (text[at] !== "]" || items.length > 0) {
    const item = scalarAt(text, at, end, true);
    if (item === undefined) return undefined;
    items.push(item.value);
    at = afterSpaces(text, item.end, end);
    if (text[at] === "]") break;
    if (text[at] !== ",") return undefined;
    at = afterSpaces(text, at + 1, end);
  }
  return { value: { kind: "list", at: start, items }, end: at + 1 };
}

function scalarAt(text: string, at: number, end: number, isInList: boolean): Found<Tree> | undefined {
  const found = isQuote(text[at]) ? quotedAt(text, at, end) : plainAt(text.slice(at, end), at, isInList);
  return found && { value: { kind: "scalar", at, value: found.value }, end: found.end };
}

function isQuote(char: string | undefined): boolean {
  return char === '"' || char === "'";
}

function quotedAt(text: string, at: number, end: number): Found<string> | undefined {
  return text[at] === "'" ? singleQuotedAt(text, at, end) : doubleQuotedAt(text, at, end);
}

function singleQuotedAt(text: string, at: number, end: number): Found<string> | undefined {
  let stop = at + 1;
  while (stop < end && (text[stop] !== "'" || text[stop + 1] === "'")) stop += text[stop] === "'" ? 2 : 1;
  return stop < end ? { value: text.slice(at + 1, stop).replaceAll("''", "'"), end: stop + 1 } : undefined;
}

function doubleQuotedAt(text: string, at: number, end: number): Found<string> | undefined {
  let value = "";
  let from = at + 1;
  for (let stop = from; stop < end; stop++) {
    if (text[stop] === '"') return { value: value + text.slice(from, stop), end: stop + 1 };
    if (text[stop] !== "\\") continue;
    const escaped = ESCAPES.get(text.charAt(stop + 1));
    if (escaped === undefined) return undefined;
    value += text.slice(from, stop) + escaped;
    stop++;
    from = stop + 1;
  }
  return undefined;
}

/** A scalar without quotes at the start of `rest`: up to a comment, or in a list up to the next comma or bracket. */
function plainAt(rest: string, at: number, isInList: boolean): Found<Scalar> | undefined {
  const source = (isInList ? upToComma(rest) : upToComment(rest))?.trimEnd();
  if (source === undefined || NO_STARTS.includes(source.charAt(0))) return undefined;
  if (source === "-" || source.startsWith("- ") || source.includes(": ") || source.endsWith(":")) return undefined;
  const value = typed(source);
  return value === undefined ? undefined : { value, end: at + source.length };
}

function upToComment(rest: string): string {
  const comment = rest.indexOf(" #");
  return comment === -1 ? rest : rest.slice(0, comment);
}

function upToComma(rest: string): string | undefined {
  const bracket = rest.indexOf("]");
  const comma = rest.indexOf(",");
  if (bracket === -1) return undefined;
  const item = rest.slice(0, comma === -1 ? bracket : Math.min(bracket, comma));
  return NOT_IN_LISTS.some((mark) => item.includes(mark)) ? undefined : item;
}

/** What a scalar without quotes means, unless that takes more than a glance. */
function typed(source: string): Scalar | undefined {
  const word = WORDS.get(source);
  if (word !== undefined) return word;
  if (isLikeNumber(source)) return decimalOf(source);
  return source.length <= LONGEST_WORD && WORDS.has(source.toLowerCase()) ? undefined : source;
}

/** Nothing else than this is a number in YAML, though not all of this is; those without a digit are `.inf` and `.nan`. */
function isLikeNumber(source: string): boolean {
  if (!NUMBER_STARTS.includes(source.charAt(0))) return false;
  let hasDigitOrDot = false;
  for (const char of source) {
    if (!NUMBER_CHARACTERS.includes(char)) return false;
    hasDigitOrDot ||= char === "." || (char >= "0" && char <= "9");
  }
  return hasDigitOrDot;
}

const SPACE = 0x20;
/** The library allows 1024 characters before the colon; nobody needs them. */
const LONGEST_KEY = 128;
const NO_STARTS = "?:,[]{}#&*!|>'\"%@`";
const NOT_IN_LISTS = ["[", "{", "}", " #"];
const NUMBER_STARTS = "0123456789+-.";
const NUMBER_CHARACTERS = `${NUMBER_STARTS}_abcdefABCDEFxXoOinIN`;
const LONGEST_WORD = 5;
const WORDS = new Map<string, Scalar>([
  ["null", null],
  ["~", null],
  ["true", true],
  ["false", false],
]);
const ESCAPES = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
]);
