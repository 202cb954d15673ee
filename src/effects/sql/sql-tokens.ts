/** A piece of SQL: a bare word or a number in lower case, a quoted name, a string with what it holds, or a sign. */
export interface SqlToken {
  readonly kind: "word" | "name" | "string" | "sign";
  readonly text: string;
  /** Where it begins and ends in the text. */
  readonly from: number;
  readonly to: number;
  /** Whether a line begins with it. */
  readonly opensLine: boolean;
}

/** How databases differ in what is a string and what is a comment. */
export interface SqlDialect {
  /** `\'` represents a quote in a string. */
  readonly hasBackslashes: boolean;
  /** `#` begins a comment, and `--` does only before a blank. */
  readonly hasHashComments: boolean;
  /** A comment may hold comments. */
  readonly nestsComments: boolean;
}

/** As the standard and most databases have it. */
export const STANDARD_SQL: SqlDialect = { hasBackslashes: false, hasHashComments: false, nestsComments: true };
/** As MySQL and MariaDB have it. */
export const MYSQL: SqlDialect = { hasBackslashes: true, hasHashComments: true, nestsComments: false };

/** Text of SQL in pieces, without its comments; `isWhole` is false where a string or a comment does not end. */
export function sqlTokens(
  text: string,
  dialect: SqlDialect,
): { readonly tokens: readonly SqlToken[]; readonly isWhole: boolean } {
  const tokens: SqlToken[] = [];
  let [at, isWhole, opensLine] = [0, true, true];
  const add = (kind: SqlToken["kind"], held: string, to: number) => {
    tokens.push({ kind, text: held, from: at, to, opensLine });
    opensLine = false;
    at = to;
  };
  const end = (to: number) => {
    if (to < 0) isWhole = false;
    return to < 0 ? text.length : to;
  };
  while (at < text.length && tokens.length < MAX_TOKENS) {
    const sign = text[at] ?? "";
    if (sign === "\n" || sign === "\r") {
      opensLine = true;
      at++;
    } else if (BLANK.test(sign)) at++;
    else if (isLineComment(text, at, dialect)) at = lineEnd(text, at);
    else if (text.startsWith("/*!", at) || text.startsWith("/*M!", at)) at = matched(EXECUTED, text, at);
    // The end of a comment that MySQL runs, or one that no comment began.
    else if (text.startsWith("*/", at)) at += 2;
    else if (text.startsWith("/*", at)) at = end(commentEnd(text, at, dialect));
    else if (sign === "'" || sign === '"' || sign === "`") {
      const escapes = sign !== "`" && (dialect.hasBackslashes || (sign === "'" && ESCAPED.test(before(text, at))));
      const to = end(quoteEnd(text, at, sign, escapes));
      const inner = text.slice(at + 1, isWhole ? to - 1 : to).replaceAll(sign + sign, sign);
      add(sign === "'" ? "string" : "name", sign === "'" ? inner : inner.toLowerCase(), to);
    } else if (sign === "[" && BRACKETED.test(text.slice(at, at + MAX_NAME_LENGTH))) {
      const to = text.indexOf("]", at) + 1;
      add("name", text.slice(at + 1, to - 1).toLowerCase(), to);
    } else if (sign === "$" && matched(DOLLAR, text, at) > at) {
      const tag = text.slice(at, matched(DOLLAR, text, at));
      const close = text.indexOf(tag, at + tag.length);
      const to = end(close < 0 ? -1 : close + tag.length);
      add("string", text.slice(at + tag.length, close < 0 ? to : close), to);
    } else {
      const to = matched(word(), text, at);
      if (to > at) add("word", text.slice(at, to).toLowerCase(), to);
      else add("sign", sign, at + 1);
    }
  }
  return { tokens, isWhole };
}

/** MySQL takes `--` for a comment only before a blank or a control character. */
function isLineComment(text: string, at: number, { hasHashComments }: SqlDialect): boolean {
  if (text[at] === "#") return hasHashComments;
  if (text[at] !== "-" || text[at + 1] !== "-") return false;
  return !hasHashComments || at + 2 >= text.length || (text[at + 2] ?? "") <= " ";
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

function commentEnd(text: string, open: number, { nestsComments }: SqlDialect): number {
  if (!nestsComments) {
    const close = text.indexOf("*/", open + 2);
    return close < 0 ? -1 : close + 2;
  }
  let depth = 1;
  let at = open + 2;
  while (depth > 0) {
    const close = text.indexOf("*/", at);
    if (close < 0) return -1;
    const inner = text.indexOf("/*", at);
    const isInner = inner >= 0 && inner < close;
    depth += isInner ? 1 : -1;
    at = (isInner ? inner : close) + 2;
  }
  return at;
}

/** The position after the closing quote; a doubled quote represents itself. */
function quoteEnd(text: string, open: number, quote: string, hasEscapes: boolean): number {
  for (let at = open + 1; at < text.length; at++) {
    if (hasEscapes && text[at] === "\\") at++;
    else if (text[at] === quote) {
      if (text[at + 1] !== quote) return at + 1;
      at++;
    }
  }
  return -1;
}

function before(text: string, at: number): string {
  return text.slice(Math.max(0, at - 2), at);
}

/** Where a sticky expression ends that begins here; the same place where it does not. */
function matched(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : at;
}

function word(): RegExp {
  wordPattern ??= /[\p{L}_@#\d][\p{L}\p{N}_@#$]*/uy;
  return wordPattern;
}

const BLANK = /\s/;
// `/*!50000 DROP …`: MySQL runs the content of such a comment, and MariaDB also that of `/*M!`.
const EXECUTED = /\/\*M?!\d*/y;
/** `E'it\'s'` of Postgres. */
const ESCAPED = /(?:^|[^\w])e$/i;
const DOLLAR = /\$(?:[A-Za-z_]\w*)?\$/y;
const BRACKETED = /^\[[A-Za-z_#@][^\]'"\n]*\]/;
/** Made at first use: a class of all letters takes V8 longer than everything else at the start. */
let wordPattern: RegExp | undefined;
const MAX_NAME_LENGTH = 130;
/** What follows is not looked at; the reader reports that the text was too long. */
export const MAX_TOKENS = 100_000;

/** The statements of a text: apart by `;` or a line with `GO`; the body of a definition belongs to it. */
export function sqlStatements(tokens: readonly SqlToken[]): (readonly SqlToken[])[] {
  const statements: SqlToken[][] = [];
  let statement: SqlToken[] = [];
  let depth = 0;
  const close = () => {
    if (statement.length > 0) statements.push(statement);
    statement = [];
    depth = 0;
  };
  for (const [at, token] of tokens.entries()) {
    if (isBatchEnd(token, tokens[at + 1])) close();
    else if (token.kind === "sign" && token.text === ";" && depth === 0) close();
    else {
      statement.push(token);
      if (token.kind === "word" && BLOCK_WORD.has(token.text) && isDefinition(statement))
        depth = Math.max(0, depth + nesting(tokens, at));
    }
  }
  close();
  return statements;
}

/** Whether a statement defines what is run later: a function, a trigger. */
export function isDefinition(statement: readonly SqlToken[]): boolean {
  const [first, ...others] = statement.slice(0, 12);
  if (first?.kind !== "word" || (first.text !== "create" && first.text !== "alter")) return false;
  for (const { kind, text } of others) {
    if (kind === "word" && DEFINED.has(text)) return true;
    // `CREATE DEFINER = me@host PROCEDURE`: names and signs may precede the word.
    if (kind === "word" && NO_DEFINITION.has(text)) return false;
  }
  return false;
}

/** How a word of a body opens or closes a block. `END IF` closes what no word here opened. */
function nesting(tokens: readonly SqlToken[], at: number): number {
  const word = tokens[at]?.text;
  const next = tokens[at + 1];
  const last = tokens[at - 1];
  if (word === "end") return next?.kind === "word" && OTHER_BLOCKS.has(next.text) ? 0 : -1;
  if (word === "case") return last?.kind === "word" && last.text === "end" ? 0 : 1;
  return next?.kind === "word" && /^tran/.test(next.text) ? 0 : 1;
}

function isBatchEnd(token: SqlToken, next: SqlToken | undefined): boolean {
  return token.kind === "word" && token.text === "go" && token.opensLine && (next === undefined || next.opensLine);
}

const BLOCK_WORD: ReadonlySet<string> = new Set(["begin", "case", "end"]);
const OTHER_BLOCKS: ReadonlySet<string> = new Set(["if", "loop", "while", "repeat", "for"]);
const DEFINED: ReadonlySet<string> = new Set("function procedure proc trigger event package aggregate rule".split(" "));
const NO_DEFINITION: ReadonlySet<string> = new Set(
  "table view index database schema user role login sequence type extension policy column add drop as select".split(
    " ",
  ),
);
