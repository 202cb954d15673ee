import type { Environment } from "../event/environment.ts";
import type { Hook } from "../hook/hook.ts";

/** Tells a hook's own programs that they run inside a hook, and how deep. */
export const DEPTH_VARIABLE = "SLUICE_DEPTH";

/**
 * What a hook's process sees: the caller's environment without credentials, what the hook adds, and the event.
 * The event's variables win; what changes how programs load never gets through.
 */
export function commandEnvironment(hook: Hook, event: Environment, depth: number): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && (!isCredential(name) || hook.passEnv?.includes(name))) env[name] = value;
  }
  Object.assign(env, hook.env, event.small, { [DEPTH_VARIABLE]: String(depth) });
  for (const name of Object.keys(env)) if (isHijack(name)) delete env[name];
  return env;
}

/** Agents hand their own keys down; a hook gets one only by name. */
export function isCredential(name: string): boolean {
  return CREDENTIAL.test(name);
}

/** Variables that make a program load or run something else. */
export function isHijack(name: string): boolean {
  return HIJACK.test(name);
}

const CREDENTIAL = new RegExp(
  [
    "_(API_?)?KEY(_ID)?$",
    "^(API_?)?KEY$",
    "TOKEN$",
    "TOKEN_",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "CREDENTIAL",
    "^AWS_",
    "^AZURE_",
    "^GOOGLE_APPLICATION_",
    "_AUTH$",
    "^(DATABASE|REDIS|MONGO(DB)?|POSTGRES(QL)?|MYSQL|AMQP)_(URL|URI|DSN)$",
    "_DSN$",
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
    "^BASH_ENV$",
    "^ENV$",
    "^BASH_FUNC_",
    "^SHELLOPTS$",
    "^BASHOPTS$",
    "^PROMPT_COMMAND$",
    "^PS4$",
    "^ZDOTDIR$",
    "^PYTHON(STARTUP|PATH|HOME|INSPECT)$",
    "^PERL5(LIB|OPT|DB)$",
    "^RUBY(OPT|LIB)$",
    "^(_?JAVA|JDK_JAVA|MAVEN)_(TOOL_)?OPTIONS$",
    "^GIT_(EXTERNAL_DIFF|SSH|SSH_COMMAND|ASKPASS|PROXY_COMMAND|EDITOR|SEQUENCE_EDITOR|PAGER|EXEC_PATH|TEMPLATE_DIR)$",
    "^GIT_CONFIG",
    "^IFS$",
  ].join("|"),
);
