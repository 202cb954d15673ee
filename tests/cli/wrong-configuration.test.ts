import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCommand } from "../command-server/run-command.ts";

/** A hook that has nothing to do with the mistake. */
const OTHER = `  - name: other
    event: tool:pre_execute:@shell
    rules: |
      call runs "forbidden" -> deny("not here")
`;

/** A file whose first hook has a mistake. */
const hook = (...lines: string[]) =>
  `hooks:\n  - name: wrong\n${lines.map((line) => `    ${line}\n`).join("")}${OTHER}`;
const gate = (...lines: string[]) => hook("event: tool:pre_execute:@shell", ...lines);
const rule = (text: string) => gate("rules: |", `  ${text}`);
const listed = (text: string) => gate("inline_rules:", `  - ${text}`);
const setting = (text: string) => `${text}\nhooks:\n${OTHER}`;

type Row = readonly [mistake: string, text: string | Uint8Array, code: string, place: string, step: string];

/** Mistakes of one hook or one setting; every other hook of the file stays on. */
const IN_ONE_PLACE: readonly Row[] = [
  ["a text for a time", gate("command: 'true'", "timeout: soon"), "hook/wrong-value", "5:14", "timeout: 500ms"],
  ["a negative time", gate("command: 'true'", "timeout: -5"), "hook/wrong-value", "5:14", "timeout: 500ms"],
  ["a text for a number", gate("command: 'true'", "priority: high"), "hook/wrong-value", "5:15", "`priority: 10`"],
  ["yes for true", gate("command: 'true'", "enabled: yes"), "hook/wrong-value", "5:14", "Write `true`"],
  ["a list for a text", gate("command: [echo, a]"), "hook/wrong-value", "4:14", "under `args`"],
  ["a number for a text", gate("command: 5"), "hook/wrong-value", "4:14", "Put it in quotes."],
  ["a text for a list", gate("args: echo a"), "hook/wrong-value", "4:11", "[npm, test]"],
  ["a list for an object", gate("command: 'true'", "env: [A=1]"), "hook/wrong-value", "5:10", "{ NAME: value }"],
  [
    "a text for a matcher",
    hook("matcher: Bash", "command: 'true'"),
    "hook/wrong-value",
    "3:14",
    "events: [PreToolUse]",
  ],
  ["a list of events", hook("event: [Stop, Error]", "command: 'true'"), "hook/wrong-value", "3:12", "commas"],
  ["no event", hook("command: 'true'"), "hook/no-event", "2:5", "tool:pre_execute"],
  ["a misspelt `event`", hook("evnt: Stop", "command: 'true'"), "hook/no-event", "3:5", "Rename `evnt` to `event`."],
  ["nothing to do", gate(), "hook/missing", "2:5", "Add it"],
  ["a misspelt `command`", gate("comand: 'true'"), "hook/missing", "4:5", "Rename `comand` to `command`."],
  ["a misspelt `prompt`", gate("promt: is it safe?"), "hook/missing", "4:5", "Rename `promt` to `prompt`."],
  ["a type for other keys", gate("type: inline", "command: 'true'"), "hook/missing", "5:5", "Write `type: command`"],
  ["an unknown type", gate("type: comand", "command: 'true'"), "hook/wrong-value", "4:11", '"command"'],
  ["a mode of another program", gate("command: 'true'", "mode: audit"), "hook/wrong-value", "5:11", '"monitor"'],
  ["a word of an agent", gate("command: 'true'", "on_error: block"), "hook/wrong-value", "5:15", '"deny"'],
  ["an unknown choice", gate("command: 'true'", "exit_codes: unix"), "hook/wrong-value", "5:17", "exit_codes: any"],
  ["a key twice", gate("command: a", "command: b"), "config/doubled-key", "5:5", "Keep one of them."],
  ["an anchor that is missing", hook("event: *pre", "command: 'true'"), "config/no-anchor", "3:12", '"*pre"'],
  ["a text for a hook", `hooks:\n  - tool:pre_execute\n${OTHER}`, "hook/no-object", "2:5", "`event` and `command`"],
  [
    "a misspelt event, with examples",
    hook(
      "event: tool:pre_exec:@shell",
      'rules: call runs "sudo" -> deny("no")',
      "examples: { deny: [sudo a], allow: [a] }",
    ),
    "config/unknown-event",
    "3:12",
    '"tool:pre_execute:@shell"',
  ],
  [
    "one misspelt event of two, with examples",
    hook("event: Stop, PreTolUse", 'rules: call runs "sudo" -> deny("no")', "examples: { deny: [sudo a] }"),
    "config/unknown-event",
    "3:12",
    '"PreToolUse"',
  ],
  [
    "a misspelt tool kind, with examples",
    hook("event: PreToolUse:@shel", 'rules: call runs "sudo" -> deny("no")', "examples: { deny: [sudo a] }"),
    "config/unknown-kind",
    "3:12",
    '"@shell"',
  ],
  [
    "a misspelt event in a matcher",
    hook(
      "matcher: { events: [Stop, PreTool] }",
      'rules: call runs "sudo" -> deny("no")',
      "examples: { deny: [sudo a] }",
    ),
    "config/unknown-event",
    "3:31",
    "sluice events",
  ],
  [
    "a tool where none is",
    hook("event: session:start:bash", "command: 'true'"),
    "config/no-tool",
    "3:12",
    "Leave the tool out",
  ],
  ["an unknown operator", rule('args.command contians "a" -> deny("no")'), "rule/syntax", "5:20", '"contains"'],
  ["an action of an agent", rule('args.command contains "a" -> block("no")'), "rule/syntax", "5:36", '-> deny("no")'],
  ["no arrow", rule('args.command contains "a" deny("no")'), "rule/syntax", "5:33", "-> deny("],
  ["an open bracket", rule('(args.command contains "a" -> deny("no")'), "rule/syntax", "5:34", 'Add ")" before it.'],
  ["an open quote", rule('args.command contains "a -> deny(no)'), "rule/syntax", "5:29", 'Add " after it'],
  [
    "a field one letter off",
    rule('arg.command contains "a" -> deny("no")'),
    "rule/near-field",
    "5:7",
    '"args.command"',
  ],
  ["a bad regex", rule('args.command matches "(" -> deny("no")'), "rule/refused-regex", "5:7", "Close it"],
  ["a lookahead", rule('args.command matches "a(?=b)" -> deny("no")'), "rule/refused-regex", "5:7", "two conditions"],
  ["a pattern of the shell", rule('path glob "@(a|b)/**" -> deny("no")'), "rule/unknown-pattern", "5:18", '"{a,b}/**"'],
  ["a pattern that excludes", rule('path glob "!(a)/**" -> deny("no")'), "rule/unknown-pattern", "5:18", "`not`"],
  ["a path that no file has", rule('path glob "./src/**" -> deny("no")'), "rule/dead-path", "5:18", '"src/**"'],
  [
    "a misspelt key of a rule",
    listed("{ feild: args.command, operator: contains, value: a, action: deny }"),
    "rule/misspelt",
    "5:18",
    "Rename `feild` to `field`.",
  ],
  [
    "an operator that is none, in a list",
    listed("{ field: args.command, operator: contians, value: a, action: deny }"),
    "rule/unknown-operator",
    "5:42",
    '"contains"',
  ],
  [
    "an action that is none, in a list",
    listed("{ field: args.command, operator: contains, value: a, action: reject }"),
    "rule/unknown-action",
    "5:70",
    '"deny"',
  ],
  ["an address without http", gate("url: localhost:8080"), "hook/no-address", "4:10", "http://"],
  ["a filter one letter off", gate("prompt: is {{args | lenght}} much?"), "prompt/unknown-filter", "4:16", '"length"'],
  ["a slot without an end", gate("prompt: is {{args much?"), "hook/open-slot", "4:16", "Close it"],
  [
    "a policy that cannot be read",
    gate(
      "cedar:",
      "  policies: |",
      "    permit(principal, action, resource);",
      "    forbid(principal action, resource);",
    ),
    "policy/bad-cedar",
    "7:26",
    "Correct it",
  ],
  ["a misspelt protection", setting("gaurds: strict"), "config/misspelt-protection", "1:1", "Rename it to `guards`."],
  ["a protection one letter off", setting("guards: stirct"), "config/wrong-protection", "1:9", '"strict"'],
  ["a file that is not there", setting("extends: [./none.yaml]"), "config/extends-nothing", "1:11", "Correct the path"],
  ["a number for files", setting("extends: 5"), "config/wrong-setting", "1:10", "Write `extends:"],
  [
    "nothing where something has to be",
    setting("telemetry: { otlp: {} }"),
    "config/missing-setting",
    "1:20",
    "Add `endpoint",
  ],
  ["a time in words", setting("journal: { keep: forever }"), "config/wrong-setting", "1:18", "`keep: 7d`"],
];

/** Mistakes that leave no list of hooks; the agent is told that a guard may be missing. */
const IN_THE_WHOLE_FILE: readonly Row[] = [
  ["tabs", `hooks:\n\t- name: wrong\n${OTHER}`, "config/yaml", "2:1", "Put spaces in place of the tabs"],
  ["an open quote", `hooks:\n  - name: "wrong\n${OTHER}`, "config/yaml", "2:17", "Add the quote"],
  ["an open bracket", gate("args: [echo"), "config/yaml", "5:3", "Close the bracket"],
  ["keys that are not in line", `hooks:\n  - name: a\n   event: Stop\n${OTHER}`, "config/yaml", "3:1", "exactly below"],
  ["no space behind a colon", `hooks:\n  - name:a\n    event: Stop\n${OTHER}`, "config/yaml", "2:5", "Write a space"],
  ["no dash", `hooks:\n    name: a\n    event: Stop\n${OTHER}`, "config/yaml", "4:1", "Begin every hook with `- `"],
  [
    "a colon in a text",
    gate('rules: path exists -> deny("no: never")'),
    "config/yaml",
    "4:12",
    "Put the text in quotes",
  ],
  ["an unquoted star", hook("event: *", "command: 'true'"), "config/yaml", "3:12", "Put it in quotes"],
  ["a backslash in double quotes", gate('command: "\\d"'), "config/yaml", "4:15", "single quotes"],
  ["an at sign", gate("command: @a"), "config/yaml", "4:14", "Put the text in quotes"],
  [
    "marks of a merge",
    `hooks:\n<<<<<<< HEAD\n${OTHER}=======\n>>>>>>> b\n`,
    "config/conflict",
    "2:1",
    "Keep one of the two",
  ],
  ["two documents", `hooks:\n${OTHER}---\nhooks: []\n`, "config/second-document", "6:1", "Remove the `---`"],
  ["a misspelt `hooks`", `hoks:\n${OTHER}`, "config/misspelt-hooks", "1:1", "under `hooks:`"],
  [
    "hooks by their names",
    "hooks:\n  other:\n    event: Stop\n    command: a\n",
    "config/hook-by-name",
    "2:3",
    "- name: other",
  ],
  ["a text", "hello\n", "config/no-configuration", "1:1", "`hooks:`"],
  ["a text for hooks", "hooks: none\n", "config/no-hooks", "1:8", "`- `"],
  ["bytes that are no text", Uint8Array.of(0x68, 0x6f, 0xff, 0x0a), "config/not-utf8", "1:3", "Save it as UTF-8."],
];

const JSON_FILES: readonly Row[] = [
  ["single quotes", "{ 'hooks': [] }", "config/json", "1:3", "Correct it"],
  ["a file that was cut", '{ "hooks": [', "config/json", "1:13", "Correct it"],
  ["a key twice", '{ "hooks": [], "hooks": [] }', "config/doubled-key", "1:16", "Keep one of them."],
];

test.each(IN_ONE_PLACE)("%s: one message at its place, and every other hook stays on", (_, text, code, place, step) => {
  const project = projectWith("hooks.yaml", text);
  expect(project.problems()).toEqual([told("hooks.yaml", code, place, step)]);
  expect(project.fired()).toBe("deny");
});

test.each(IN_THE_WHOLE_FILE)("%s: one message at its place, and agents are told", (_, text, code, place, step) => {
  const project = projectWith("hooks.yaml", text);
  expect(project.problems()).toEqual([told("hooks.yaml", code, place, step)]);
  expect(project.called()).toMatch(/guard may be missing.*sluice check/s);
});

test("a hook that is never called is one problem for check, test and doctor", () => {
  const examples = "examples: { deny: [sudo a], allow: [a] }";
  const project = projectWith(
    "hooks.yaml",
    hook("event: tool:pre_exec:@shell", "rules: path exists -> deny()", examples),
  );
  expect(project.problems()).toHaveLength(1);
  expect(JSON.parse(project.run("test", "--json").out).problems).toEqual([
    told("hooks.yaml", "config/unknown-event", "3:12", '"tool:pre_execute:@shell"'),
  ]);
  expect(project.run("doctor")).toMatchObject({
    code: 1,
    out: expect.stringMatching(/✗ .*hooks\.yaml:3:12: hook "wrong"/),
  });
});

test.each(JSON_FILES)("%s in JSON: one message at its place", (_, text, code, place, step) => {
  expect(projectWith("hooks.json", text).problems()).toEqual([told("hooks.json", code, place, step)]);
});

test.each([
  ["line ends of Windows", "hooks.yaml", `hooks:\n${OTHER}`.replaceAll("\n", "\r\n")],
  ["a byte order mark", "hooks.yaml", `\uFEFFhooks:\n${OTHER}`],
  ["a list alone", "hooks.yaml", OTHER],
  [
    "comments and trailing commas in JSON",
    "hooks.json",
    `{ // ours\n "hooks": [{ "event": "PreToolUse", "rules": "call runs \\"forbidden\\" -> deny()", }, ], }`,
  ],
])("%s: no mistake", (_, name, text) => {
  const project = projectWith(name, text);
  expect(project.problems()).toEqual([]);
  expect(project.fired()).toBe("deny");
});

function told(file: string, code: string, place: string, step: string): object {
  const [line, column] = place.split(":").map(Number);
  const whole = expect.stringContaining(join(".sluice", file));
  return expect.objectContaining({ code, file: whole, line, column, fix: expect.stringContaining(step) });
}

function projectWith(name: string, text: string | Uint8Array) {
  const root = mkdtempSync(join(tmpdir(), "sluice-wrong-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, ".sluice"));
  mkdirSync(join(root, "home"));
  writeFileSync(join(root, ".sluice", name), text);
  const home = join(root, "home");
  const env = { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, SLUICE_RESIDENT: "0" };
  const sluice = (args: string[], input = "") => runCommand(args, { cwd: root, env, input });
  const call = { hook_event_name: "PreToolUse", session_id: "s", cwd: root, tool_name: "Bash" };
  return {
    run: (...args: string[]) => sluice(args),
    problems: () => {
      const { errors, warnings } = JSON.parse(sluice(["check", "--json"]).out);
      return [...errors, ...warnings.filter(({ code }: { code: string }) => code !== "config/byte-order-mark")];
    },
    fired: () => JSON.parse(sluice(["fire", "forbidden", "--json"]).out).action,
    called: () => sluice(["run", "claude-code"], JSON.stringify({ ...call, tool_input: { command: "ls" } })).out,
  };
}
