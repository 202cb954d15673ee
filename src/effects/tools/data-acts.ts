import { objectOf } from "../../event/field.ts";
import { isSql, sqlActs } from "../sql/sql.ts";
import type { SqlAct, SqlDoing } from "../sql/sql-rows.ts";
import { addressIn, isLocalHost } from "./addresses.ts";
import type { CalledTool, ToolAct, ToolActKind } from "./tool-call.ts";
import { words } from "./verbs.ts";

/** What a call does to a database by the statements, filters and commands that it carries. */
export function dataActs(call: CalledTool): ToolAct[] {
  const found = [...sqlIn(call).flatMap(toolActsOf), ...graphActs(call), ...mongoActs(call), ...redisActs(call)];
  return found.some(({ kind }) => MAY_BE_LOCAL.has(kind)) && isLocalDatabase(call)
    ? found.filter(({ kind }) => !MAY_BE_LOCAL.has(kind))
    : found;
}

/** Statements of Cypher that delete whatever they match. */
function graphActs({ leaves }: CalledTool): ToolAct[] {
  return leaves.flatMap(({ key, value }): ToolAct[] => {
    if (typeof value !== "string" || !GRAPH_KEY.test(key) || !/\bdelete\b/i.test(value)) return [];
    const [text] = /^\s*match\b[\s\S]{0,4000}?\b(?:detach\s+)?delete\b/i.exec(value) ?? [];
    return text === undefined || /\bwhere\b|\{/i.test(text) ? [] : [{ kind: "data-loss", text }];
  });
}

/** What the statements do that a call carries. */
function sqlIn(call: CalledTool): readonly SqlAct[] {
  const all = [...call.words, ...call.server];
  const isSearch =
    call.words.some((word) => PAPERS.has(word)) ||
    (call.words.some((word) => SEARCHES.has(word)) && !all.some((word) => DATABASES.has(word)));
  const isDatabase = all.some((word) => DATABASES.has(word) || RUNS.has(word));
  const texts = call.leaves.flatMap(({ key, value }) => {
    if (typeof value !== "string" || value.length < 4) return [];
    if (SQL_KEY().test(key)) return [value];
    return isDatabase && !isSearch && LOOSE_KEY().test(key) && isSql(value) ? [value] : [];
  });
  return texts.length === 0 ? NONE : sqlActs(texts.join("\n;\n"));
}

function toolActsOf({ does, text, object }: SqlAct): ToolAct[] {
  const own: ToolAct = { kind: KINDS[does], text };
  if (does !== "change") return [own];
  // Records of what was done, and who gets in with which rights.
  if (RECORDS.test(object) && /^\s*(?:delete|update|truncate)\b/i.test(text)) return [{ kind: "data-loss", text }];
  return GETS_IN().test(text) ? [{ kind: "data-access", text }] : [own];
}

const RECORDS = /audit|(?:^|[._ ])(?:access|security|activity|event|admin|login|auth)_?(?:log|history|trail)/i;
const GETS_IN = () =>
  /^\s*(?:with\b[\s\S]{0,500}?\b)?(?:update|insert\s+into|replace\s+into)\b[\s\S]{0,2000}\b(?:\w*passw(?:or)?d\w*|\w*(?:user|admin|account|member|staff|profile|auth)\w*\b[\s\S]{0,500}\b(?:role\w*|is_?(?:admin|superuser|staff|owner)|permissions?|access_level|user_level|raw_\w*meta_data|wp_capabilities|mfa\w*|totp\w*|two_factor\w*|verified_at|balance|credits?))\b/i;

/** A file in the project, or a server on this machine; nothing that is called production. */
function isLocalDatabase({ leaves, words: name, server }: CalledTool): boolean {
  // A server for development and a database for tests are one's own.
  let isLocal = [...server, ...name].some((word) => /^(?:dev|local|test)$/.test(word));
  for (const { key, value } of leaves) {
    if (typeof value !== "string" || SQL_KEY().test(key) || LOOSE_KEY().test(key)) continue;
    if (/prod|live/i.test(value)) return false;
    const address = CONNECTION_KEY.test(key) ? addressIn(value) : undefined;
    const host = address?.hostname ?? (/^(?:host|hostname|server)$/.test(key) ? value : undefined);
    if (/^(?:database|db|databasename|dbname|connection|profile|schema)$/.test(key) && OWN_DATABASE.test(value))
      isLocal = true;
    if (host !== undefined && host !== "") {
      if (!isLocalHost(host)) return false;
      isLocal = true;
    } else if (FILE_KEY.test(key) && DATABASE_FILE.test(value)) {
      if (/^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(value) && !value.startsWith("/tmp/")) return false;
      isLocal = true;
    }
  }
  return isLocal;
}

/** What a call does to a store of documents: filters that mean everything, commands, code of its shell. */
function mongoActs(call: CalledTool): ToolAct[] {
  const { words: name, server, input } = call;
  const acts: ToolAct[] = [];
  const isMany = name.some((word) => MANY.has(word)) && name.some((word) => CHANGES.has(word));
  const filter = FILTER_KEYS.map((key) => input[key]).find((value) => value !== undefined);
  const isStore = [...name, ...server].some((word) => STORES.has(word)) || "collection" in input || "index" in input;
  // Rows that are given one by one are not all rows.
  const isListed =
    filter === undefined && Object.values(input).some((value) => Array.isArray(value) && value.length > 0);
  if (isMany && isStore && !isListed && isEverything(filter))
    acts.push({ kind: "data-loss", text: collectionOf(input) });
  for (const { value, key } of call.leaves) {
    if (key === "$out" || key === "$merge") acts.push({ kind: "data-loss", text: `${key} ${String(value)}` });
    if (typeof value === "string" && value.length < MAX_LENGTH && CODE_KEY().test(key)) {
      const [text] = LOSES().exec(value) ?? [];
      if (text !== undefined) acts.push({ kind: "data-loss", text });
    }
  }
  const [command, of] = Object.entries(objectOf(input.command ?? input.cmd ?? input.operation))[0] ?? [];
  if (
    command !== undefined &&
    /^(?:drop|dropDatabase|dropAllUsersFromDatabase|dropUser|renameCollection|shutdown)$/.test(command)
  )
    acts.push({ kind: "data-loss", text: `${command} ${typeof of === "string" ? of : ""}`.trim() });
  if (command === "delete") {
    const deletes = objectOf(input.command ?? input.cmd ?? input.operation).deletes;
    if (Array.isArray(deletes) && deletes.some((one) => isEverything(objectOf(one).q)))
      acts.push({ kind: "data-loss", text: `delete ${String(of)}` });
  }
  return acts;
}

function collectionOf({ collection, index, table, database }: CalledTool["input"]): string {
  return [collection ?? index ?? table ?? database].filter((value) => typeof value === "string").join("");
}

/** No filter, an empty one, or one that fits every document. */
function isEverything(filter: unknown): boolean {
  if (filter === undefined || filter === null || filter === "") return true;
  if (typeof filter === "string") return /^\s*(?:\{\s*\}|\*|\*:\*|true|1\s*=\s*1)\s*$/.test(filter);
  const keys = Object.keys(objectOf(filter));
  if (keys.length === 0) return true;
  const [only = ""] = keys;
  if (keys.length > 1) return false;
  if (only === "match_all" || only === "query") return only === "match_all" || isEverything(objectOf(filter).query);
  const test = objectOf(objectOf(filter)[only]);
  return only === "_id" && (test.$exists === true || test.$ne === null);
}

/** What a call does to a store of values by the commands that it carries or is named after. */
function redisActs({ words: name, server, leaves, input }: CalledTool): ToolAct[] {
  const all = [...name, ...server];
  const named = name.join("");
  if (/flush(?:all|db)/.test(named)) return [{ kind: "data-loss", text: named.toUpperCase() }];
  if (!all.some((word) => KEY_VALUE_STORES.has(word))) return [];
  const acts: ToolAct[] = [];
  for (const { key, value } of leaves) {
    if (typeof value !== "string" || !COMMAND_KEY().test(key)) continue;
    const line = [value, ...argumentsOf(input)].join(" ").trim();
    if (REDIS_LOSES().test(line)) acts.push({ kind: "data-loss", text: line.slice(0, MAX_LINE_LENGTH) });
    else if (OPENS().test(line)) acts.push({ kind: "data-access", text: line.slice(0, MAX_LINE_LENGTH) });
  }
  if (
    /^(?:delete|del|unlink|remove)/.test(named) &&
    leaves.some(({ key, value }) => /pattern|^keys?$/.test(key) && value === "*")
  )
    acts.push({ kind: "data-loss", text: "*" });
  return acts;
}

function argumentsOf({ args, arguments: more }: CalledTool["input"]): string[] {
  return [args, more].flat().filter((value) => typeof value === "string");
}

const KEY_VALUE_STORES = words("redis valkey keydb upstash dragonfly elasticache memcached");
const COMMAND_KEY = () => /^(?:command|cmd|commands|query|operation|action|line|script|args|argv|arguments)$/;
const REDIS_LOSES = () =>
  /^\s*(?:flush(?:all|db)|flush_all|shutdown|swapdb|script\s+flush|debug\s+(?:segfault|reload)|cluster\s+reset|function\s+flush)\b|\bredis\.call\(\s*['"]flush|^\s*eval\b[\s\S]*['"]\*['"][\s\S]*['"](?:del|unlink)['"]/i;
const OPENS = () =>
  /^\s*(?:config\s+(?:set|rewrite)|(?:slave|replica)of|module\s+load|acl\s+(?:set|del)\w*|migrate|debug)\b/i;
const MAX_LINE_LENGTH = 2000;

const MANY = words("many all bulk document record by_query row item entry point vector");
const CHANGES = words("delete remove update replace deletemany updatemany purge");
const STORES = words(
  "mongo mongodb atlas documentdb cosmos couchbase firestore elasticsearch elastic opensearch dynamodb pinecone qdrant weaviate milvus chroma supabase database db collection airtable",
);
const FILTER_KEYS =
  "filter query where selector match conditions ids id _id key Key keys document_id documentId record_id recordId recordIds row_id rowId".split(
    " ",
  );
const CODE_KEY = () => /^(?:code|script|command|cmd|query|eval|expression|js|operation|pipeline|function)$/;
const LOSES = () =>
  /\bdb\.(?:getSiblingDB\([^)]{0,80}\)\.)?(?:[\w$]{1,80}|getCollection\([^)]{0,80}\)|\[["'][^"']{0,80}["']\])?\.?(?:drop(?:Database|AllUsers)?\s{0,4}\(|(?:deleteMany|remove|delete_many)\s{0,4}\(\s{0,4}(?:\{\s{0,4}\})?\s{0,4}[),])|\b(?:delete_many|deleteMany)\s{0,4}\(\s{0,4}\{\s{0,4}\}\s{0,4}\)|\.drop_(?:database|collection)\s{0,4}\(|\.dropDatabase\s{0,4}\(/;
const MAX_LENGTH = 20_000;

const NONE: readonly SqlAct[] = [];
const KINDS: Readonly<Record<SqlDoing, ToolActKind>> = {
  drop: "data-loss",
  truncate: "data-loss",
  "delete-all": "data-loss",
  "update-all": "data-loss",
  "alter-drop": "data-loss",
  account: "data-access",
  server: "data-access",
  "read-password": "data-host",
  "read-file": "data-host",
  "write-file": "data-host",
  "run-program": "data-host",
  change: "data-change",
};
/** What is allowed on a local database. */
const MAY_BE_LOCAL: ReadonlySet<ToolActKind> = new Set<ToolActKind>(["data-loss", "data-access"]);
const GRAPH_KEY = /^(?:query|cypher|statement|cypherquery|q)$/;
const SQL_KEY = () => /sql|^(?:statements?|stmts?|ddl|dml|cql|hql|querystring|querytext|statementtext)$/;
const LOOSE_KEY = () =>
  /^(?:quer(?:y|ies)|q|rawquery|command|cmd|script|code|migration|text|expression|input|body|content|mutation|up|down)$/;
const CONNECTION_KEY = /url|uri|dsn|connection|conn|database|^db$/;
const FILE_KEY = /path|file|database|^db$|dsn|uri|url/;
const OWN_DATABASE =
  /^(?:[\w-]{0,60}[-_.])?(?:tests?|testing|dev|development|local|sandbox|fixtures?|ci)(?:[-_.][\w-]{0,60})?$/i;
const DATABASE_FILE = /\.(?:db|db3|sqlite|sqlite3|s3db|duckdb|ddb)$|^:memory:$|^sqlite:\/\/\/?[^/]/i;
/** What is looked for in papers is a sentence, also where a database is what they are about. */
const PAPERS = words("doc documentation guide tutorial faq knowledge article suggest recommend example");
const SEARCHES = words("search find lookup grep google web ask answer explain fetch write edit create issue chat");
const RUNS = words("query execute exec run statement migration migrate apply command transaction batch");
const DATABASES = words(`
  sql db database postgres postgresql pg psql mysql mariadb sqlite mssql sqlserver oracle supabase neon snowflake bigquery redshift
  clickhouse duckdb databricks athena trino presto cockroach cockroachdb planetscale turso libsql d1 prisma dbhub warehouse
  timescale cassandra dynamodb partiql tidb vertica teradata db2 hive spark singlestore yugabyte motherduck`);
