/** Whether a key or a variable of this name may hold a secret: `GITHUB_TOKEN`, `api-key`, `clientSecret`, `DATABASE_URL`. */
export function mayNameSecret(name: string): boolean {
  return meaningOf(name).mayBe;
}

/** Whether whatever stands under this name is a secret: `password`, `apiKey`, `DB_PASSWORD`. */
export function namesSecret(name: string): boolean {
  return meaningOf(name).isOne;
}

interface Meaning {
  readonly mayBe: boolean;
  readonly isOne: boolean;
}

/** Events of one agent have the same few names. */
function meaningOf(name: string): Meaning {
  const known = MEANINGS.get(name);
  if (known !== undefined) return known;
  const words = wordsOf(name);
  const last = words.at(-1) ?? "";
  const isOfStore = ADDRESSES.has(last) && words.some((word) => STORES.has(word));
  const meaning = {
    mayBe: isOfStore || words.some((word) => SECRET_WORDS.has(word)),
    isOne: PASSWORDS.has(last) || PASSWORDS.has(`${words.at(-2) ?? ""}${last}`),
  };
  if (MEANINGS.size >= MOST_MEANINGS) MEANINGS.clear();
  if (name.length <= LONGEST_NAME) MEANINGS.set(name, meaning);
  return meaning;
}

const MEANINGS = new Map<string, Meaning>();
const MOST_MEANINGS = 1000;
const LONGEST_NAME = 100;

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
