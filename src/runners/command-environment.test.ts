import { afterEach, describe, expect, it, vi } from "vitest";
import { environmentOf } from "../event/environment.ts";
import { HookEvent } from "../event/event.ts";
import { Hook } from "../hook/hook.ts";
import { commandEnvironment, isCredential, isHijack } from "./command-environment.ts";

const CREDENTIALS = [
  "ANTHROPIC_API_KEY",
  "OPENAI_APIKEY",
  "API_KEY",
  "API_KEY_2",
  "GITHUB_TOKEN",
  "GH_PAT",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "TOKEN_FILE",
  "CLIENT_SECRET",
  "SECRET_SAUCE",
  "PGPASSWORD",
  "MYSQL_PWD",
  "my_password",
  "GPG_PASSPHRASE",
  "AWS_ACCESS_KEY_ID",
  "AWS_PROFILE",
  "AZURE_TENANT_ID",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "DATABASE_URL",
  "APP_DATABASE_URL",
  "SENTRY_DSN",
  "NPM_CONFIG__AUTH",
  "DOCKER_AUTH_CONFIG",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "SESSION_COOKIE",
];
const HARMLESS = [
  "PATH",
  "HOME",
  "LANG",
  "PWD",
  "OLDPWD",
  "SSH_AUTH_SOCK",
  "EDITOR",
  "KEYBOARD",
  "TZ",
  "CI",
  "LLM_TOKENS",
];
const HIJACKS = [
  "NODE_OPTIONS",
  "NODE_PATH",
  "LD_PRELOAD",
  "LD_LIBRARY_PATH",
  "DYLD_INSERT_LIBRARIES",
  "BASH_ENV",
  "ENV",
  "BASH_FUNC_ls%%",
  "SHELLOPTS",
  "PS4",
  "PYTHONSTARTUP",
  "PYTHONPATH",
  "PERL5OPT",
  "RUBYOPT",
  "JAVA_TOOL_OPTIONS",
  "_JAVA_OPTIONS",
  "GIT_SSH_COMMAND",
  "GIT_CONFIG_COUNT",
  "IFS",
];

describe("the environment of a hook", () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each(CREDENTIALS)("leaves the credential %s out unless the hook names it", (name) => {
    expect(isCredential(name)).toBe(true);
    vi.stubEnv(name, "hush");
    expect(environment({})).not.toHaveProperty([name]);
    expect(environment({ passEnv: [name] })).toHaveProperty([name], "hush");
  });

  it.each(HARMLESS)("lets %s through", (name) => {
    vi.stubEnv(name, "plain");
    expect(environment({})).toHaveProperty([name], "plain");
  });

  it.each(HIJACKS)("never holds %s, no matter where it is set", (name) => {
    expect(isHijack(name)).toBe(true);
    vi.stubEnv(name, "evil");
    expect(environment({ passEnv: [name], env: { [name]: "evil" } })).not.toHaveProperty([name]);
  });

  it("holds what the hook adds, credentials too", () => {
    vi.stubEnv("COLOUR", "red");
    const env = environment({ env: { COLOUR: "blue", MY_TOKEN: "mine" } });
    expect(env).toMatchObject({ COLOUR: "blue", MY_TOKEN: "mine" });
  });

  it("holds the event's fields, whatever the hook or the data say", () => {
    const event = new HookEvent({
      type: "tool:pre_execute",
      toolName: "Bash",
      data: { event: "spoof", tool_name: "evil", SLUICE_EVENT: "spoof", PATH: "/evil", depth: 0 },
    });
    const env = environment({ env: { SLUICE_EVENT: "spoof", FORGE_TOOL_NAME: "evil", SLUICE_DEPTH: "0" } }, event, 2);
    expect(env).toMatchObject({
      SLUICE_EVENT: "tool:pre_execute",
      FORGE_EVENT: "tool:pre_execute",
      OPENCODE_EVENT: "tool:pre_execute",
      FORGE_TOOL_NAME: "Bash",
      PATH: process.env.PATH,
      SLUICE_DEPTH: "2",
    });
    expect(Object.values(env)).not.toContain("spoof");
  });

  it("leaves unset what the event leaves unset, also inside another hook", () => {
    vi.stubEnv("SLUICE_TOOL_NAME", "outer");
    vi.stubEnv("FORGE_TOOL_ARGS_FILE", "/outer");
    const env = environment({ env: { OPENCODE_ERROR: "made up" } }, HookEvent.sessionStart("s1"));
    expect(env).toMatchObject({ SLUICE_SESSION_ID: "s1" });
    expect(Object.keys(env).filter((name) => /TOOL_|ERROR/.test(name))).toEqual([]);
  });
});

function environment(keys: object, event: HookEvent = HookEvent.toolPreExecute("Bash", { command: "ls" }), depth = 1) {
  const hook = new Hook({ event: "*", command: "true", ...keys });
  return commandEnvironment(hook, environmentOf(event).small, depth);
}
