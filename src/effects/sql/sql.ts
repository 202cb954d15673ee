import type { SqlAct } from "./sql-act.ts";
import { SQL_ORDERS, SQL_ROWS } from "./sql-doings.ts";
import { rowActs, TEMPORARY_NAME } from "./sql-rows.ts";
import { isDefinition, sqlStatements } from "./sql-statements.ts";
import { MOST_TOKENS, MYSQL, type SqlToken, STANDARD_SQL, sqlTokens } from "./sql-tokens.ts";

/**
 * What a text of SQL does beyond reading rows; nothing for one that only reads. Databases differ in what is a string and
 * what is a comment: where a text would be another in MySQL, what either of them does counts.
 */
export function sqlActs(text: string): readonly SqlAct[] {
  return SQL_ORDERS.test(text) ? actsIn(text, MOST_NESTING) : NONE;
}

/** Whether a text is SQL by its first word, and not another language or a sentence. */
export function isSql(text: string): boolean {
  return OPENINGS.test(text);
}

function actsIn(text: string, nesting: number): SqlAct[] {
  const standard = sqlTokens(text, STANDARD_SQL);
  const dialects = READ_APART.test(text) ? [standard, sqlTokens(text, MYSQL)] : [standard];
  // A text with a string that does not end is refused by the database that reads it so.
  const whole = dialects.filter(({ isWhole }) => isWhole);
  const acts = (whole.length > 0 ? whole : dialects).flatMap(({ tokens }) => actsOf(tokens, text, nesting));
  return acts.filter((act, at) => acts.findIndex((other) => isSame(act, other)) === at);
}

function actsOf(tokens: readonly SqlToken[], text: string, nesting: number): SqlAct[] {
  const isLong = tokens.length >= MOST_TOKENS;
  const acts: SqlAct[] = isLong ? [{ does: "drop", text: "a text that is too long to be read", object: "" }] : [];
  let open = -1;
  for (const statement of sqlStatements(tokens)) {
    const pieces = piecesOf(statement);
    if (BEGINS.test(pieces)) open = acts.length;
    else if (COMMITS.test(pieces)) open = -1;
    else if (ROLLS_BACK.test(pieces) && open >= 0) {
      // Rows come back in every database, definitions do not in each: MySQL commits with every one of them.
      const kept = acts.splice(open).filter(({ does }) => !TAKEN_BACK.has(does));
      acts.push(...kept);
      open = -1;
    } else acts.push(...statementActs(statement, pieces, text, nesting));
  }
  return acts;
}

function statementActs(statement: readonly SqlToken[], pieces: string, text: string, nesting: number): SqlAct[] {
  const [, options = ""] = EXPLAINS.exec(pieces) ?? [];
  if (EXPLAINS.test(pieces) && (!/\banalyze\b/.test(options) || /\banalyze (?:false|off|0)\b/.test(options))) return [];
  const first = statement[0]?.from ?? 0;
  const said = text.slice(first, statement.at(-1)?.to).replaceAll(/\s+/g, " ").slice(0, LONGEST);
  const nested =
    nesting > 0 && RUNS_TEXT.test(pieces) ? textsIn(statement).flatMap((inner) => actsIn(inner, nesting - 1)) : [];
  const isDefined = isDefinition(statement);
  const explained = options === "" ? pieces : pieces.slice(pieces.indexOf(options) + options.length).trimStart();
  const own = [
    ...SQL_ROWS().flatMap(({ does, words }): SqlAct[] => {
      // What is defined is run later, by another call; only what the definition itself is counts.
      if (isDefined && does !== "change" && does !== "run-program") return [];
      const match = words().exec(explained);
      if (match === null) return [];
      const { groups } = match;
      const object = groups?.name ?? "";
      const target = groups?.text === undefined ? undefined : textsIn(statement.slice(Number(groups.text)))[0];
      const isTemporary = TEMPORARY_NAME.test(object) && (does === "drop" || does === "truncate");
      return [{ does: isTemporary ? "change" : does, text: said, object: dotted(object), target }];
    }),
    ...(isDefined ? [] : rowActs(statement).map((act) => ({ ...act, text: said, object: dotted(act.object) }))),
    ...nested,
  ];
  const telling = own.filter(({ does }) => does !== "change");
  return telling.length > 0 ? telling : own.slice(0, 1);
}

/** The pieces of a statement with a blank or a new line between them; a string is its number among them. */
function piecesOf(statement: readonly SqlToken[]): string {
  let pieces = "";
  for (const [at, { kind, text, opensLine }] of statement.entries()) {
    if (at > 0) pieces += opensLine ? "\n" : " ";
    pieces += kind === "string" ? `'${at}'` : kind === "name" ? text.replaceAll(/[\s()=,;']+/g, "_") : text;
  }
  return pieces;
}

/** The strings of a statement; those that are put together are one. */
function textsIn(statement: readonly SqlToken[]): string[] {
  const texts: string[] = [];
  let isJoined = false;
  for (const { kind, text } of statement) {
    if (kind === "string") {
      if (isJoined) texts.push((texts.pop() ?? "") + text);
      else texts.push(text);
      isJoined = false;
    } else isJoined = kind === "sign" && (text === "|" || text === "+") && texts.length > 0;
  }
  return texts;
}

function dotted(name: string): string {
  return name.replaceAll(/\s*\.\s*/g, ".");
}

function isSame(one: SqlAct, other: SqlAct): boolean {
  return one.does === other.does && one.text === other.text && one.object === other.object;
}

const NONE: readonly SqlAct[] = [];
const TAKEN_BACK: ReadonlySet<string> = new Set(["delete-all", "update-all", "change"]);
/** Where MySQL reads another text than the standard: comments that it runs, and escapes in strings. */
const READ_APART = /[\\#]|--|\/\*/;
const BEGINS = /^(?:begin(?:\s(?:transaction|tran|work|deferred|immediate|exclusive)\b.*)?|start\stransaction\b.*)$/s;
const COMMITS = /^(?:commit|end)\b/;
const ROLLS_BACK = /^(?:rollback|abort)(?!\sto\b)/;
const EXPLAINS =
  /^(?:explain|describe|desc)\b((?:\s(?:analyze|verbose|extended|\([^()]*\)|format\s=\s\w+|query\splan))*)/;
/** Statements that run a text as SQL. */
const RUNS_TEXT =
  /(?:^|\s)(?:do|execute|exec|execute\simmediate|prepare|sp_executesql|dblink|dblink_exec|query_to_xml|openquery|delimiter|cron\s\.\sschedule|set\s@\w+|declare\s@\w+)(?:\s|$)/;
const OPENINGS =
  /^\s*(?:(?:--[^\n]*\n|\/\*M?!\d*|\/\*[\s\S]{0,2000}?\*\/|[;(])\s*)*(?:select|with|insert|update|delete|drop|truncate|alter|create|grant|revoke|merge|replace|explain|describe|show|begin|start\s+transaction|commit|rollback|use|set|exec|execute|call|do|copy|load\s+data|attach|pragma|vacuum|declare|if|kill|shutdown|prepare|deny|rename|purge|reset|lock|comment\s+on|backup|restore|analyze|table|values|refresh|reindex|reassign|flush|optimize|bulk|import|export)\b/i;
const MOST_NESTING = 3;
const LONGEST = 2000;
