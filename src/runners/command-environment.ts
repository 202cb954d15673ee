import { SCOPE_VARIABLE } from "../adapters/recipe.ts";
import { PREFIXES, VARIABLES } from "../event/environment.ts";
import type { Hook } from "../hook/hook.ts";

/** Tells a hook's own programs that they run inside a hook, and how deep. */
export const DEPTH_VARIABLE = "SLUICE_DEPTH";

/**
 * What a hook's process sees: the caller's environment without credentials, what the hook adds, and the event.
 * The event's names belong to the event alone: what it leaves unset stays unset, also inside another hook.
 * What changes how programs load never gets through.
 */
export function commandEnvironment(
  hook: Partial<Pick<Hook, "env" | "passEnv">>,
  event: Readonly<Record<string, string>>,
  depth: number,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value === undefined || isRefused(name)) continue;
    if (!isCredential(name) || hook.passEnv?.includes(name)) env[name] = value;
  }
  for (const [name, value] of Object.entries(hook.env ?? {})) if (!isRefused(name)) env[name] = value;
  return Object.assign(env, event, { [DEPTH_VARIABLE]: String(depth) });
}

function isRefused(name: string): boolean {
  return EVENT_NAMES.has(name) || name === SCOPE_VARIABLE || isHijack(name);
}

/** Agents hand their own keys down; a hook gets one only by name. */
export function isCredential(name: string): boolean {
  return CREDENTIAL.test(name);
}

/** Variables that make a program load or run something else. */
export function isHijack(name: string): boolean {
  return HIJACK.test(name);
}

const EVENT_NAMES: ReadonlySet<string> = new Set(
  PREFIXES.flatMap((prefix) => Object.keys(VARIABLES).flatMap((name) => [prefix + name, `${prefix}${name}_FILE`])),
);

const CREDENTIAL = new RegExp(
  [
    "_KEY(_ID)?$",
    "^KEY$",
    "API_?KEY",
    "TOKEN$",
    "TOKEN_",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "_PWD$",
    "_PAT$",
    "CREDENTIAL",
    "^AWS_",
    "^AZURE_",
    "^GOOGLE_APPLICATION_",
    "_AUTH$",
    "AUTH_CONFIG$",
    "AUTHORIZATION",
    "(^|_)(DATABASE|REDIS|MONGO(DB)?|POSTGRES(QL)?|MYSQL|AMQP)_(URL|URI|DSN)$",
    "_DSN$",
    "CONNECTION_STRING",
    "^OTEL_.*HEADERS$",
    "^SSH_ASKPASS",
    "COOKIE",
  ].join("|"),
  "i",
);

const HIJACK = new RegExp(
  [
    "^NODE_OPTIONS$",
    "^NODE_PATH$",
    "^LD_",
    "^DYLD_",
    "^GLIBC_TUNABLES$",
    "^GCONV_PATH$",
    "^BASH_ENV$",
    "^ENV$",
    "^BASH_FUNC_",
    "^SHELLOPTS$",
    "^BASHOPTS$",
    "^PROMPT_COMMAND$",
    "^PS4$",
    "^CDPATH$",
    "^ZDOTDIR$",
    "^PYTHON(STARTUP|PATH|HOME|INSPECT|BREAKPOINT|USERBASE|EXECUTABLE)$",
    "^PERL5(LIB|OPT|DB)$",
    "^PERLLIB$",
    "^RUBY(OPT|LIB)$",
    "^LUA_(INIT|PATH|CPATH)",
    "^(_?JAVA|JDK_JAVA|MAVEN)_(TOOL_)?OPTIONS$",
    "^LESS(OPEN|CLOSE)$",
    "^GIT_(EXTERNAL_DIFF|SSH|SSH_COMMAND|ASKPASS|PROXY_COMMAND|EDITOR|SEQUENCE_EDITOR|PAGER|EXEC_PATH|TEMPLATE_DIR)$",
    "^GIT_CONFIG",
    "^IFS$",
  ].join("|"),
  // Windows ignores the case of a name.
  process.platform === "win32" ? "i" : "",
);
