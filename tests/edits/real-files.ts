import type { Dice } from "../readers/dice.ts";

/** A file in YAML, put together from pieces of real ones. */
export function realYaml(dice: Dice): string {
  const count = 1 + dice.below(5);
  const entries = Array.from({ length: count }, (_, index) => named(dice.pick(YAML_HOOKS), index));
  const between = dice.pick(BETWEEN);
  const shape = dice.pick(YAML_SHAPES);
  const body = shape(entries, between, dice);
  const hasKeys = /^"?hooks/.test(body);
  const isFitting = (piece: string) => hasKeys || !/^\w+:/m.test(piece);
  const head = dice.pick(YAML_HEADS.filter(isFitting));
  const tail = dice.pick(YAML_TAILS.filter(isFitting));
  const lines = head + body + (head.includes("intents:") && tail.includes("intents:") ? "" : tail);
  return finished(lines, dice);
}

/** The same in JSON. */
export function realJson(dice: Dice): string {
  const unit = dice.pick(["  ", "    ", "\t"]);
  const count = dice.below(5);
  const entries = Array.from({ length: count }, (_, index) => ({ ...dice.pick(JSON_HOOKS), name: `hook-${index}` }));
  const hooks = entries.map((entry) => {
    if (dice.onceIn(4)) return JSON.stringify(entry);
    if (dice.onceIn(4)) return `{ ${JSON.stringify(entry).slice(1, -1).replaceAll('":', '": ')} }`;
    return JSON.stringify(entry, null, unit);
  });
  const list = hooks.length === 0 ? "[]" : `[\n${hooks.map((hook) => indented(hook, unit)).join(",\n")}\n]`;
  const inside = dice.pick<(text: string) => string>([
    (text) => text,
    (text) => text,
    (text) => `{\n${indented(`"definitions": ${text},\n"disabled": ["hook-0", "hook-9"],\n"timeout": 20`, unit)}\n}`,
  ])(list);
  const members = [
    ...(dice.onceIn(2) ? [`"$schema": "https://example.org/sluice/schema.json"`] : []),
    ...(dice.onceIn(3) ? [`"guards": "strict"`] : []),
    ...(dice.onceIn(4) ? [`"guards_note": { "why": "CI", "list": [1, 2,3] }`] : []),
    `"hooks": ${inside}`,
    ...(dice.onceIn(3) ? [`"intents": {"mode": "advise"}`] : []),
  ];
  const commented = dice.onceIn(3) ? members.map((member) => `// About the next key.\n${member}`) : members;
  const text = dice.onceIn(8)
    ? `{"hooks": ${JSON.stringify(entries)}}\n`
    : `{\n${indented(commented.join(",\n"), unit)}\n}\n`;
  return finished(text, dice);
}

function finished(text: string, dice: Dice): string {
  const ended = dice.onceIn(5) ? text.replace(/\n+$/, "") : text;
  return dice.onceIn(5) ? ended.replaceAll("\n", "\r\n") : ended;
}

function indented(text: string, indent: string): string {
  return text.replaceAll(/^(?=.)/gm, indent);
}

function named(entry: string, index: number): string {
  return entry.replace("NAME", `hook-${index}`);
}

type YamlShape = (entries: readonly string[], between: string, dice: Dice) => string;

/** Where the list of hooks stands, and how far it is indented. */
const YAML_SHAPES: readonly YamlShape[] = [
  (entries, between) => `hooks:\n${listOf(entries, "  ", between)}`,
  (entries, between) => `hooks:\n${listOf(entries, "", between)}`,
  (entries, between) => `hooks:\n  # The list begins here.\n${listOf(entries, "  ", between)}`,
  (entries, between) => `"hooks":\n${listOf(entries, "    ", between)}`,
  (entries, between) => listOf(entries, "", between),
  (entries, between) =>
    `hooks:\n  definitions:\n${listOf(entries, "    ", between)}  disabled:\n    - hook-0 # flaky\n    - hook-9\n  timeout: 20\n`,
  (entries, between) =>
    `hooks:\n  disabled: [hook-0, 'hook-9'] # flaky\n  definitions:\n${listOf(entries, "  ", between)}`,
  (entries) =>
    `hooks: [${entries.map((_, index) => `{ name: hook-${index}, event: "*", command: ./a.sh }`).join(", ")}]\n`,
  (entries) =>
    `hooks: [\n${entries.map((_, index) => `  { name: hook-${index}, event: PreToolUse, command: "a, b" }`).join(",\n")}\n]\n`,
  () => "hooks: []\n",
  () => "hooks:\n",
  () => "hooks: [] # none yet\n",
];

function listOf(entries: readonly string[], indent: string, between: string): string {
  const items = entries.map((entry) => {
    const [first = "", ...rest] = entry.trimEnd().split("\n");
    return [`- ${first}`, ...rest.map((line) => (line === "" ? "" : `  ${line}`))].join("\n");
  });
  const whole = items.map((item, index) => (index === 0 ? item : `${between}${item}`)).join("\n");
  return `${indented(whole, indent)}\n`;
}

const BETWEEN = ["", "", "\n", "\n", "# The next one.\n", "\n# --- the next one ---\n# in two lines\n", "\n\n"];

const YAML_HEADS = [
  "",
  "# Hooks of this project.\n# `sluice check` reads this file.\n\n",
  "# yaml-language-server: $schema=./schema.json\n",
  "---\n",
  "guards: standard   # as the team agreed\n\n",
  "guards:\n  preset: strict\n  # Narrow exceptions, each with a reason.\n  allow:\n    - rule: force-push\n      path: sandbox/** # only there\n      reason: throw-away branches\n\ntrace: on\n",
  "guards: { preset: standard, allow: [] }\n",
  "guards: { preset: strict, allow: [{ rule: sudo, command: sudo apt update, reason: CI }] }\n",
  "trace: on\nintents:\n    mode: advise\n    on_unknown: ask\n",
];

const YAML_TAILS = [
  "",
  "",
  "\n",
  "# The end.\n",
  "\n# - name: example\n#   event: PreToolUse\n",
  "llm:\n  model: small # cheap\n",
  "\n\nintents: { mode: off }\n",
];

/** Hooks of real files: each begins with its name and has no indentation of its own. */
const YAML_HOOKS = [
  "name: NAME\nevent: PreToolUse\ncommand: ./check.sh",
  'name: NAME # what it is called\nevent: tool:pre_execute:@shell\nrules: |\n  # Nobody pushes to main.\n  args.command contains "push --force" -> deny("use --force-with-lease")\n\n  args.command runs "sudo" -> ask("really?")\ntimeout: 5',
  'name: NAME\nevent: PostToolUse\ncommand: >\n  npx prettier --write\n  "$SLUICE_FILE_PATH"\n\non_error: continue # formatting is no reason to stop',
  "# A comment before the name.\nname: NAME\nmatcher:\n  events: [tool:pre_execute]\n  tools:\n    - Bash\n    - Edit # and the like\n  command_patterns: ['git *', \"rm *\"]\ncommand: |-\n  set -e\n  if [ -f a ]; then\n    echo yes\n  fi",
  "name: 'NAME'\n\"event\": '*'\nenabled: true\ncommand: echo done",
  "name: NAME\nevent: session:start\nenabled: false # until the server is back\ncommand: curl -s localhost",
  '{ name: NAME, event: Stop, command: "say done", timeout: 3 }',
  "{ name: NAME, event: Stop, enabled: false, command: x }",
  "name: NAME\ndescription: \"A long description that goes on and on, with: colons, # signs and 'quotes', because somebody wanted to be thorough about what this hook is for.\"\nevent: UserPromptSubmit\nprompt: >-\n  Is this safe?\n\n  Answer with JSON.\ntype: llm",
  "name: NAME\nevent: PreToolUse\nwhen:\n  if: path matches \"^infra/\"\n  # what to run\n  then: { command: ./ask.sh }\nenv:\n  A: '1'\n  B: two",
  'name: NAME\nevent: PreToolUse\nrules: path glob "migrations/**" -> deny("closed")\ntags: [team,\n  infra]',
  "name: NAME\nevent: PreToolUse\ncommand: |+\n  printf 'a'\n\n",
  "event: PreToolUse\nname: NAME\ninline_rules:\n- field: args.command\n  operator: contains\n  value: sudo\n  action: deny\n- {field: path, operator: equals, value: .env, action: ask}",
  "name: NAME\nevent: PreToolUse\nenv: &env\n  A: '1'\ncommand: ./a.sh\nmore: *env",
  "name: NAME\n\nevent: PreToolUse\n\n# what it runs\ncommand: ./a.sh\n# the end of this hook",
];

const JSON_HOOKS = [
  { name: "", event: "PreToolUse", command: "./check.sh" },
  { name: "", event: "tool:pre_execute:@shell", enabled: false, rules: 'args.command contains "x" -> deny("no")' },
  { name: "", event: "Stop", enabled: true, command: "say done", timeout: 3 },
  {
    name: "",
    type: "inline",
    matcher: { events: ["tool:pre_execute"], tools: ["Bash"] },
    inline_rules: [{ field: "path", operator: "equals", value: ".env", action: "deny" }],
  },
  { name: "", event: "PostToolUse", command: 'npx prettier --write "$SLUICE_FILE_PATH"', env: { A: "1" }, tags: [] },
  { name: "", event: "UserPromptSubmit", description: "long ".repeat(40), command: "true" },
];
