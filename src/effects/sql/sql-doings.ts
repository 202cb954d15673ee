import { once } from "../../event/once.ts";
import type { SqlDoing } from "./sql-act.ts";

/** Words of a statement that say what it does, as an expression over its pieces with single blanks between them. */
export interface SqlRow {
  readonly does: SqlDoing;
  /** Made when the first statement is read, which most calls never do. */
  readonly words: () => RegExp;
}

/** A statement that begins with these words, at its start, at the start of a line or of a block. */
function starts(does: SqlDoing, words: string): SqlRow {
  return { does, words: once(() => expression(`${START}(?:${words})`)) };
}

/** These words, wherever they stand. */
function holds(does: SqlDoing, words: string): SqlRow {
  return { does, words: once(() => expression(`(?:^|\\s)(?:${words})`)) };
}

/** Blanks stand for a blank or a new line; `NAME` for a name, `TEXT` for a string, by its number. */
function expression(words: string): RegExp {
  return new RegExp(words.replaceAll("NAME", NAME).replaceAll("TEXT", "'(?<text>\\d+)'").replaceAll(" ", "\\s"));
}

const NAME = "(?<name>[^\\s()=,;']+(?: \\. [^\\s()=,;']+)*)";
const START = "(?:^|\\n|(?:^|\\s)(?:begin|then|else|do|loop|atomic|transaction|tran) |\\) )(?:\\( )*";
const IF_EXISTS = "(?:if (?:not )?exists )?";

/** What each statement does; of the rows that match, all count, and `change` only where no other does. */
export const SQL_ROWS = once((): readonly SqlRow[] => [
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
  starts("change", "pragma [\\w. ]+ = "),
  holds("change", "(?:insert|merge) into NAME"),
  starts("change", "select [^;]{0,2000} into (?!outfile|dumpfile|@|:)NAME from "),
]);

/** Without one of these words no text of SQL does more than read. */
export const SQL_ORDERS =
  /\b(?:drop|truncate|delete|update|insert|replace|merge|upsert|create|alter|grant|revoke|deny|rename|comment|reindex|vacuum|refresh|cluster|import|load|copy|call|exec\w*|do|prepare|lock|optimize|repair|purge|restore|backup|export|unload|bulk|reset|shutdown|kill|restart|stop|change|flush|set|reassign|attach|pragma|into|undrop|delimiter|dbms_\w+|xp_\w+|sp_\w+|pg_(?:terminate|drop|reload|rotate|read|ls|stat|shadow|authid)\w*|lo_(?:im|ex)port|load_\w+|readfile|writefile|read_text|read_blob|bfilename|utl_file|openrowset|sys_e\w+|sql_logins|syslogins|program|executable|system|mysql)\b/i;
