/** A policy as files: the user's own and the project's. */
export interface PolicyFiles {
  readonly user: string;
  readonly project: string;
}

/** The rules of the project, one hook each, so that changes can name them. */
const HOOKS: Readonly<Record<string, string>> = {
  "no-deploy": `{ name: no-deploy, event: "tool:pre_execute:@shell", rules: 'args.command contains "make deploy" -> deny("not from here")' }`,
  "ask-fetch": `{ name: ask-fetch, event: "tool:pre_execute", rules: 'call runs ["curl", "wget"] -> ask("really fetch?")' }`,
  "no-forbidden": `{ name: no-forbidden, event: "tool:pre_execute", rules: 'content contains "FORBIDDEN" -> deny("forbidden")' }`,
  prod: `{ name: prod, event: "tool:pre_execute", rules: 'path glob "config/prod.json" -> deny("production")' }`,
  env: `{ name: env, event: "tool:pre_execute", rules: 'call writes ".env" -> ask("keys?")' }`,
  "clean-install": `{ name: clean-install, event: "tool:pre_execute", rules: 'args.command equals "npm install" -> modify(args.command, "npm ci")' }`,
  often: `{ name: often, event: "tool:pre_execute", rules: 'recent.tool_pre_execute.10m gt 14 and args.command contains "npx" -> ask("often")' }`,
  memory: `{ name: memory, event: memory:update, rules: 'event exists -> ask("memory")' }`,
  watched: `{ name: watched, event: "tool:pre_execute", mode: monitor, rules: 'args.command contains "ls" -> deny("watched")' }`,
};

/** A policy of these hooks, in this order. */
function policy(hooks: Readonly<Record<string, string>>, { guards = "standard", userHooks = "" } = {}): PolicyFiles {
  const list = Object.values(hooks).map((hook) => `  - ${hook}\n`);
  return {
    user: `guards: ${guards}\nundo: off\nhooks:${userHooks === "" ? " []" : `\n  - ${userHooks}`}\n`,
    project: `hooks:${list.length === 0 ? " []\n" : `\n${list.join("")}`}`,
  };
}

/** What calls are recorded under. */
export const BASE: PolicyFiles = policy(HOOKS);

function without(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(HOOKS).filter(([name]) => !names.includes(name)));
}

function changed(name: string, from: string, to: string): PolicyFiles {
  const hook = HOOKS[name] ?? "";
  if (!hook.includes(from)) throw new Error(`${name} has no ${from}`);
  return policy({ ...HOOKS, [name]: hook.replace(from, to) });
}

/** Thirty changes of the base policy, from loosening to moving, and none at all. */
export const CHANGES: Readonly<Record<string, PolicyFiles>> = {
  nothing: BASE,
  "a rule is taken out": policy(without("no-deploy")),
  "several rules are taken out": policy(without("no-deploy", "ask-fetch", "env")),
  "all rules are taken out": policy({}),
  "a denial becomes a question": changed("no-deploy", "deny(", "ask("),
  "a question becomes a denial": changed("ask-fetch", "ask(", "deny("),
  "a denial becomes a warning": changed("prod", "deny(", "warn("),
  "a rule is narrowed": changed("ask-fetch", '["curl", "wget"]', '["wget"]'),
  "a rule is widened": changed("ask-fetch", '["curl", "wget"]', '["curl", "wget", "git"]'),
  "a rule is renamed": changed("no-deploy", "name: no-deploy", "name: never-deploy"),
  "the rules are reordered": policy(Object.fromEntries(Object.entries(HOOKS).reverse())),
  "a rule is moved to the user": policy(without("no-deploy"), { userHooks: HOOKS["no-deploy"] ?? "" }),
  "all its reasons change": changed("env", "keys?", "are there keys in it?"),
  "a hook is switched off": changed("no-forbidden", "name: no-forbidden", "name: no-forbidden, enabled: false"),
  "a hook only watches": changed("prod", "name: prod", "name: prod, mode: monitor"),
  "a hook that watched decides": changed("watched", "mode: monitor, ", ""),
  "a hook comes first": changed("env", "name: env", "name: env, priority: 1"),
  "another tool is matched": changed("no-deploy", "@shell", "@write"),
  "a path pattern is another": changed("prod", "config/prod.json", "config/**"),
  "what is looked for in contents is another": changed("no-forbidden", "FORBIDDEN", "const"),
  "a change of the input is taken out": policy(without("clean-install")),
  "a change of the input is another": changed("clean-install", "npm ci", "make deploy"),
  "a question about the past is stricter": changed("often", "gt 14", "gt 2"),
  "a question about the past is taken out": policy(without("often")),
  "memory is frozen": changed("memory", "ask(", "deny("),
  "guards are raised": policy(HOOKS, { guards: "strict" }),
  "guards are raised to the top": policy(HOOKS, { guards: "paranoid" }),
  "guards are switched off": policy(HOOKS, { guards: "off" }),
  "a rule of a guard is switched off": policy(HOOKS, {
    guards: "{ preset: standard, rules: { git-force-push: off, privilege: warn } }",
  }),
  "guards let something pass": policy(HOOKS, {
    guards:
      "{ preset: standard, allow: [{ rule: privilege, command: sudo apt-get install jq, reason: the image needs it }] }",
  }),
  "guards only watch": policy(HOOKS, { guards: "{ preset: standard, mode: monitor }" }),
};
