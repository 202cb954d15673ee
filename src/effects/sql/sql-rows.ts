import type { Role } from "../effect.ts";
import type { SqlToken } from "./sql-tokens.ts";

/** What a statement does to rows with DELETE and UPDATE, anywhere in it: alone, in a CTE, in a block. */
export function rowActs(statement: readonly SqlToken[]): Omit<SqlAct, "text">[] {
  const acts: Omit<SqlAct, "text">[] = [];
  for (let at = 0; at < statement.length && acts.length < MAX_ACTS; at++) {
    const token = statement[at];
    if (token?.kind !== "word") continue;
    if (token.text === "delete") acts.push(...deletion(statement, at));
    else if (token.text === "update") acts.push(...update(statement, at));
  }
  return acts;
}

function deletion(statement: readonly SqlToken[], at: number): Omit<SqlAct, "text">[] {
  let next = at + 1;
  while (isWord(statement[next], MODIFIERS)) next++;
  if (isWord(statement[next], TOP)) return [{ does: "change", object: "" }];
  const isFrom = isWord(statement[next], FROM);
  // `DELETE users WHERE …` of SQL Server, and nothing like `ON DELETE CASCADE`.
  if (!isFrom && (at > 0 || next >= statement.length || statement[next]?.kind === "sign")) return [];
  const start = isFrom ? next + 1 : next;
  const object = nameAt(statement, isWord(statement[start], ONLY) ? start + 1 : start);
  return [{ does: reaches(statement, start, object) ? "delete-all" : "change", object }];
}

function update(statement: readonly SqlToken[], at: number): Omit<SqlAct, "text">[] {
  if (isWord(statement[at - 1], NO_UPDATE_BEFORE) || isWord(statement[at + 1], SET)) return [];
  let start = at + 1;
  while (isWord(statement[start], MODIFIERS) || isWord(statement[start], ONLY)) start++;
  if (isWord(statement[start], TOP)) return [{ does: "change", object: "" }];
  const set = statement.slice(start, start + FARTHEST_SET).findIndex((token) => isWord(token, SET));
  if (set < 0) return [];
  const object = nameAt(statement, start);
  return [{ does: reaches(statement, start, object) ? "update-all" : "change", object }];
}

/** Whether every row of a table is meant: there is no condition, or one that always holds. */
function reaches(statement: readonly SqlToken[], start: number, object: string): boolean {
  if (TEMPORARY_NAME.test(object)) return false;
  let [depth, at] = [0, start];
  let [where, end] = [-1, -1];
  let isBounded = false;
  for (; at < statement.length && depth >= 0; at++) {
    const token = statement[at];
    if (token?.kind === "sign") depth += token.text === "(" ? 1 : token.text === ")" ? -1 : 0;
    else if (depth === 0 && isWord(token, WHERE) && where < 0) where = at + 1;
    else if (depth === 0 && where >= 0 && end < 0 && isWord(token, AFTER_CONDITION)) end = at;
    else if (depth === 0 && isWord(token, BOUNDS)) isBounded = true;
  }
  const last = depth < 0 ? at - 1 : at;
  if (isBounded) return false;
  return where < 0 || holdsAlways(statement.slice(where, end < 0 ? last : end), object);
}

/** A name with the names of its schema and its database. */
export function nameAt(statement: readonly SqlToken[], start: number): string {
  const parts: string[] = [];
  for (let at = start; at < statement.length; at += 2) {
    const token = statement[at];
    if (token?.kind !== "word" && token?.kind !== "name") break;
    parts.push(token.text);
    if (statement[at + 1]?.kind !== "sign" || statement[at + 1]?.text !== ".") break;
  }
  return parts.join(" . ");
}

function isWord(token: SqlToken | undefined, words: ReadonlySet<string>): boolean {
  return token?.kind === "word" && words.has(token.text);
}

/** Tables of one session or one run, by their names. */
export const TEMPORARY_NAME = /^#|(?:^|\. )(?:te?mp_|pg_temp\b)|_te?mp$/;

/** Whether a condition holds for every row: `true`, `1 = 1`, `id = id`, `… OR 1 = 1`, `id IS NOT NULL`. */
function holdsAlways(condition: readonly SqlToken[], table = ""): boolean {
  if (condition.length > MAX_CONDITION_LENGTH) return false;
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
  if (IDENTITY().test(text)) return true;
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

/** What a statement of SQL may do beyond reading rows, and which roles a program or a tool plays that is given it. */
export const SQL_DOINGS = {
  drop: { means: "drops a table, a schema or a database", roles: ["database", "work-loss"] },
  truncate: { means: "empties a table", roles: ["database", "work-loss"] },
  "delete-all": { means: "deletes every row of a table", roles: ["database", "work-loss"] },
  "update-all": { means: "changes every row of a table", roles: ["database", "work-loss"] },
  "alter-drop": { means: "drops columns or partitions of a table", roles: ["database", "work-loss"] },
  account: { means: "changes who may do what in a database", roles: ["database", "account"] },
  server: { means: "stops a database server, or changes how it runs", roles: ["database", "settings", "outage"] },
  "read-password": { means: "reads the passwords of a database's users", roles: ["reveal"] },
  "read-file": { means: "reads a file of the database's machine", roles: [] },
  "write-file": { means: "writes a file of the database's machine", roles: ["database"] },
  "run-program": {
    means: "runs a program or a library on the database's machine",
    roles: ["database", "run-code", "outage"],
  },
  change: { means: "changes rows or definitions", roles: ["database"] },
} as const satisfies Record<string, { readonly means: string; readonly roles: readonly Role[] }>;

export type SqlDoing = keyof typeof SQL_DOINGS;

/** One thing that a text of SQL does; a text that only reads does none. */
export interface SqlAct {
  readonly does: SqlDoing;
  /** The statement, or the part of it, on one line. */
  readonly text: string;
  /** The table, the database, the user … by its name, as far as there is one. */
  readonly object: string;
  /** The file that is read or written, or the program that is run, if the text names it. */
  readonly target?: string | undefined;
}

/** What is longer holds for some rows only. */
const MAX_CONDITION_LENGTH = 2000;
const COMPARED = /^(.+?) (= =|< =|> =|! =|< >|=|<|>|is|like) (.+)$/;
/** Every row has a key, and keys count from nothing or one. */
const IDENTITY = () =>
  /^(?:\w+ \. )?(?:\w*_)?(?:id|uuid|pk|rowid|ctid) (?:is not null|> - \d+|>(?: =)? [01]|(?:! =|< >) (?:0|- \d+|''))$/;
const EVERY_ROW = /^(?:\w+ \. )?\w+ in \( select (?:\w+ \. )?\w+ from ((?:\w+ \. )*\w+) \)$/;

const MODIFIERS: ReadonlySet<string> = new Set(["low_priority", "quick", "ignore"]);
const ONLY: ReadonlySet<string> = new Set(["only"]);
const TOP: ReadonlySet<string> = new Set(["top"]);
const FROM: ReadonlySet<string> = new Set(["from"]);
const SET: ReadonlySet<string> = new Set(["set"]);
const WHERE: ReadonlySet<string> = new Set(["where"]);
const AFTER_CONDITION: ReadonlySet<string> = new Set(["returning", "order", "option", "output", "commit", "rollback"]);
/** What leaves rows out besides a condition. */
const BOUNDS: ReadonlySet<string> = new Set(["limit", "on", "using", "fetch", "rownum"]);
/** `FOR UPDATE`, `ON CONFLICT DO UPDATE`, `ON DUPLICATE KEY UPDATE`, `BEFORE UPDATE`. */
const NO_UPDATE_BEFORE: ReadonlySet<string> = new Set("for do key on of before after or grant revoke".split(" "));
const FARTHEST_SET = 60;
/** One statement does not hold more of them, unless it is made to be slow. */
const MAX_ACTS = 40;
