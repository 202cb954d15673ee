import { once } from "../../event/once.ts";
import { nameAt, rowActs, type SqlAct, type SqlDoing, TEMPORARY_NAME } from "./sql-rows.ts";
import {
  isDefinition,
  MAX_TOKENS,
  MYSQL,
  type SqlToken,
  STANDARD_SQL,
  sqlStatements,
  sqlTokens,
} from "./sql-tokens.ts";

/**
 * What a text of SQL does beyond reading rows; undefined for one that only reads. Databases differ in what is a string and
 * what is a comment: where MySQL reads a text differently, the acts of both readings are returned.
 */
export function sqlActs(text: string): readonly SqlAct[] {
  return SQL_ORDERS().test(text) ? actsIn(text, MAX_NESTING) : NONE;
}

/** The tables that a text reads, if it does nothing but read; one without a name if it reads no table. */
export function sqlReads(
  text: string,
): readonly { readonly does: "read"; readonly object: string; readonly text: string }[] {
  const { tokens, isWhole } = sqlTokens(text, STANDARD_SQL);
  const statements = sqlStatements(tokens).filter(({ length }) => length > 0);
  if (!isWhole || !statements.every(([first]) => first?.kind === "word" && QUERIES.has(first.text))) return [];
  if (sqlActs(text).length > 0) return [];
  const names = statements.flatMap((statement) =>
    statement.flatMap((token, at) =>
      token.kind === "word" && (token.text === "from" || token.text === "join")
        ? [dotted(nameAt(statement, at + 1))]
        : [],
    ),
  );
  const named = [...new Set(names)].filter((name) => name !== "");
  if (named.length === 0 && statements.length > 0) named.push("");
  return named.map((object) => ({ does: "read", object, text: text.replaceAll(/\s+/g, " ").slice(0, MAX_LENGTH) }));
}

/** The first words of statements that read rows. */
const QUERIES: ReadonlySet<string> = new Set("select with table values show explain describe desc".split(" "));

/** Whether a text is SQL by its first word, and not another language or a sentence. */
export function isSql(text: string): boolean {
  return OPENINGS().test(text);
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
  const isLong = tokens.length >= MAX_TOKENS;
  const acts: SqlAct[] = isLong ? [{ does: "drop", text: "a text that is too long to be read", object: "" }] : [];
  let open = -1;
  for (const statement of sqlStatements(tokens)) {
    const pieces = piecesOf(statement);
    if (BEGINS().test(pieces)) open = acts.length;
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
  const [, options = ""] = EXPLAINS().exec(pieces) ?? [];
  if (EXPLAINS().test(pieces) && (!/\banalyze\b/.test(options) || /\banalyze (?:false|off|0)\b/.test(options)))
    return [];
  const first = statement[0]?.from ?? 0;
  const shown = text.slice(first, statement.at(-1)?.to).replaceAll(/\s+/g, " ").slice(0, MAX_LENGTH);
  const nested =
    nesting > 0 && RUNS_TEXT().test(pieces) ? textsIn(statement).flatMap((inner) => actsIn(inner, nesting - 1)) : [];
  const isDefined = isDefinition(statement);
  const explained = options === "" ? pieces : pieces.slice(pieces.indexOf(options) + options.length).trimStart();
  const own = [
    ...SQL_ROWS().flatMap(({ does, words }): SqlAct[] => {
      // What is defined is run later, by another call; only the definition itself is reported.
      if (isDefined && does !== "change" && does !== "run-program") return [];
      const match = words().exec(explained);
      if (match === null) return [];
      const { groups } = match;
      const object = groups?.name ?? "";
      const target = groups?.text === undefined ? undefined : textsIn(statement.slice(Number(groups.text)))[0];
      const isTemporary = TEMPORARY_NAME.test(object) && (does === "drop" || does === "truncate");
      return [{ does: isTemporary ? "change" : does, text: shown, object: dotted(object), target }];
    }),
    ...(isDefined ? [] : rowActs(statement).map((act) => ({ ...act, text: shown, object: dotted(act.object) }))),
    ...nested,
  ];
  const telling = own.filter(({ does }) => does !== "change");
  if (telling.length > 0) return telling;
  const named = own.find(({ object }) => object !== "");
  return named === undefined ? own.slice(0, 1) : [named];
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

/** Words of a statement by which its act is recognised, as an expression over its pieces with single blanks between them. */
interface SqlRow {
  readonly does: SqlDoing;
  /** Made when the first statement is read, which most calls never do. */
  readonly words: () => RegExp;
}

/** A statement that begins with these words, at its start, at the start of a line or of a block. */
function starts(does: SqlDoing, words: string): SqlRow {
  return { does, words: once(() => expression(`${START}(?:${words})`)) };
}

/** These words, anywhere in the statement. */
function holds(does: SqlDoing, words: string): SqlRow {
  return { does, words: once(() => expression(`(?:^|\\s)(?:${words})`)) };
}

/** A blank represents a blank or a new line, `NAME` a name, `TEXT` a string by its number. */
function expression(words: string): RegExp {
  return new RegExp(words.replaceAll("NAME", NAME).replaceAll("TEXT", "'(?<text>\\d+)'").replaceAll(" ", "\\s"));
}

const NAME = "(?<name>[^\\s()=,;']+(?: \\. [^\\s()=,;']+)*)";
const START = "(?:^|\\n|(?:^|\\s)(?:begin|then|else|do|loop|atomic|transaction|tran) |\\) )(?:\\( )*";
const IF_EXISTS = "(?:if (?:not )?exists )?";

/** What each statement does; of the rows that match, all count, and `change` only where no other does. */
const SQL_ROWS = once((): readonly SqlRow[] => [
  // SQL Server needs nothing between two statements.
  holds(
    "drop",
    `drop (?:(?:temporary|global|foreign|external|unlogged|pluggable|transient) )*(?:table|database|schema|keyspace|tablespace|catalog|warehouse|dataset|collection|space|graph|bucket|measurement|subscription|owned by) ${IF_EXISTS}NAME`,
  ),
  starts("drop", `drop [\\w ]{1,40}NAME[^;]{0,400} cascade`),
  starts(
    "drop",
    `drop (?:materialized view|view|function|procedure|proc|sequence|type|trigger|event|package|extension|external data source) ${IF_EXISTS}NAME`,
  ),
  starts("drop", `create or replace (?:transient |temporary )?(?:table|database|schema) ${IF_EXISTS}NAME`),
  starts("alter-drop", `(?:alter (?:table|database|schema) ${IF_EXISTS}NAME rename to|rename table) `),
  starts("drop", "purge (?:table|recyclebin|dba_recyclebin)"),
  starts("drop", "restore database NAME"),
  starts("truncate", `truncate (?:table )?(?:only )?${IF_EXISTS}(?!\\()NAME`),
  starts(
    "alter-drop",
    `alter (?:external |foreign )?(?:table|keyspace) ${IF_EXISTS}(?:only )?NAME(?: [^;]{0,2000})? drop (?!constraint|index|key|primary|foreign|check|default|not |expression|identity|trigger|statistics|unique)`,
  ),
  starts(
    "alter-drop",
    `alter table ${IF_EXISTS}NAME (?:truncate|exchange|discard|clear) (?:partition|tablespace|column)`,
  ),
  starts("delete-all", "alter table NAME delete where (?:1|true|1 = 1)(?: |$)"),
  starts(
    "account",
    "(?:drop|create|alter)(?: or replace)? (?:user|role|login|group|server role|application role|authorization|policy|row access policy|masking policy|security policy|credential|default privileges)",
  ),
  starts("account", "(?:grant|revoke|deny) [^;]{0,2000} (?:on|to|from) "),
  starts("account", "(?:set password|rename user|reassign owned|add signature)"),
  starts(
    "account",
    "alter table [^;]{0,2000} (?:disable row level security|no force row level security|disable trigger|disable security)",
  ),
  holds("account", "(?:sp_addlogin|sp_addsrvrolemember|sp_addrolemember|sp_password|sp_grantlogin)"),
  holds(
    "account",
    "(?:insert into|replace into|update|delete from) (?:mysql \\. (?:user|db)|(?:pg_catalog \\. )?pg_authid)",
  ),
  starts(
    "server",
    "(?:shutdown|alter system|alter instance|alter server configuration|kill |restart$|stop (?:slave|replica|group_replication)|reset (?:master|slave|replica)|purge (?:binary|master) logs|change (?:master|replication source) to|flush tables with read lock)",
  ),
  starts("server", "set (?:global|persist|persist_only|@@global|@@persist) "),
  starts("server", "alter database NAME set (?:offline|single_user|restricted_user|emergency|read_only)"),
  starts("server", "pragma (?:\\w+ \\. )?(?:writable_schema|ignore_check_constraints)"),
  holds(
    "server",
    "(?:pg_terminate_backend|pg_drop_replication_slot|pg_reload_conf|pg_rotate_logfile|sp_configure|sp_detach_db|dbms_system) ",
  ),
  holds(
    "read-password",
    "(?:from|join|,) (?:(?:pg_catalog|sys|dbo|master) \\. (?:\\. )?)?(?:pg_shadow|pg_authid|sql_logins|syslogins|user\\$)(?: |$)",
  ),
  holds("read-password", "(?:authentication_string|password|\\*) (?:[^;]{0,200} )?from mysql \\. user"),
  holds("read-password", "from (?:vault \\. )?decrypted_secrets(?: |$)"),
  // The columns in which applications keep passwords and tokens, and not a count of them.
  holds(
    "read-password",
    "(?:select|distinct|,|\\.) (?:\\w{0,40}(?:password|passwd)(?:_?(?:hash|digest|salt))?|encrypted_password|hashed_password|(?:totp|mfa|otp|client)_secret|(?:api|access|refresh|auth|reset)_(?:token|key)|api_?secret|private_key|secret_key|decrypted_secret) (?:,|from|as) ",
  ),
  holds("run-program", "(?:to|from) program TEXT"),
  holds("run-program", "(?:\\w+ \\. )*xp_cmdshell(?: @?\\w+ =)?(?: \\()? (?:n )?TEXT"),
  holds(
    "run-program",
    "(?:xp_cmdshell|sp_oacreate|sp_oamethod|xp_regwrite|sp_execute_external_script|dbms_scheduler|dbms_java)(?: |$)",
  ),
  holds("run-program", "(?:sys_exec|sys_eval|load_extension|shell_exec|executable|system) \\( TEXT"),
  starts(
    "run-program",
    `create (?:or replace )?(?:aggregate )?function [^;]{0,2000} (?:soname|language (?:c|plpython\\w*|plperlu|pltclu|plsh|javau?))(?: |$)`,
  ),
  starts("run-program", `create (?:assembly|extension ${IF_EXISTS}(?:plpython\\w*|plperlu|pltclu|plsh))(?: |$)`),
  holds(
    "read-file",
    "(?:load_file|pg_read_file|pg_read_binary_file|pg_ls_dir|pg_stat_file|lo_import|readfile|read_text|read_blob|bfilename|openrowset) \\( (?:bulk )?(?:n )?TEXT",
  ),
  holds("read-file", "(?:load_file|pg_read_file|pg_read_binary_file|lo_import|readfile|utl_file|openrowset)(?: |$)"),
  starts("read-file", "load data (?:low_priority |concurrent )?(?:local )?infile TEXT"),
  starts("read-file", "(?:copy|bulk insert) [^;]{0,2000} from TEXT"),
  starts("read-file", "attach (?:database )?(?:if not exists )?TEXT"),
  starts("read-file", "import (?:foreign schema|table|database)"),
  holds("write-file", "into (?:outfile|dumpfile) TEXT"),
  starts("write-file", "copy [^;]{0,2000} to TEXT"),
  // Data of a warehouse goes to an address.
  starts("write-file", "copy into TEXT from "),
  starts("write-file", "unload [^;]{0,2000} to TEXT"),
  starts("write-file", "export data options [^;]{0,400}TEXT"),
  starts("write-file", "vacuum (?:\\w+ )?into TEXT"),
  starts("write-file", "(?:backup|export) [^;]{0,2000} (?:disk = |to |directory )TEXT"),
  holds("write-file", "(?:lo_export|writefile) \\("),
  starts(
    "change",
    "(?:insert|replace|merge|upsert|create|alter|drop|comment on|rename|reindex|vacuum|refresh|cluster|import|load|copy [^;]{0,2000} from|call|exec|execute|lock|optimize|repair|undrop|update|delete) ",
  ),
  starts(
    "change",
    `(?:create|alter|comment on|reindex|optimize|lock) (?:(?:temporary|temp|unlogged|external|foreign|materialized|or|replace) )*(?:table|view) ${IF_EXISTS}NAME`,
  ),
  starts("change", "(?:replace|merge|upsert) into NAME"),
  starts("change", "pragma [\\w. ]+ = "),
  holds("change", "(?:insert|merge) into NAME"),
  starts("change", "select [^;]{0,2000} into (?!outfile|dumpfile|@|:)NAME from "),
]);

/** Without one of these words no text of SQL does more than read. */
const SQL_ORDERS = () =>
  /\b(?:drop|truncate|delete|update|insert|replace|merge|upsert|create|alter|grant|revoke|deny|rename|comment|reindex|vacuum|refresh|cluster|import|load|copy|call|exec\w*|do|prepare|lock|optimize|repair|purge|restore|backup|export|unload|bulk|reset|shutdown|kill|restart|stop|change|flush|set|reassign|attach|pragma|into|undrop|delimiter|dbms_\w+|xp_\w+|sp_\w+|pg_(?:terminate|drop|reload|rotate|read|ls|stat|shadow|authid)\w*|lo_(?:im|ex)port|load_\w+|readfile|writefile|read_text|read_blob|bfilename|utl_file|openrowset|sys_e\w+|sql_logins|syslogins|decrypted_secrets?|\w*passw\w*|\w+_(?:secret|token|key)|program|executable|system|mysql)\b/i;

const NONE: readonly SqlAct[] = [];
const TAKEN_BACK: ReadonlySet<string> = new Set(["delete-all", "update-all", "change"]);
/** Where MySQL reads another text than the standard: comments that it runs, and escapes in strings. */
const READ_APART = /[\\#]|--|\/\*/;
const BEGINS = () =>
  /^(?:begin(?:\s(?:transaction|tran|work|deferred|immediate|exclusive)\b.*)?|start\stransaction\b.*)$/s;
const COMMITS = /^(?:commit|end)\b/;
const ROLLS_BACK = /^(?:rollback|abort)(?!\sto\b)/;
const EXPLAINS = () =>
  /^(?:explain|describe|desc)\b((?:\s(?:analyze|verbose|extended|\([^()]*\)|format\s=\s\w+|query\splan))*)/;
/** Statements that run a text as SQL. */
const RUNS_TEXT = () =>
  /(?:^|\s)(?:do|execute|exec|execute\simmediate|prepare|sp_executesql|dblink|dblink_exec|query_to_xml|openquery|delimiter|cron\s\.\sschedule|set\s@\w+|declare\s@\w+)(?:\s|$)/;
const OPENINGS = () =>
  /^\s*(?:(?:--[^\n]*\n|\/\*M?!\d*|\/\*[\s\S]{0,2000}?\*\/|[;(])\s*)*(?:select|with|insert|update|delete|drop|truncate|alter|create|grant|revoke|merge|replace|explain|describe|show|begin|start\s+transaction|commit|rollback|use|set|exec|execute|call|do|copy|load\s+data|attach|pragma|vacuum|declare|if|kill|shutdown|prepare|deny|rename|purge|reset|lock|comment\s+on|backup|restore|analyze|table|values|refresh|reindex|reassign|flush|optimize|bulk|import|export)\b/i;
const MAX_NESTING = 3;
const MAX_LENGTH = 2000;
