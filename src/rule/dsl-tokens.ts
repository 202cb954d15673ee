import { once } from "../event/once.ts";

/** One word of a rule and its place; the first column is 1. */
export interface Token {
  readonly kind: "word" | "text" | "number" | "mark" | "comment" | "end";
  readonly text: string;
  /** What a text or a number stands for. */
  readonly value?: string | number;
  readonly column: number;
}

/** A place in a line where reading had to stop, and the step that ends it. */
export class RuleSyntax extends Error {
  readonly column: number;
  readonly fix: string | undefined;

  constructor(message: string, column: number, fix?: string) {
    super(message);
    this.column = column;
    this.fix = fix;
  }
}

/** Cuts one line into tokens; its comment is the last but one. */
export function tokens(line: string): Token[] {
  const found: Token[] = [];
  let at = skipBlanks(line, 0);
  while (at < line.length) {
    const token = readToken(line, at);
    found.push(token);
    at = skipBlanks(line, at + token.text.length);
  }
  return [...found, { kind: "end", text: "", column: at + 1 }];
}

/** Whether a text can stand in a rule without quotes, as a field does. */
export function isWord(text: string): boolean {
  const word = wordPattern();
  word.lastIndex = 0;
  return word.exec(text)?.[0] === text;
}

function skipBlanks(line: string, at: number): number {
  BLANKS.lastIndex = at;
  return BLANKS.test(line) ? BLANKS.lastIndex : at;
}

function readToken(line: string, at: number): Token {
  const column = at + 1;
  for (const [kind, patternOf] of PATTERNS) {
    const pattern = patternOf();
    pattern.lastIndex = at;
    const [text] = pattern.exec(line) ?? [];
    if (text === undefined) continue;
    if (kind === "text") return { kind, text, value: unquoted(text, column), column };
    if (kind === "number") return { kind, text, value: finite(text, column), column };
    return { kind, text, column };
  }
  const char = String.fromCodePoint(line.codePointAt(at) ?? 0);
  if (char === '"' || char === "'")
    throw new RuleSyntax("this text has no closing quote", column, `Add ${char} after it, on the same line.`);
  throw new RuleSyntax(`${JSON.stringify(char)} means nothing here`, column, SIGNS[char]);
}

const BLANKS = /[ \t\r\f\v\u00a0\ufeff]+/y;

/** V8 takes half a millisecond to make a class of all letters, and few processes read rules. */
const wordPattern = once(() => /[\p{L}_@*$](?:[\p{L}\p{N}_.*@$/:-]*[\p{L}\p{N}_*$])?/uy);

/** In the order in which they are tried; each takes time proportional to what it takes. */
const PATTERNS: readonly (readonly [Token["kind"], () => RegExp])[] = [
  ["comment", once(() => /#.*/sy)],
  ["text", once(() => /"(?:[^"\\]|\\.)*"/sy)],
  ["text", once(() => /'(?:[^'\\]|\\.)*'/sy)],
  ["mark", once(() => /->|[()[\]{},:]/y)],
  ["number", once(() => /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y)],
  ["word", wordPattern],
];

/** What people write who know another language. */
const SIGNS: Readonly<Record<string, string>> = {
  "=": "Write `equals`, and `->` before what to do.",
  "!": "Write `not`, or `not_equals`.",
  "&": "Write `and`.",
  "|": "Write `or`.",
  "<": "Write `lt` or `lte`.",
  ">": "Write `gt` or `gte`.",
  ";": "Begin a new line.",
  "→": "Write `->`.",
  "“": 'Write straight quotes: "…".',
  "”": 'Write straight quotes: "…".',
};

function finite(text: string, column: number): number {
  const number = Number(text) + 0;
  if (!Number.isFinite(number)) throw new RuleSyntax("this number is too large", column, "Put it in quotes.");
  return number;
}

/** A backslash before any other character is kept, so that regular expressions read as they are written. */
function unquoted(text: string, column: number): string {
  return text.slice(1, -1).replaceAll(/\\(u[0-9a-fA-F]{4}|.)/gsu, (written, body: string) => {
    if (body.length === 5) return String.fromCharCode(Number.parseInt(body.slice(1), 16));
    if (body === "u") throw new RuleSyntax("\\u needs four hexadecimal digits", column, "Write \\u0041, or \\\\u.");
    return ESCAPES.get(body) ?? written;
  });
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ["\\", "\\"],
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
]);
