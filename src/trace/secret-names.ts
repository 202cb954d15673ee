/**
 * How far a name suggests a secret: under `password` anything is one, under `token` what has a digit and no blank,
 * under `key` only what looks random.
 */
export type NameStrength = "strong" | "medium" | "weak";

/** What a name means for its value; undefined for most names. */
export function nameStrength(name: string): NameStrength | undefined {
  const known = STRENGTHS.get(name);
  if (known !== undefined) return known === "none" ? undefined : known;
  const strength = strengthOf(wordsOf(name));
  if (STRENGTHS.size >= MAX_NAMES) STRENGTHS.clear();
  if (name.length <= LONGEST_NAME) STRENGTHS.set(name, strength ?? "none");
  return strength;
}

/** Events of one agent have the same few names. */
const STRENGTHS = new Map<string, NameStrength | "none">();
const MAX_NAMES = 1000;
const LONGEST_NAME = 100;

function strengthOf(words: readonly string[]): NameStrength | undefined {
  let found: NameStrength | undefined;
  for (const [at, word] of words.entries()) {
    const isJoined = PASSWORDS.has(`${words[at - 1] ?? ""}${word}`) || (at > 0 && SHORT_PASSWORD.test(word));
    const strength = isJoined ? "strong" : wordStrength(word);
    if (strength === undefined) continue;
    // `password_file` and `token_count` mention a secret without being one.
    const isLast = words.slice(at + 1).every((later) => SAME_SECRET().test(later));
    const counted = isLast ? strength : "weak";
    if (found === undefined || ORDER[counted] > ORDER[found]) found = counted;
  }
  const last = words.at(-1) ?? "";
  return found ?? (ADDRESSES.has(last) && words.some((word) => STORES.has(word)) ? "medium" : undefined);
}

const ORDER: Readonly<Record<NameStrength, number>> = { weak: 1, medium: 2, strong: 3 };

function wordStrength(word: string): NameStrength | undefined {
  if (PASSWORDS.has(word)) return "strong";
  if (TOKENS.has(word)) return "medium";
  if (KEYS.has(word)) return "weak";
  if (JOINED_PASSWORD.test(word)) return "strong";
  return word.length > 4 && word.endsWith("pass") && !PLAIN_PASS.test(word) ? "strong" : undefined;
}

/** Words are split without regular expressions that ignore case: making one costs a short call a millisecond. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[_\-.: ]/)
    .filter((word) => word !== "");
}

const PASSWORDS: ReadonlySet<string> = new Set([
  "password",
  "passwd",
  "passphrase",
  "passcode",
  "secret",
  "psk",
  "authorization",
  "apikey",
  "privatekey",
  "secretkey",
  "accesskey",
  "accesstoken",
  "refreshtoken",
  "authtoken",
  // The same in other languages; what is written with other letters is found by its own row.
  ...["passwort", "kennwort", "contrasena", "passe", "motdepasse", "mdp", "senha", "haslo", "wachtwoord", "losenord"],
  ...["passord", "adgangskode", "kodeord", "salasana", "heslo", "jelszo", "parola", "sifre", "lozinka", "parool"],
]);
const TOKENS: ReadonlySet<string> = new Set([
  "token",
  "credential",
  "credentials",
  "auth",
  "pwd",
  "pass",
  "pat",
  "dsn",
  "cookie",
  "jwt",
]);
const KEYS: ReadonlySet<string> = new Set(["key", "salt", "hmac", "signature"]);
/** `pgpassword`, `clientsecret`. */
const JOINED_PASSWORD = /(?:password|passwd|passphrase|secret|apikey|authtoken)$/;
/** After another word this is neither a verb nor a folder: `db_pass`, `MYSQL_PWD`. */
const SHORT_PASSWORD = /^(?:pass|pwd)$/;
const PLAIN_PASS = /^(?:by|com|tres|sur|over|under|encom)pass$/;
/** What may follow the name of a secret that is the same secret still. */
const SAME_SECRET = () =>
  /^(?:\d+|prod|production|staging|dev|development|test|testing|local|ci|base|value|new|old|current|default|primary|secondary|backup|live|plain|raw|b64|base64|env)$/;
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
