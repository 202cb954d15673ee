/** Whether a key or a variable of this name may hold a secret: `GITHUB_TOKEN`, `api-key`, `clientSecret`, `DATABASE_URL`. */
export function mayNameSecret(name: string): boolean {
  const words = wordsOf(name);
  if (words.some((word) => SECRET_WORDS.has(word))) return true;
  return ADDRESSES.has(words.at(-1) ?? "") && words.some((word) => STORES.has(word));
}

/** Whether whatever stands under this name is a secret: `password`, `apiKey`, `DB_PASSWORD`. */
export function namesSecret(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? "";
  return PASSWORDS.has(last) || PASSWORDS.has(`${words.at(-2) ?? ""}${last}`);
}

/** Words are split without regular expressions that ignore case: making one costs a short call a millisecond. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[_\-. ]/);
}

const PASSWORDS: ReadonlySet<string> = new Set([
  "password",
  "passwd",
  "passphrase",
  "secret",
  "authorization",
  "apikey",
  "privatekey",
  "secretkey",
  "accesstoken",
  "refreshtoken",
  "authtoken",
]);
const SECRET_WORDS: ReadonlySet<string> = new Set([
  ...PASSWORDS,
  "token",
  "key",
  "pat",
  "pwd",
  "credential",
  "credentials",
  "auth",
  "cookie",
  "dsn",
  "pass",
]);
const ADDRESSES: ReadonlySet<string> = new Set(["url", "uri", "string"]);
const STORES: ReadonlySet<string> = new Set([
  "database",
  "redis",
  "mongo",
  "mongodb",
  "postgres",
  "postgresql",
  "mysql",
  "amqp",
  "connection",
  "webhook",
]);
