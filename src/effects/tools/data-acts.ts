import type { SqlDoing, SqlAct } from "../sql/sql-act.ts";
import { isSql, sqlActs } from "../sql/sql.ts";
import { addressIn, isLocalHost } from "./addresses.ts";
import { redisActs } from "./redis-acts.ts";
import { mongoActs } from "./mongo-acts.ts";
import type { ToolAct, ToolActKind } from "./tool-act.ts";
import type { CalledTool } from "./tool-call.ts";
import { words } from "./verbs.ts";

/** What a call does to a database by the statements, filters and commands that it carries. */
export function dataActs(call: CalledTool): ToolAct[] {
  const found = [...sqlIn(call).map(toolActOf), ...graphActs(call), ...mongoActs(call), ...redisActs(call)];
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
    if (SQL_KEY.test(key)) return [value];
    return isDatabase && !isSearch && LOOSE_KEY.test(key) && isSql(value) ? [value] : [];
  });
  return texts.length === 0 ? NONE : sqlActs(texts.join("\n;\n"));
}

function toolActOf({ does, text }: SqlAct): ToolAct {
  return { kind: KINDS[does], text };
}

/** A file in the project, or a server on this machine; nothing that is called production. */
function isLocalDatabase({ leaves }: CalledTool): boolean {
  let isLocal = false;
  for (const { key, value } of leaves) {
    if (typeof value !== "string" || SQL_KEY.test(key) || LOOSE_KEY.test(key)) continue;
    if (/prod|live/i.test(value)) return false;
    const address = CONNECTION_KEY.test(key) ? addressIn(value) : undefined;
    const host = address?.hostname ?? (/^(?:host|hostname|server)$/.test(key) ? value : undefined);
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
/** What one may do to a database of one's own. */
const MAY_BE_LOCAL: ReadonlySet<ToolActKind> = new Set<ToolActKind>(["data-loss", "data-access"]);
const GRAPH_KEY = /^(?:query|cypher|statement|cypherquery|q)$/;
const SQL_KEY = /sql|^(?:statements?|stmts?|ddl|dml|cql|hql|querystring|querytext|statementtext)$/;
const LOOSE_KEY =
  /^(?:quer(?:y|ies)|q|rawquery|command|cmd|script|code|migration|text|expression|input|body|content|mutation|up|down)$/;
const CONNECTION_KEY = /url|uri|dsn|connection|conn|database|^db$/;
const FILE_KEY = /path|file|database|^db$|dsn|uri|url/;
const DATABASE_FILE = /\.(?:db|db3|sqlite|sqlite3|s3db|duckdb|ddb)$|^:memory:$|^sqlite:\/\/\/?[^/]/i;
/** What is looked for in papers is a sentence, also where a database is what they are about. */
const PAPERS = words("doc documentation guide tutorial faq knowledge article suggest recommend example");
const SEARCHES = words("search find lookup grep google web ask answer explain fetch write edit create issue chat");
const RUNS = words("query execute exec run statement migration migrate apply command transaction batch");
const DATABASES = words(`
  sql db database postgres postgresql pg psql mysql mariadb sqlite mssql sqlserver oracle supabase neon snowflake bigquery redshift
  clickhouse duckdb databricks athena trino presto cockroach cockroachdb planetscale turso libsql d1 prisma dbhub warehouse
  timescale cassandra dynamodb partiql tidb vertica teradata db2 hive spark singlestore yugabyte motherduck`);
