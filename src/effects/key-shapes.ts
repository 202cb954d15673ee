import { namesSecretFile } from "./programs/secret-files.ts";

/** A kind of key that can be recognised by its text, or by the variable that holds it, and the hosts that it is made for. */
interface KeyShape {
  readonly shape: RegExp;
  /** Without hosts, it may log in anywhere, and does not belong in a message to other machines. */
  readonly of?: RegExp;
}

const KEY_SHAPES: readonly KeyShape[] = [
  { shape: /-----BEGIN (?:[A-Z]+ ){0,3}PRIVATE KEY-----/ },
  { shape: /\b(?:AKIA|ASIA)[A-Z\d]{16}\b/, of: /\.amazonaws\.com$/ },
  {
    shape: /\bgh[pousr]_[A-Za-z\d]{30,}|\bgithub_pat_\w{30,}/,
    of: /(?:^|\.)(?:github|githubusercontent)\.com$|^ghcr\.io$/,
  },
  { shape: /\bglpat-[\w-]{20}/, of: /gitlab/ },
  { shape: /\bsk_live_\w{16,}/, of: /\.stripe\.com$/ },
  { shape: /\bxox[baprs]-\d[\w-]{10,}/, of: /(?:^|\.)slack\.com$/ },
  { shape: /\bsk-ant-[\w-]{20,}/, of: /(?:^|\.)(?:anthropic|claude)\.com$/ },
  { shape: /\bsk-(?:proj-)?[A-Za-z\d]{32,}/, of: /(?:^|\.)(?:openai|deepseek)\.com$|openrouter/ },
  { shape: /\bAIza[\w-]{35}/, of: /(?:^|\.)(?:googleapis|google)\.com$/ },
  { shape: /\bnpm_[A-Za-z\d]{36}/, of: /(?:^|\.)npmjs\.(?:org|com)$/ },
  {
    shape: /\$\{?(?:GITHUB|GH)_(?:\w+_)?(?:TOKEN|PAT)\b/,
    of: /(?:^|\.)(?:github|ghe|git)\.|(?:^|\.)githubusercontent\.com$|^ghcr\.io$/,
  },
  { shape: /\$\{?(?:GITLAB_(?:\w+_)?TOKEN|CI_JOB_TOKEN)\b/, of: /(?:^|\.)(?:gitlab|git)\b/ },
  {
    shape: /\$\{?AWS_(?:SECRET_ACCESS_KEY|SESSION_TOKEN)\b/,
    of: /\.amazonaws\.com$|\.(?:r2\.cloudflarestorage|digitaloceanspaces|backblazeb2|wasabisys)\.com$/,
  },
  { shape: /\$\{?STRIPE_(?:\w+_)?KEY\b/, of: /\.stripe\.com$/ },
  { shape: /\$\{?SLACK_(?:\w+_)?TOKEN\b/, of: /(?:^|\.)slack\.com$/ },
  { shape: /\$\{?NPM_(?:\w+_)?TOKEN\b/, of: /(?:^|\.)npmjs\.(?:org|com)$|(?:^|\.)(?:npm|registry)\./ },
  { shape: /\$\{?(?:ANTHROPIC|CLAUDE)_(?:\w+_)?(?:KEY|TOKEN)\b/, of: /(?:^|\.)(?:anthropic|claude)\.com$/ },
  {
    shape:
      /(?:SECRET|TOKEN|PASSWORD|API_?KEY|ACCESS_KEY|secret_access_key)[A-Za-z_]{0,40}\s{0,4}[=:]\s{0,4}["']?(?=[\w/+=-]{0,80}\d)(?=[\w/+=-]{0,80}[a-z])(?=[\w/+=-]{0,80}[A-Z])[A-Za-z\d/+_=-]{20,}/,
  },
];

/** Whether a text holds a key or a token, by its letters. */
export function hasKey(text: string): boolean {
  return ANY_KEY.test(text);
}

/** What key or token a text holds, by its letters: a whole private key, or a token of a known service. Those of examples are none. */
export function keyKindIn(text: string): string | undefined {
  if (WHOLE_KEY.test(text)) return "a private key";
  for (const [kind, shape] of KEY_KINDS) {
    const [found] = shape.exec(text) ?? [];
    if (found !== undefined && !/EXAMPLE|example|x{6}|X{6}|0{8}|1234567/.test(found)) return kind;
  }
  return undefined;
}

const WHOLE_KEY =
  /-----BEGIN (?:[A-Z]+ ){0,3}PRIVATE KEY-----(?:\s|\\n)+(?:[\w-]+: [^\n]*\n\s*){0,4}[A-Za-z\d+/=]{20,}/;
const KEY_KINDS: readonly (readonly [string, RegExp])[] = [
  ["a key of AWS", /\b(?:AKIA|ASIA)[A-Z\d]{16}\b/],
  ["a token of GitHub", /\bgh[pousr]_[A-Za-z\d]{30,}|\bgithub_pat_\w{30,}/],
  ["a token of GitLab", /\bglpat-[\w-]{20}/],
  ["a live key of Stripe", /\b[sr]k_live_\w{16,}/],
  ["a token of Slack", /\bxox[baprs]-\d[\w-]{10,}/],
  ["a key of Anthropic", /\bsk-ant-[\w-]{20,}/],
  ["a key of OpenAI", /\bsk-(?:proj-)?[A-Za-z\d]{32,}/],
  ["a key of Google", /\bAIza[\w-]{35}/],
  ["a token of npm", /\bnpm_[A-Za-z\d]{36}/],
];

/** Whether a text holds a key that is made for other hosts than those that it goes to. */
export function hasStrayKey(text: string, hosts: readonly string[]): boolean {
  if (hosts.length === 0 || !ANY_KEY.test(text)) return false;
  return KEY_SHAPES.some(
    ({ shape, of }) => shape.test(text) && hosts.some((host) => !OF_THIS_MACHINE.test(host) && of?.test(host) !== true),
  );
}

/** Whether a variable holds a key, a token or a password, by its name. */
export function isKeyName(name: string): boolean {
  return KEY().test(name) && !namesSecretFile(name);
}

/** The variables that hold keys and that a text of the shell inserts: `$NAME` and `${NAME}`, cut up or not. */
export function insertedKeys(source: string): readonly string[] {
  return insertedNames(source).filter(isKeyName);
}

/** All variables whose values a text of the shell inserts. */
export function insertedNames(source: string): readonly string[] {
  if (!source.includes("$")) return [];
  return [...source.matchAll(INSERTED())].map(([, braced, bare]) => braced ?? bare ?? "");
}

const KEY = () =>
  /(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|(?:ACCESS|PRIVATE|SECRET|ENCRYPTION|SIGNING|MASTER|APP)_KEY|DATABASE_URL|CONNECTION_STRING|_DSN|CREDENTIALS?)$/i;
/** `${NAME:+set}`, `${#NAME}` and a few first letters do not show it. */
const INSERTED = () => /\$(?:env:(?=\w))?(?:\{!?(\w+)(?!:0:[0-8]\})(?:\}|[-=?:#%/^,@](?!\+))|(\w+))/g;

const ANY_KEY = new RegExp(KEY_SHAPES.map(({ shape }) => shape.source).join("|"));
const OF_THIS_MACHINE = /^(?:localhost|127\.[\d.]+|::1|0\.0\.0\.0)$|\.(?:localhost|local|test|internal)$/;
