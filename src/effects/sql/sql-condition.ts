import type { SqlToken } from "./sql-tokens.ts";

/** Whether a condition holds for every row: `true`, `1 = 1`, `id = id`, `… OR 1 = 1`, `id IS NOT NULL`. */
export function holdsAlways(condition: readonly SqlToken[], table = ""): boolean {
  if (condition.length > LONGEST_CONDITION) return false;
  const bare = unwrapped(condition);
  if (bare.length === 0) return true;
  const choices = splitBy(bare, "or");
  if (choices.length > 1) return choices.some((choice) => holdsAlways(choice, table));
  const parts = splitBy(bare, "and");
  if (parts.length > 1) return parts.every((part) => holdsAlways(part, table));
  return isAlwaysTrue(bare, table);
}

function isAlwaysTrue(tokens: readonly SqlToken[], table: string): boolean {
  const text = tokens.map((token) => (token.kind === "string" ? `'${token.text}'` : token.text)).join(" ");
  if (text === "true" || text === "not false" || /^[1-9]\d*$/.test(text)) return true;
  if (/ (?:not )?between /.test(text)) return false;
  const [, left = "", operator = "", right = ""] = COMPARED.exec(text) ?? [];
  if (left === right && left !== "" && /^(?:=|= =|<= ?|>= ?|< =|> =|is|like)$/.test(operator)) return true;
  if (isNumber(left) && isNumber(right)) return compares(Number(left), operator.replaceAll(" ", ""), Number(right));
  if (/^(?:'[^']*'|"[^"]*") (?:<>|! =|< >) (?:'[^']*')$/.test(text)) return left !== right;
  if (/ like '%+'$/.test(text) && !/ not like /.test(text)) return true;
  if (IDENTITY.test(text)) return true;
  if (/^exists \( select (?:1|'?\w+'?) \)$/.test(text)) return true;
  const [, from] = EVERY_ROW.exec(text) ?? [];
  return from !== undefined && from === table;
}

function compares(one: number, operator: string, other: number): boolean {
  if (operator === "=" || operator === "==") return one === other;
  if (operator === "<>" || operator === "!=") return one !== other;
  if (operator === "<") return one < other;
  if (operator === ">") return one > other;
  if (operator === "<=") return one <= other;
  return operator === ">=" && one >= other;
}

function isNumber(text: string): boolean {
  return /^\d+$/.test(text);
}

/** Without the brackets around all of it. */
function unwrapped(tokens: readonly SqlToken[]): readonly SqlToken[] {
  let inner = tokens;
  while (inner.length > 1 && isSign(inner[0], "(") && closing(inner) === inner.length - 1) inner = inner.slice(1, -1);
  return inner;
}

/** Where the bracket ends that the tokens begin with. */
function closing(tokens: readonly SqlToken[]): number {
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    if (isSign(token, "(")) depth++;
    else if (isSign(token, ")") && --depth === 0) return at;
  }
  return -1;
}

function splitBy(tokens: readonly SqlToken[], word: "or" | "and"): (readonly SqlToken[])[] {
  const parts: (readonly SqlToken[])[] = [];
  let [depth, start] = [0, 0];
  for (const [at, token] of tokens.entries()) {
    if (isSign(token, "(")) depth++;
    else if (isSign(token, ")")) depth--;
    else if (depth === 0 && token.kind === "word" && token.text === word) {
      parts.push(tokens.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(tokens.slice(start));
  return parts;
}

function isSign(token: SqlToken | undefined, sign: string): boolean {
  return token?.kind === "sign" && token.text === sign;
}

/** What is longer holds for some rows only. */
const LONGEST_CONDITION = 2000;
const COMPARED = /^(.+?) (= =|< =|> =|! =|< >|=|<|>|is|like) (.+)$/;
/** Every row has a key, and keys count from nothing or one. */
const IDENTITY =
  /^(?:\w+ \. )?(?:\w*_)?(?:id|uuid|pk|rowid|ctid) (?:is not null|> - \d+|>(?: =)? [01]|(?:! =|< >) (?:0|- \d+|''))$/;
const EVERY_ROW = /^(?:\w+ \. )?\w+ in \( select (?:\w+ \. )?\w+ from ((?:\w+ \. )*\w+) \)$/;
