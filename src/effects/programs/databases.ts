import { GAP, type SimpleCommand, type Word } from "../parse/command.ts";
import { sqlActs, sqlReads } from "../sql/sql.ts";
import { SQL_DOINGS } from "../sql/sql-rows.ts";
import { allValues } from "./act.ts";
import { type Call, has, known, pieceOf, plays, reads, sends, talks, value, values, writes } from "./call.ts";
import type { Programs } from "./program.ts";
import { lines } from "./runs.ts";
import { typedInto } from "./typed-commands.ts";

/** Clients and tools of databases. */
export const DATABASES = (): Programs => ({
  "psql pgcli cockroach usql vsql gsql": {
    options:
      "command|c= file|f= host|h= port|p= username|U= dbname|d= output|o= set|v|variable= tuples-only|t no-align|A no-psqlrc|X quiet|q list|l csv execute|e=",
    runs: (run) =>
      typedInto(
        run,
        values(run, "file"),
        values(run, "command"),
        /^\s*\\!\s*([\s\S]+)$|^\s*\\(?:o|g)\s*\|\s*([\s\S]+)$|\b(?:to|from)\s+program\s+'([^']+)'/i,
        {
          writes: /^\s*\\(?:o|w)\s+([^|\s]\S*)|\bcopy\b.{0,400}?\bto\s+'([^']+)'/i,
          reads: /^\s*\\(?:i|ir)\s+(\S+)|\bcopy\b.{0,400}?\bfrom\s+'([^']+)'/i,
        },
      ),
    does: (call) => {
      tellSql(call, values(call, "command", "execute"), values(call, "file"));
      for (const path of values(call, "file")) reads(call, path);
      connects(call, "host");
      writes(call, value(call, "output"));
    },
    examples: [
      ["psql -c 'select 1'"],
      ["psql -c 'DROP TABLE users'", "database work-loss"],
      ["psql -h db.test -c 'delete from users where id = 1'", "database network-in network-out", "talks to db.test"],
      ["psql -c 'DELETE FROM users'", "database work-loss"],
      ["psql -f a.sql", "database", "reads a.sql", "unknown: a.sql"],
      ["echo 'drop table x' | psql", "database work-loss"],
      ["psql -c '\\! rm x'", "runs rm x"],
      [`psql -c "copy t from '/srv/a.csv'"`, "reads /srv/a.csv"],
    ],
  },
  "mysql mariadb mycli": {
    options:
      "execute|e= host|h= user|u= password|p? port|P= database|D= socket|S= pager= batch|B silent|s skip-column-names|N",
    runs: (run) => [
      ...lines(run, "pager"),
      ...typedInto(run, [], values(run, "execute"), /^\s*(?:\\!|system)\s+([\s\S]+)$/, {
        writes: /^\s*(?:tee|\\T)\s+(\S+)|\binto\s+(?:outfile|dumpfile)\s+'([^']+)'/i,
        reads: /^\s*(?:source|\\\.)\s+(\S+)|\bload_file\(\s*'([^']+)'|\binfile\s+'([^']+)'/i,
      }),
    ],
    does: (call) => {
      tellSql(call, values(call, "execute"));
      connects(call, "host");
    },
    examples: [
      ["mysql -u root -e 'TRUNCATE logs'", "database work-loss"],
      ["mysql -e 'show tables'"],
      ["mysql -e '\\! rm x'", "runs rm x"],
      ["mariadb -e '\\! rm x'", "runs rm x"],
    ],
  },
  "sqlite3 sqlite duckdb sqlcmd": {
    code: "small",
    style: "whole",
    options: "cmd= init= separator= nullvalue= newline= Q= q= S= U= P= d= c=",
    runs: (run) =>
      typedInto(
        run,
        values(run, "init"),
        [...values(run, "cmd"), ...run.operands.slice(1)],
        /^\s*\.(?:shell|system)\s+([\s\S]+)$|^\s*\.(?:output|once|log)\s+\|\s*([\s\S]+)$/,
        {
          writes: /^\s*\.(?:output|once|log|save|backup|clone)\s+(?:main\s+)?([^|\s-]\S*)|\bwritefile\(\s*'([^']+)'/i,
          reads: /^\s*\.(?:import|read)\s+(?:--\S+\s+)*([^|\s-]\S*)|\breadfile\(\s*'([^']+)'/i,
        },
      ),
    does: (call) => {
      const texts = [...call.operands.slice(1), ...values(call, "cmd", "Q", "q", "c")];
      // A table that is made from files can be made again.
      tellSql(
        call,
        texts.map((word) => ({ ...word, text: word.text.replaceAll(MADE_OF_FILES(), "create table ") })),
      );
      reads(call, call.operands[0]);
      if (texts.some(({ text }) => /^\s*\.restore\b/.test(text))) plays(call, "database", "work-loss");
      if (call.report.roles.includes("database")) writes(call, call.operands[0]);
    },
    examples: [
      ["sqlite3 a.db 'select 1'", "reads a.db"],
      ["sqlite3 a.db '.shell rm x'", "runs rm x"],
      ["sqlite3 a.db '.import b.csv x'", "reads a.db", "reads b.csv"],
      ["sqlite3 a.db 'drop table x'", "database work-loss", "reads a.db", "writes a.db"],
      [`duckdb a.db "create or replace table t as from 'x.csv'"`, "database", "reads a.db", "writes a.db"],
    ],
  },
  "mongosh mongo": {
    options: "eval= host= port= username|u= password|p= authenticationDatabase= quiet file|f=",
    does: (call) => {
      const code = `${values(call, "eval")
        .map(({ text }) => text)
        .join("\n")}\n${call.report.piped}`;
      if (
        /\.drop(?:Database|Index(?:es)?|User|Role|All\w+)?\s*\(|\bdropDatabase\b|(?:update|replace)Many\s*\(\s*\{\s*\}\s*,|shutdownServer\s*\(|deleteMany\s*\(\s*(?:\{\s*\})?\s*\)|\.remove\s*\(\s*\{\s*\}/.test(
          code,
        )
      )
        plays(call, "database", "work-loss");
      else if (/\.(?:insert|update|delete|replace|remove|createUser|rename)\w*\s*\(/.test(code))
        plays(call, "database");
      const scripts = [...values(call, "file"), ...call.operands.filter(({ text }) => /\.[cm]?js$/.test(text))];
      call.report.scripts.push(...scripts);
      // Its input is code, so its origin matters.
      if (code.includes(GAP) || (!has(call, "eval") && scripts.length === 0)) call.report.input = "queried";
      connects(call, "host");
    },
    examples: [
      ["mongosh --eval 'db.dropDatabase()'", "database work-loss"],
      ["mongosh --eval 'db.x.find()'"],
      ["curl h.test | mongosh", "network-in", "fetches from h.test", "run-code", "network flows to shell"],
    ],
  },
  "redis-cli valkey-cli keydb-cli": {
    readOnly:
      "get|mget|keys|scan|ttl|type|exists|info|ping|hget|hgetall|hkeys|lrange|llen|smembers|scard|zrange|zcard|dbsize|strlen|time|client list|config get|slowlog get|lastsave",
    options: "h= p= a= n= u= s= user= pass= x tls r= i= eval= pipe c",
    style: "first",
    does: (call) => {
      const written = `${call.operands.map(({ text }) => text).join(" ")}\n${call.report.piped}`;
      // A script calls commands as well: `EVAL "redis.call('flushall')" 0`.
      const called = [...written.matchAll(/\bredis\.p?call\(\s*["'](\w+)["']/gi)].map(([, name]) => name);
      const command = [written, ...called].join("\n");
      if (/^[ \t]*(?:flushall|flushdb|shutdown|debug\s+(?:segfault|reload)|swapdb|script\s+flush)\b/im.test(command)) {
        plays(call, "database", "work-loss");
        // Without a host it is the database of this machine, which is for development.
        if (!has(call, "h", "u", "s", "tls") && /^[ \t]*flush/im.test(command)) plays(call, "recoverable");
      } else if (OPENS_REDIS().test(command)) plays(call, "database", "expose");
      else if (
        /^[ \t]*(?:del|unlink|set\w*|hset|hdel|rename|expire|lpush|rpush|sadd|zadd|eval|config\s+set|restore|move|incr|decr)\b/im.test(
          command,
        )
      )
        plays(call, "database", ...(call.report.isGivenAll(listsKeys) ? (["work-loss"] as const) : []));
      if (call.operands.length === 0 || has(call, "eval")) call.report.input = "queried";
      call.report.scripts.push(...values(call, "eval"));
      connects(call, "h");
    },
    examples: [
      ["redis-cli -n 1 FLUSHALL", "database work-loss recoverable"],
      [
        `redis-cli -h db.example.com eval "redis.call('flushall')" 0`,
        "database work-loss network-in network-out",
        "talks to db.example.com",
      ],
      ["redis-cli get x"],
      ["redis-cli set x 1", "database"],
    ],
  },
  "dropdb dropuser mysqladmin pg_restore pg_resetwal pg_dropcluster": {
    options:
      "host|h= port|p= username|U|u= dbname|d= clean|c create|C if-exists force|f user= execute|e jobs|j= list|l",
    does: (call) => {
      const { program } = call.report;
      const words = call.operands.map(({ text }) => text);
      if (program === "mysqladmin" && !words.some((text) => /^(?:drop|shutdown|flush)/.test(text))) return;
      // The option lists the content of a dump.
      if (program === "pg_restore" && has(call, "list")) return;
      plays(call, "database");
      if (program !== "pg_restore" || has(call, "clean")) plays(call, "work-loss");
      connects(call, "host");
    },
    examples: [
      ["dropdb app", "database work-loss"],
      ["mysqladmin -f drop app", "database work-loss"],
      ["mysqladmin status"],
      ["pg_restore -l a.dump"],
    ],
  },
  "pg_dump pg_dumpall mysqldump mongodump": {
    options: "host|h= port|p= username|U|u= dbname|d= file|f= format|F= result-file|r= out|o= table|t= schema|n=",
    does: [(call) => connects(call, "host"), { writes: allValues("file result-file out"), gives: "data" }],
    examples: [
      [
        "pg_dump -h db.test -f a.sql app",
        "network-in network-out",
        "talks to db.test",
        "writes a.sql",
        "network a.sql flows to file",
      ],
    ],
  },
  "snowsql impala-shell hive beeline spark-sql trino presto cypher-shell athena isql osql tsql bsqldb fisql sqlplus db2 vertica":
    {
      options: "query|q= execute|e= file|f= command|c|Q= S= U= u= host|h= port|p= user= password= database|d= i= n=",
      does: (call) => {
        tellSql(
          call,
          [...values(call, "query", "execute", "command"), ...call.operands.filter(({ text }) => /\s/.test(text))],
          [
            ...values(call, "file", "i"),
            // `sqlplus user@db @script`.
            ...call.operands.flatMap((word) => (/^@./.test(word.text) ? [pieceOf(word, word.text.slice(1))] : [])),
          ],
        );
        for (const path of values(call, "file", "i")) reads(call, path);
        if (/\bdetach\s+delete\b/i.test(call.command.args.map(({ text }) => text).join(" ") + call.report.piped))
          plays(call, "database", "work-loss");
      },
      examples: [
        ["hive -e 'DROP TABLE x'", "database work-loss"],
        ["snowsql -q 'select 1'"],
        ["cypher-shell 'MATCH (n) DETACH DELETE n'", "database work-loss"],
      ],
    },
  "mongorestore cqlsh clickhouse-client clickhouse influx bq etcdctl rabbitmqctl kafka-topics kafka-topics.sh kafka-consumer-groups kafka-consumer-groups.sh kafka-delete-records.sh rabbitmqadmin edgedb gel":
    {
      readOnly:
        "get|list|show|ls|query|status|member list|endpoint status|endpoint health|alarm list|user list|role list|list_queues|list_users|version|help",
      options: "drop execute|e= query|q= host|h= bucket= reset-offsets delete prefix topic= recursive|r force|f",
      does: (call) => {
        tellSql(call, [...values(call, "execute", "query"), ...call.operands.filter(({ text }) => /\s/.test(text))]);
        const [asked = "", second = ""] = call.operands.map(({ text }) => text);
        if (
          call.report.program === "kafka-delete-records.sh" ||
          has(call, "drop", "delete", "reset-offsets") ||
          DELETES.test(asked) ||
          (DELETES.test(second) && asked !== "get")
        )
          plays(call, "database", "work-loss");
        else if (
          /^(?:put|set|write|load|mk|cp|update|insert|declare)$/.test(asked) ||
          call.report.program === "mongorestore"
        )
          plays(call, "database");
        connects(call, "host");
      },
      examples: [
        ["mongorestore --drop dump", "database work-loss"],
        ["cqlsh -e 'DROP KEYSPACE x'", "database work-loss"],
        ["etcdctl get x"],
        ["etcdctl del x --prefix", "database work-loss"],
        ["kafka-topics.sh --list"],
      ],
    },
  elasticdump: {
    options: "input= output=",
    does: (call) => {
      for (const word of values(call, "output")) if (/^https?:/.test(word.text)) talks(call, "out", word);
      sends(call, "input");
    },
    examples: [["elasticdump --input=a --output=http://h.test", "network-out", "sends to h.test"]],
  },
});

const MADE_OF_FILES = () =>
  /create\s+or\s+replace\s+table\s+(?=[\w."]+\s+as\s[^;]{0,2000}?\bfrom\s+(?:'|read_\w+\s*\())/gi;
const DELETES = /^(?:delete|del|wipe|rm|reset|force_reset|delete_\w+|purge|purge_\w+|drop)$/;

/** Reports what SQL statements do to a database; files that cannot be read are judged by their names. */
export function tellSql(call: Call, texts: readonly { readonly text: string }[], files: readonly Word[] = []): void {
  const { report } = call;
  const { input } = call.command;
  // Statements are code, so their origin matters.
  if (texts.length === 0 || files.length > 0 || texts.some(({ text }) => text.includes(GAP))) report.input = "queried";
  report.scripts.push(...files);
  // A file that cannot be read may change data.
  const isUnread = input.from === "file" && report.handed() === undefined;
  if (isUnread || files.some((path) => report.textOf(path) === undefined)) plays(call, "database");
  const given = [report.piped, ...files.map((path) => report.textOf(path) ?? "")];
  if (input.from === "file" || (input.from === "commands" && report.piped === "")) given.push(report.handed() ?? "");
  const sql = `${texts.map(({ text }) => text).join(";")};${given.join(";")}`;
  // The output of a program whose arguments contain such statements is run as it is.
  const made = input.from === "commands" && report.handed() === undefined ? call.report.givers() : [];
  if (made.some(({ args }) => args.some(({ text }) => /\b(?:drop|truncate)\s+(?:table|database|schema)\b/i.test(text))))
    plays(call, "database", "work-loss");
  if (made.some(({ args }) => args.some(({ text }) => LOSING_SCRIPT().test(text))))
    plays(call, "database", "work-loss");
  if (made.some(({ program }) => /^(?:pg_dump|mysqldump|pg_dumpall|mongodump)$/.test(program?.text ?? "")))
    plays(
      call,
      "database",
      ...(FAR.test(call.command.args.map(({ text }) => text).join(" ")) ? (["work-loss"] as const) : []),
    );
  const named = input.from === "file" ? [...files, input.path] : files;
  if (named.some(({ text }) => LOSING_SCRIPT().test(text))) plays(call, "database", "work-loss");
  if (sql.length < 6) return;
  const acts = sqlActs(sql);
  const data = acts.length > 0 ? acts : sqlReads(sql);
  if (data.length > 0) report.data = data;
  if (acts.length === 0 && data.length > 0) report.gives ??= "data";
  for (const { does, text } of acts) {
    plays(call, ...SQL_DOINGS[does].roles);
    if (does === "account" && /^\s*drop\b/i.test(text)) plays(call, "work-loss");
  }
  if (
    /\b(?:alter|create)\s+(?:user|role)\b[^;]{0,200}\bsuperuser\b|\balter\s+table\b[^;]{0,400}\bdisable\s+row\s+level\b|\bgrant\s+all\b[^;]{0,200}\bto\s+["'`]?(?:public|%|'%)|\bgrant\s+all\b[^;]{0,40}\bon\s+\*\s?\.\s?\*\s+to\s+["'`]?[\w.-]{0,100}["'`]?\s?@\s?["'`]?%/i.test(
      sql,
    )
  )
    plays(call, "database", "expose");
  if (/\bcopy\b[^;]{0,500}\bprogram\b|\\!|\.shell\b|\.system\b|load_extension|into\s+outfile|xp_cmdshell/i.test(sql))
    plays(call, "run-code");
}

/** A host with a domain, or an address that is not of this machine. */
const FAR =
  /(?:^|\s)(?:-h\s?|--host[= ])(?!localhost|127\.)[\w-]+\.[\w.-]+|:\/\/(?:[^/@\s]*@)?(?!localhost|127\.)[\w-]+\.[\w.-]+/;
const LOSING_SCRIPT = () =>
  /(?:^|[/_.-])(?:drop|wipe|truncate|purge|nuke|destroy|delete|teardown)[\w.-]*\.(?:sql|cql|js)$/i;

/** Settings that make the server write files in other folders, or accept connections without a password. */
const OPENS_REDIS = () =>
  /^[ \t]*config\s+set\s+(?:dir\b|dbfilename\b|protected-mode\s+no|bind\s+\S*(?:0\.0\.0\.0|\*)|requirepass\s+(?:""|'')?\s*$)|^[ \t]*(?:module\s+load|(?:slave|replica)of\s+(?!no\b))/im;

/** Whether a command lists every key. */
function listsKeys({ program, args }: SimpleCommand): boolean {
  const words = args.map(({ text }) => text);
  return (
    program?.text === "redis-cli" &&
    (words.includes("*") ||
      (words.includes("--scan") && (!words.includes("--pattern") || words.includes("-h") || words.includes("-u"))))
  );
}

function connects(call: Call, option: string): void {
  const url = call.operands.find(({ text }) => /^[a-z][a-z0-9+]*:\/\//.test(text));
  const host = value(call, option) ?? url;
  if (host === undefined || /^(?:localhost|127\.|::1|\/)|@(?:localhost|127\.)/.test(host.text)) return;
  talks(call, "both", host.text === "" ? known("localhost") : host);
}

/** Code that empties a whole database through the library of a client. */
export function tellCodeLoss(call: Call, code: string): void {
  if (!LOSES_DATA().test(code)) return;
  plays(call, "database", "work-loss", ...(/localhost|127\.0\.0\.1/.test(code) ? (["recoverable"] as const) : []));
}

const LOSES_DATA = () =>
  /\bdbRemoveTable\(|\.(?:flush_?(?:db|all)|flushDb|flushAll|drop_?database|dropDatabase|drop_all|dropCollection|drop_collection|deleteMany\(\s*(?:\{\s*\})?\s*\)|delete_many\(\s*\{\s*\}\s*\)|truncate_all)\b|\.delete(?:Many|_many)\(\s*(?:\{\s*\})?\s*\)/;
