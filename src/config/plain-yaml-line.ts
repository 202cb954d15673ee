import { decimalOf } from "./plain-text.ts";
import type { ConfigTree, TreeMember } from "./tree.ts";

type Scalar = string | number | boolean | null;

/** Something that was read, and where it ends. */
interface Found<Value> {
  readonly value: Value;
  readonly end: number;
}

/** The first position from `at` on that is not a space, or `end`. */
export function afterSpaces(text: string, at: number, end: number): number {
  while (at < end && text.charCodeAt(at) === SPACE) at++;
  return at;
}

/** Whether only a comment is left of the line. The character before `at` has to be a space, if there is one. */
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
export function valueAt(text: string, at: number, end: number): ConfigTree | undefined {
  const found = isBracket(text[at]) ? collectionAt(text, at, end, 1) : scalarAt(text, at, end, false);
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

/** Letters, `_` and `$`; inside also digits and `-` `.` `/`, which come before the digits. */
function isNameCharacter(code: number, isInside: boolean): boolean {
  if ((code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f || code === 0x24) return true;
  return isInside && code >= 0x2d && code <= 0x39;
}

/** A list or an object in brackets, on one line. */
function collectionAt(text: string, start: number, end: number, depth: number): Found<ConfigTree> | undefined {
  if (depth > DEEPEST_BRACKETS) return undefined;
  const isList = text[start] === "[";
  const items: ConfigTree[] = [];
  const members: TreeMember[] = [];
  const known = new Set<string>();
  const close = between(text, start, end, isList ? "]" : "}", (at) => {
    const key = isList ? undefined : keyAt(text, at, end);
    if (!isList && (key === undefined || known.has(key.value))) return undefined;
    const from = key === undefined ? at : afterSpaces(text, key.end, end);
    const found = isBracket(text[from]) ? collectionAt(text, from, end, depth + 1) : scalarAt(text, from, end, true);
    if (found === undefined) return undefined;
    if (key === undefined) {
      items.push(found.value);
    } else {
      known.add(key.value);
      members.push({ key: key.value, at, value: found.value });
    }
    return found.end;
  });
  if (close === undefined) return undefined;
  const value: ConfigTree = isList ? { kind: "list", at: start, items } : { kind: "map", at: start, members };
  return { value, end: close + 1 };
}

/** Reads the values between brackets; also returns the position of the closing bracket. */
function between(
  text: string,
  start: number,
  end: number,
  close: string,
  part: (at: number) => number | undefined,
): number | undefined {
  let at = afterSpaces(text, start + 1, end);
  if (text[at] === close) return at;
  for (;;) {
    const stop = part(at);
    if (stop === undefined) return undefined;
    at = afterSpaces(text, stop, end);
    if (text[at] === close) return at < end ? at : undefined;
    if (text[at] !== ",") return undefined;
    at = afterSpaces(text, at + 1, end);
  }
}

/** Does a list or an object in brackets begin with it? */
export function isBracket(char: string | undefined): boolean {
  return char === "[" || char === "{";
}

function scalarAt(text: string, at: number, end: number, isInBrackets: boolean): Found<ConfigTree> | undefined {
  const found = isQuote(text[at]) ? quotedAt(text, at, end) : plainAt(text.slice(at, end), at, isInBrackets);
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

/** A scalar without quotes at the start of `rest`: up to a comment, or in brackets up to the next comma or bracket. */
function plainAt(rest: string, at: number, isInBrackets: boolean): Found<Scalar> | undefined {
  const source = (isInBrackets ? upToComma(rest) : upToComment(rest))?.trimEnd();
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
  const stop = rest.search(/[\],}]/);
  const item = rest.slice(0, Math.max(stop, 0));
  return item.trim() === "" || NOT_IN_BRACKETS.some((mark) => item.includes(mark)) ? undefined : item;
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
/** The library allows 1024 characters before the colon; no key needs them. */
const LONGEST_KEY = 128;
const NO_STARTS = "?:,[]{}#&*!|>'\"%@`";
const NOT_IN_BRACKETS = ["[", "{", " #"];
/** How deep brackets may be nested: enough for every hook. */
export const DEEPEST_BRACKETS = 8;
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
