import type { SimpleCommand } from "../parse/command.ts";
import { isAway } from "./away.ts";
import { addRoles, argumentText, type RunReport } from "./call.ts";
import { isForTrials, namesProduction } from "./targets.ts";

/**
 * Reports data of people that a command takes out of production or of a service: a dump of a database, a list of customers, the users of a
 * login service, a bucket with what users have uploaded.
 */
export function tellExports(command: SimpleCommand, report: RunReport, commands: readonly SimpleCommand[]): void {
  const text = argumentText({ command }).slice(0, MAX_LENGTH);
  const row = EXPORTS.find(
    ({ programs, asks }) => programs.test(report.program) && asks.test(`${report.program} ${text}`),
  );
  if (
    row === undefined ||
    SHOWS_HELP.test(text) ||
    command.args.some((word) => !word.text.includes("//") && isForTrials(word))
  )
    return;
  const isReal = () => namesProduction(command, commands) || isAway(command, commands) || LIVE.test(text);
  if (row.anywhere === true || isReal()) addRoles(report, ["export"]);
}

interface ExportRow {
  readonly programs: RegExp;
  /** Matches the program with its arguments. */
  readonly asks: RegExp;
  /** Also where nothing names production: the service itself is the one that people use. */
  readonly anywhere?: true;
}

/** Words for people and what is known about them. */
const PEOPLE =
  "(?:customers?|users?|patients?|clients?|members?|participants?|subscribers?|contacts?|employees?|profiles?|persons?|people|students?|subjects?|accounts?|orders?|payments?|invoices?|sessions?|messages?|pii)";
const ABOUT_PEOPLE =
  "(?:e_?mails?|phones?|mobile|(?:full|first|last|sur|user)_?names?|name|address\\w*|birth\\w*|dob|ssn|iban|card_\\w+|passwords?\\w*|ip_?address|diagnos\\w*|salary|location|\\*)";

const EXPORTS: readonly ExportRow[] = [
  {
    programs:
      /^(?:pg_dump(?:all)?|pg_basebackup|mysqldump|mariadb-dump|mydumper|mysqlpump|mongodump|mongoexport|expdp|sqlpackage|bcp|clickhouse-backup|cbexport|neo4j-admin)$/,
    asks: /^(?!.*(?:--schema-only|--no-data|\s-s(?:\s|$)))/,
  },
  { programs: /^(?:redis|valkey|keydb)-cli$/, asks: /\s--rdb\s/ },
  {
    programs:
      /^(?:psql|pgcli|cockroach|usql|mysql|mariadb|mycli|sqlcmd|snowsql|bq|clickhouse-client|clickhouse|cqlsh|sqlplus|trino|presto|wp)$/,
    asks: new RegExp(
      `\\bselect\\b(?!\\s+count)[^;]{0,400}\\b${ABOUT_PEOPLE}(?=[\\s,)])[^;]{0,400}\\bfrom\\s+["\`]?[\\w.]*?${PEOPLE}\\b|\\\\copy\\b[^;]{0,400}\\bto\\b|\\binto\\s+outfile\\b`,
      "i",
    ),
  },
  { programs: /^(?:mongosh|mongo)$/, asks: new RegExp(`\\.${PEOPLE}\\.(?:find|aggregate)\\(`, "i") },
  {
    programs: /^(?:kafka-console-consumer(?:\.sh)?|kcat|kafkacat|rpk)$/,
    asks: new RegExp(`--from-beginning|-o\\s+beginning|[._-]pii\\b|-t(?:opic)?\\s+\\S*${PEOPLE}`, "i"),
  },
  {
    programs:
      /^(?:artisan|manage\.py|python3?|django-admin|wp|drush|rails|heroku|fly|flyctl|scp|rsync|sftp|kubectl|wrangler)$/,
    asks: new RegExp(
      `\\b(?:dumpdata|db export|db dump|sql-dump|pg:backups:(?:download|capture)|${PEOPLE} (?:list|export)|sftp get|d1 export)\\b|[:/][^\\s]*(?:${PEOPLE}|backup|dump|export)[^\\s/]*\\.(?:csv|sql|dump|json|xlsx|parquet|gz|zip|db|sqlite)\\s+\\S*$`,
      "i",
    ),
  },
  {
    programs:
      /^(?:firebase|gcloud|supabase|fly|flyctl|aws|az|auth0|stripe|pscale|turso|gam|okta|shopify|hubspot|neonctl)$/,
    asks: new RegExp(
      `\\b(?:auth:export|sftp get|firestore export|sql export|db dump\\b(?!.*--(?:local|schema-only))(?=.*--(?:linked|db-url|data-only))|dynamodb (?:scan|export-table\\S*)|rds start-export-task|cognito-idp list-users|users export|database dump|print users|${PEOPLE} list\\b(?=.*--(?:live|limit)))`,
      "i",
    ),
    anywhere: true,
  },
  {
    programs: /^(?:aws|gsutil|gcloud|s3cmd|mc|rclone|azcopy|s5cmd)$/,
    asks: new RegExp(
      `\\s(?:cp|sync|copy|rsync|mirror|get)\\s.*(?:s3|gs):\\/\\/\\S*(?:${PEOPLE}|backup|private)\\S*\\s+(?!\\S*:\\/\\/)\\S+`,
      "i",
    ),
    anywhere: true,
  },
  {
    programs: /^(?:curl|wget|http|https|xh)$/,
    asks: new RegExp(
      `^(?!.*(?:localhost|127\\.0\\.0\\.1))(?=.*(?:\\s-H\\s|\\s-u\\s|--user|--header|Authorization|api_?key|\\s-o\\s|9200)).*\\/(?:admin\\/)?${PEOPLE}(?:\\.json)?(?:\\/(?:_search|export))?\\?\\S*(?:per_page|limit|size|page_size|count)=\\d{3,}`,
      "i",
    ),
    anywhere: true,
  },
];

const LIVE = /(?:^|\s)--(?:live|linked)\b/;
const SHOWS_HELP = /(?:^|\s)(?:--help|--version|-h)$/;
const MAX_LENGTH = 4000;
