import { fieldOf } from "../parse/value.ts";
import { EQUIVALENTS } from "../programs/equivalents.ts";
import type { Inner } from "../programs/program.ts";
import { isSecretFile } from "../secret-files.ts";
import { isSql, sqlActs } from "../sql/sql.ts";
import type { Token } from "./literal.ts";

/** What code does to things that it names in its texts, by whatever call: files with keys, tables of a database, resources of a cloud. */
export function namedTargets(code: string, tokens: readonly Token[]): Inner[] {
  const texts = tokens.flatMap((token) => (token.is === "text" ? [token.text] : []));
  const found: Inner[] = [];
  if (READS.test(code))
    for (const text of texts.slice(0, MOST))
      if (text.length < LONGEST && /[./]/.test(text) && !/\s/.test(text) && isSecretFile(text))
        found.push({ runs: "write", path: fieldOf(homeIn(text)), way: "read", via: "" });
  if (ASKS_DATABASE.test(code))
    for (const text of texts.slice(0, MOST))
      if (isSql(text) && sqlActs(text).length > 0) found.push(EQUIVALENTS.sql(text, LOCAL.test(code)));
  if (CLOUD.test(code) && REMOVES.test(code)) found.push(EQUIVALENTS.cloudRemoval());
  if (KILLS_ALL.test(code)) found.push(EQUIVALENTS.killAll());
  return found;
}

/** What stands behind the home of a user, put together at run time. */
function homeIn(path: string): string {
  return path.startsWith("/.") ? `~${path}` : path;
}

const MOST = 64;
const LONGEST = 400;
const READS =
  /\b(?:open|read\w*|load\w*|slurp|lines|file_get_contents|readfile|fopen|file|require|File|Path|glob|IO|cat|parse\w*)\b/;
const ASKS_DATABASE =
  /\.(?:execute\w*|query\w*|raw|exec|run|\$executeRaw\w*|command)\s{0,9}\(|\b(?:mysqli_query|pg_query|sqlite_exec)\s{0,9}\(/;
const LOCAL = /localhost|127\.0\.0\.1|:memory:|[_-](?:test|dev)\b/;
const CLOUD = /\bboto3\b|aws-sdk|@google-cloud|google\.cloud|azure[.-]|digitalocean|\bAWS\./;
const REMOVES =
  /\.(?:delete\w*|terminate\w*|destroy\w*|purge\w*)\s{0,9}\(|\bDelete\w+Command\b|\bTerminate\w+Command\b/;
const KILLS_ALL =
  /\bkill\s{0,9}\(?\s{0,9}['"]?(?:9|15|KILL|SIGKILL|TERM|SIGTERM)['"]?\s{0,9},\s{0,9}-1\b|\bos\.kill\(\s{0,9}-1\b|process\.kill\(\s{0,9}-1\b/;
