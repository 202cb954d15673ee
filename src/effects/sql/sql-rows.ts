import type { SqlAct } from "./sql-act.ts";
import { holdsAlways } from "./sql-condition.ts";
import type { SqlToken } from "./sql-tokens.ts";

/** What a statement does to rows with DELETE and UPDATE, wherever they stand in it: alone, in a CTE, in a block. */
export function rowActs(statement: readonly SqlToken[]): Omit<SqlAct, "text">[] {
  const acts: Omit<SqlAct, "text">[] = [];
  for (let at = 0; at < statement.length && acts.length < MOST_ACTS; at++) {
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
function nameAt(statement: readonly SqlToken[], start: number): string {
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
const MOST_ACTS = 40;
