import type { AndOr, Command, ParsedScript, Pipeline, Redirect, Statement, Word, WordPart } from "unbash";

/**
 * The syntax of plain words and quoted texts, also in lists and pipelines, without the parser: most calls are such lines,
 * and loading the parser costs more than everything else about them. Undefined for every other text.
 */
export function plainLine(text: string): ParsedScript | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const cursor: Cursor = { text, at: 0 };
  const commands: Statement[] = [];
  do {
    const command = plainList(cursor);
    if (command === undefined) return undefined;
    commands.push({ type: "Statement", pos: command.pos, end: command.end, command, background: undefined });
  } while (text.charCodeAt(cursor.at) === SEMICOLON && ++cursor.at > 0);
  if (cursor.at < text.length) return undefined;
  return { type: "Script", pos: 0, end: text.length, shebang: undefined, commands };
}

/** A text of plain words alone: no quotes, no expansions, no patterns, no operators, one line. */
export function isPlain(text: string): boolean {
  return text.length <= MAX_LENGTH && PLAIN.test(text);
}

const PLAIN = /^[\w./:@%+,-]+(?: +[\w./:@%+,-]+)*$/;

/** A word that a shell takes as it is. */
export class PlainWord implements Word {
  readonly type = "Word";
  readonly text: string;
  readonly value: string;
  readonly pos: number;
  readonly end: number;
  readonly parts = undefined;

  constructor(text: string, pos: number) {
    this.text = text;
    this.value = text;
    this.pos = pos;
    this.end = pos + text.length;
  }
}

interface Cursor {
  readonly text: string;
  at: number;
}

/** Commands between `&&` and `||`. */
function plainList(cursor: Cursor): AndOr | Pipeline | Command | undefined {
  const { text } = cursor;
  const first = plainPipeline(cursor);
  if (first === undefined || !isTwice(text, cursor.at)) return first;
  const commands = [first];
  const operators: AndOr["operators"][number][] = [];
  while (isTwice(text, cursor.at)) {
    operators.push(text.charCodeAt(cursor.at) === PIPE ? "||" : "&&");
    cursor.at += 2;
    const next = plainPipeline(cursor);
    if (next === undefined) return undefined;
    commands.push(next);
  }
  return { type: "AndOr", pos: first.pos, end: (commands.at(-1) ?? first).end, commands, operators };
}

/** Whether the text has `&&` or `||` at a position. */
function isTwice(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code === AMPERSAND || code === PIPE) && text.charCodeAt(at + 1) === code;
}

function plainPipeline(cursor: Cursor): Pipeline | Command | undefined {
  const { text } = cursor;
  const first = plainCommand(cursor);
  if (first === undefined || !isPipe(text, cursor.at)) return first;
  const commands = [first];
  const operators: "|"[] = [];
  while (isPipe(text, cursor.at)) {
    cursor.at++;
    const next = plainCommand(cursor);
    if (next === undefined) return undefined;
    commands.push(next);
    operators.push("|");
  }
  return { type: "Pipeline", pos: first.pos, end: (commands.at(-1) ?? first).end, prefixes: [], commands, operators };
}

function isPipe(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== PIPE) return false;
  const next = text.charCodeAt(at + 1);
  return next !== PIPE && next !== AMPERSAND;
}

/** A command, up to the separator after it; undefined if something in it is not plain. */
function plainCommand(cursor: Cursor): Command | undefined {
  const { text } = cursor;
  const begin = afterBlanks(text, cursor.at);
  const name = plainWord(text, begin);
  if (name === undefined || RESERVED.has(name.text) || name.text.includes("=") || isDescriptor(text, name))
    return undefined;
  const isDeclaring = DECLARING.has(name.text);
  const suffix: (Word | Redirect)[] = [];
  let redirects: Redirect[] | undefined;
  let { end } = name;
  // The first line of a script may name a program, and blanks around a line are the parser's.
  if (begin > 0 && cursor.at === 0) return undefined;
  for (;;) {
    const at = afterBlanks(text, end);
    if (at === text.length && at > end) return undefined;
    const kind = kindAt(text, at);
    if (kind === ENDS) {
      cursor.at = at;
      const args = redirects === undefined ? (suffix as Word[]) : suffix.filter((part) => part.type === "Word");
      return { type: "Command", pos: begin, end, name, prefix: [], suffix, args, redirects: redirects ?? [] };
    }
    // Words and redirections may follow each other without a blank, which only the parser separates.
    if (at === end) return undefined;
    const word = kind === QUOTE ? quotedWord(text, at) : kind === LETTER ? plainWord(text, at) : undefined;
    if (word !== undefined && !isDescriptor(text, word)) {
      if (isDeclaring && word.text.includes("=")) return undefined;
      suffix.push(word);
      end = word.end;
      continue;
    }
    const redirect = plainRedirect(text, at, word);
    if (redirect === undefined) return undefined;
    redirects ??= [];
    redirects.push(redirect);
    suffix.push(redirect);
    end = redirect.end;
  }
}

/** A word of characters without a meaning to the shell, up to the next one that may have one. */
function plainWord(text: string, at: number): PlainWord | undefined {
  const { length } = text;
  let end = at;
  for (; end < length; end++) {
    const code = text.charCodeAt(end);
    if (code > ASCII || KINDS[code] !== LETTER) break;
  }
  const next = kindAt(text, end);
  if (end === at || next === OTHER || next === QUOTE) return undefined;
  return new PlainWord(text.slice(at, end), at);
}

/** Whether a word is a number right before `>`. */
function isDescriptor(text: string, { end }: Word): boolean {
  return text.charCodeAt(end) === GREATER;
}

/** One text between quotes, in which nothing is expanded. */
function quotedWord(text: string, at: number): Word | undefined {
  const quote = text.charAt(at);
  const end = text.indexOf(quote, at + 1) + 1;
  const next = kindAt(text, end);
  if (end === 0 || (next !== BLANK && next !== ENDS)) return undefined;
  const whole = text.slice(at, end);
  const value = text.slice(at + 1, end - 1);
  if (quote === "'") return quoted(value, at, end, whole, { type: "SingleQuoted", pos: at, end, value, text: whole });
  if (value === "" || EXPANDED.test(value)) return undefined;
  const inner = { type: "Literal", pos: at + 1, end: end - 1, value, text: value } as const;
  return quoted(value, at, end, whole, { type: "DoubleQuoted", pos: at, end, text: whole, parts: [inner] });
}

function quoted(value: string, pos: number, end: number, text: string, part: WordPart): Word {
  return { type: "Word", text, value, pos, end, parts: [part] };
}

/** `> file`, `>> file`, `2>&1`: into a plain name, or to where another descriptor leads. */
function plainRedirect(text: string, pos: number, number: Word | undefined): Redirect | undefined {
  const sign = number?.end ?? pos;
  if (text.charCodeAt(sign) !== GREATER || (number !== undefined && !DIGITS.test(number.text))) return undefined;
  const next = text.charCodeAt(sign + 1);
  const operator = next === GREATER ? ">>" : next === AMPERSAND ? ">&" : ">";
  const behind = sign + operator.length;
  const target = plainWord(text, operator === ">&" ? behind : afterBlanks(text, behind));
  if (target === undefined || isDescriptor(text, target) || (operator === ">&" && !DIGITS.test(target.text)))
    return undefined;
  const descriptor = number && ({ type: "FileDescriptor", pos, end: number.end, value: Number(number.text) } as const);
  return { type: "Redirect", pos, end: target.end, operator, descriptor, target };
}

function afterBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) === SPACE) at++;
  return at;
}

function kindAt(text: string, at: number): number {
  if (at >= text.length) return ENDS;
  const code = text.charCodeAt(at);
  return code <= ASCII ? (KINDS[code] ?? OTHER) : OTHER;
}

const ASCII = 0x7f;
const OTHER = 0;
const LETTER = 1;
const BLANK = 2;
const QUOTE = 3;
const ENDS = 4;
const INTO = 5;
const SPACE = 0x20;
const AMPERSAND = 0x26;
const SEMICOLON = 0x3b;
const GREATER = 0x3e;
const PIPE = 0x7c;
/** A longer text is seldom plain to its end, and would be read twice. */
const MAX_LENGTH = 4_096;
/** What each letter of ASCII is. */
const KINDS = kindsOf([
  [LETTER, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:@%+,=-"],
  [BLANK, " "],
  [QUOTE, "'\""],
  [ENDS, "&|;"],
  [INTO, ">"],
]);

function kindsOf(rows: readonly (readonly [kind: number, signs: string])[]): Uint8Array {
  const kinds = new Uint8Array(ASCII + 1);
  for (const [kind, signs] of rows) for (let at = 0; at < signs.length; at++) kinds[signs.charCodeAt(at)] = kind;
  return kinds;
}
const DIGITS = /^\d{1,3}$/;
/** What means something between double quotes. */
const EXPANDED = /[$`\\]/;

const RESERVED: ReadonlySet<string> = new Set(
  "if then else elif fi for while until do done case esac in function select time coproc".split(" "),
);
/** Commands whose words may be assignments, or code. */
const DECLARING: ReadonlySet<string> = new Set("local alias export declare typeset readonly eval let".split(" "));
