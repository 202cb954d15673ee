import { namesSecretFile } from "./secret-files.ts";

/** Whether a variable holds a key, a token or a password, by its name. */
export function isKeyName(name: string): boolean {
  return KEY.test(name) && !namesSecretFile(name);
}

/** The variables that hold keys and that a text of the shell inserts: `$NAME` and `${NAME}`, cut up or not. */
export function insertedKeys(source: string): readonly string[] {
  if (!source.includes("$")) return [];
  return [...source.matchAll(INSERTED)].map(([, braced, bare]) => braced ?? bare ?? "").filter(isKeyName);
}

const KEY =
  /(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|(?:ACCESS|PRIVATE|SECRET|ENCRYPTION|SIGNING|MASTER|APP)_KEY|DATABASE_URL|CONNECTION_STRING|_DSN|CREDENTIALS?)$/i;
/** `${NAME:+set}`, `${#NAME}` and a few first letters do not show it. */
const INSERTED = /\$(?:env:(?=\w))?(?:\{!?(\w+)(?!:0:[0-8]\})(?:\}|[-=?:#%/^,@](?!\+)[^}]*\})|(\w+))/g;
