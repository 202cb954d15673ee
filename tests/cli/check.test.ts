import { execFileSync } from "node:child_process";
import { chmodSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { project } from "./sluice.ts";

interface Found {
  readonly code: string;
  readonly what: string;
  readonly fix: string;
  readonly line: number;
  readonly column: number;
}

/** What `check` finds in one file of the project, beside these other files. */
function found(name: string, text: string, others: Readonly<Record<string, string>> = {}) {
  const { sluice } = project({ [name]: text, ...others });
  return JSON.parse(sluice("check", "--json").out) as { errors: Found[]; warnings: Found[] };
}

/** The text with a sign at the place that is expected, and without it. */
function marked(text: string) {
  const [before = "", after = ""] = text.split("►");
  const lines = before.split("\n");
  return { text: before + after, place: { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 } };
}

describe("a problem inside a hook is shown at its own line and column", () => {
  const rows: [name: string, file: string, code: string, text: string][] = [
    [
      "an operator of a rule",
      "hooks.yaml",
      "rule/unknown-operator",
      "hooks:\n  - event: tool:pre_execute\n    inline_rules:\n      - { field: tool, operator: exists, action: deny }\n      - field: tool\n        operator: ►equlas\n        value: x\n        action: deny\n",
    ],
    [
      "an expression that cannot be read",
      "hooks.yaml",
      "rule/refused-regex",
      "hooks:\n  - event: tool:pre_execute\n    inlineRules:\n      - field: tool\n        operator: matches\n        value: ►'('\n        action: deny\n",
    ],
    [
      "a line of a block of rules",
      "hooks.yaml",
      "rule/syntax",
      'hooks:\n  - event: tool:pre_execute\n    rules: |\n      # the tool\n      tool equals "bash" -> deny("no")\n      args.command ►contans "rm" -> deny("no")\n',
    ],
    [
      "an expression in a line of rules",
      "hooks.yaml",
      "rule/refused-regex",
      'hooks:\n  - event: tool:pre_execute\n    rules: |\n      tool equals "bash" -> deny("no")\n      ►tool matches "(" -> deny("no")\n',
    ],
    [
      "a line of rules in JSON",
      "hooks.json",
      "rule/syntax",
      '{ "hooks": [\n  { "event": "tool:pre_execute",\n    "rules": "tool equals \\"a\\" -> deny()\\ntool ►exsts -> deny()" }\n] }\n',
    ],
    [
      "the condition of a `when`",
      "hooks.yaml",
      "rule/condition",
      "hooks:\n  - event: tool:pre_execute\n    name: x\n    when: { if: 'args.command ►contain \"x\"', then: { command: 'true' } }\n",
    ],
    [
      "a condition of several lines, deep inside",
      "hooks.yaml",
      "rule/condition",
      'hooks:\n  - event: tool:pre_execute\n    all:\n      - command: "true"\n      - retry:\n          times: 1\n          of:\n            when:\n              tool: a\n              then: { command: "true" }\n              else:\n                when:\n                  if: |\n                    tool equals "bash" and\n                    tool ►equls "x"\n                  then: { command: "true" }\n',
    ],
    [
      "a condition that ends too early",
      "hooks.json",
      "rule/condition",
      '{ "hooks": [\n  { "event": "tool:pre_execute",\n    "when": { "if": "tool equals►", "then": { "command": "true" } } }\n] }\n',
    ],
    [
      "an expression of a condition",
      "hooks.yaml",
      "rule/refused-regex",
      "hooks:\n  - event: tool:pre_execute\n    when: { if: ►'tool matches \"(\"', then: { command: 'true' } }\n",
    ],
    [
      "the second slot of a prompt that names nothing",
      "hooks.yaml",
      "prompt/unknown-filter",
      "hooks:\n  - event: tool:pre_execute\n    prompt: |\n      Is {{args.command}} harmless?\n      It is ►{{args.command | lenght}} long.\n",
    ],
  ];
  it.each(rows)("%s", (_name, file, code, text) => {
    const expected = marked(text);
    expect(found(`.sluice/${file}`, expected.text).errors).toMatchObject([{ code, ...expected.place }]);
  });
});

describe("what could never match or never be called is an error", () => {
  const rows: [name: string, code: string, words: RegExp, text: string][] = [
    [
      "a field one letter away from one that there is",
      "rule/near-field",
      /Did you mean "args\.command"/,
      'hooks:\n  - event: tool:pre_execute\n    rules: |\n      ►arg.command contains "rm" -> deny("no")\n',
    ],
    [
      "the same in the other form",
      "rule/near-field",
      /Did you mean "tool"/,
      "hooks:\n  - event: tool:pre_execute\n    inline_rules:\n      - field: ►tol\n        operator: exists\n        action: deny\n",
    ],
    [
      "a tool where no event has one",
      "config/no-tool",
      /names a tool for "session:start:bash", an event without a tool/,
      "hooks:\n  - event: ►session:start:bash\n    command: 'true'\n",
    ],
    [
      "a tool of a matcher where no event has one",
      "config/no-tool",
      /Leave the tool out/,
      "hooks:\n  - matcher:\n      events: [SessionStart]\n      tools: ►[bash]\n    command: 'true'\n",
    ],
    [
      "a field one letter away at any depth",
      "rule/near-field",
      /Did you mean "args\.command"/,
      'hooks:\n  - event: tool:pre_execute\n    rules: |\n      tool exists and ►args.comand contains "rm" -> deny("no")\n',
    ],
    [
      "a field of a condition",
      "rule/near-field",
      /Did you mean "args\.command"/,
      "hooks:\n  - event: tool:pre_execute\n    when: { if: ►'args.comand exists', then: { command: 'true' } }\n",
    ],
    [
      "a sign that patterns do not know",
      "rule/unknown-pattern",
      /patterns know \*, \*\*, \?, \[…\] and \{a,b\}\. Write "src\/\*\*", with `not`/,
      'hooks:\n  - event: tool:pre_execute\n    rules: |\n      path glob "►!src/**" -> deny("no")\n',
    ],
    [
      "the same in a matcher",
      "rule/unknown-pattern",
      /Write the choices in braces: "\{a,b\}\/\*"/,
      "hooks:\n  - matcher: { events: [PreToolUse], path_patterns: [x, ►'+(a|b)/*'] }\n    command: 'true'\n",
    ],
    [
      "a path that no file has",
      "rule/dead-path",
      /begins with `\.\/`, and no path does; no file of a call would ever fit it\. Write "src"/,
      "hooks:\n  - event: tool:pre_execute\n    inline_rules:\n      - field: path\n        operator: starts_with\n        value: ►./src\n        action: deny\n",
    ],
    [
      "an operator that says nothing about the field",
      "rule/no-line",
      /Write `call writes …`/,
      'hooks:\n  - event: tool:pre_execute\n    rules: path ►writes "src/**" -> deny("no")\n',
    ],
    [
      "an event that nothing can emit",
      "config/unknown-event",
      /Did you mean "tool:pre_execute"/,
      "hooks:\n  - event: ►tool:pre_exec\n    command: 'true'\n",
    ],
    [
      "a kind of tools that there is not",
      "config/unknown-kind",
      /Did you mean "@shell"/,
      "hooks:\n  - event: ►tool:pre_execute:@shel\n    command: 'true'\n",
    ],
    [
      "a tool whose name is nearly that of an agent's",
      "hook/near-tool",
      /the tool wirte_file, which no agent is known to have.* Did you mean "write_file"/,
      "hooks:\n  - event: ►tool:pre_execute:wirte_file\n    command: 'true'\n",
    ],
    [
      "a short name of a tool with two letters swapped",
      "hook/near-tool",
      /the tool Bahs, which no agent is known to have.* Did you mean "bash"\? A tool kind such as @shell means such a tool in every agent/,
      "hooks:\n  - event: ►tool:pre_execute:Bahs\n    command: 'true'\n",
    ],
    [
      "a rule behind a wider one",
      "rule/never-reached",
      /never reached: where it matches, `args.command contains "git" -> continue\(\)` has decided before it\. Put the narrower rule first/,
      'hooks:\n  - event: tool:pre_execute\n    rules: |\n      args.command contains "git" -> continue()\n      ►args.command starts_with "git push" -> deny("no")\n',
    ],
    [
      "a tool whose name has other capitals than that of any agent",
      "hook/near-tool",
      /Did you mean "bash"/,
      "hooks:\n  - matcher: { events: [PreToolUse], tools: [►BASH, my_tool, mcp__a__bash_] }\n    command: 'true'\n",
    ],
  ];
  it.each(rows)("%s", (_name, code, words, text) => {
    const expected = marked(text);
    const { sluice } = project({ ".sluice/hooks.yaml": expected.text });
    const { code: exit, out } = sluice("check", "--json");
    const { errors } = JSON.parse(out) as { errors: Found[] };
    expect(exit).toBe(1);
    expect(errors).toMatchObject([{ code, ...expected.place }]);
    expect(`${errors[0]?.what} ${errors[0]?.fix}`).toMatch(words);
  });

  it("a path of this very project", () => {
    const { root, sluice } = project({ ".sluice/hooks.yaml": "" });
    writeFileSync(
      join(root, ".sluice/hooks.yaml"),
      `hooks:\n  - event: tool:pre_execute\n    rules: path glob "${root}/src/**" -> deny("no")\n`,
    );
    const { errors } = JSON.parse(sluice("check", "--json").out) as { errors: Found[] };
    expect(errors).toMatchObject([{ code: "rule/dead-path", fix: 'Write "src/**", or ask for path_absolute.' }]);
  });
});

describe("what is most likely a mistake is told, and costs nothing", () => {
  const rows: [name: string, code: string, words: RegExp, text: string][] = [
    [
      "a key that no rule has",
      "rule/unknown-key",
      /Did you mean "reason"/,
      "hooks:\n  - event: tool:pre_execute\n    inline_rules:\n      - field: tool\n        operator: exists\n        action: deny\n        reson: ►no\n",
    ],
    [
      "a script that is not there",
      "hook/no-script",
      /none\.sh, which is not there/,
      "hooks:\n  - event: tool:pre_execute\n    script: ►./none.sh\n",
    ],
    [
      "a script of which nothing says how it runs",
      "hook/not-executable",
      /chmod \+x/,
      "hooks:\n  - event: tool:pre_execute\n    script: ►./plain\n",
    ],
    [
      "the interpreter of a script",
      "hook/no-interpreter",
      /needs \/no\/such\/interpreter, which the first line of .*odd\.sh/,
      "hooks:\n  - event: tool:pre_execute\n    script: ►./odd.sh\n",
    ],
    [
      "a program by its path that is not there",
      "hook/no-program",
      /starts \.\/none\.sh, which is not there/,
      "hooks:\n  - event: tool:pre_execute\n    command: ►./none.sh --fast\n",
    ],
    [
      "a script that an interpreter is given and that is not there",
      "hook/no-program",
      /starts scripts\/none\.py, which is not there/,
      "hooks:\n  - event: tool:pre_execute\n    args: ►[python3, scripts/none.py]\n",
    ],
    [
      "the file of a plugin that is not there",
      "hook/no-module",
      /\.\/none\.ts, which is not there/,
      "hooks:\n  - event: tool:pre_execute\n    type: plugin\n    module: ►./none.ts\n",
    ],
    [
      "the package of a plugin that is not there",
      "hook/no-module",
      /no-such-package, which is not there/,
      "hooks:\n  - event: tool:pre_execute\n    type: plugin\n    module: ►no-such-package\n",
    ],
    [
      "an event that only programs fire",
      "hook/never-sent",
      /matches llm:stream_start, which no agent sends/,
      "hooks:\n  - ►event: llm:stream_start\n    command: 'true'\n",
    ],
    [
      "an event beside the events of a matcher",
      "config/both-events",
      /Keep one of them/,
      "hooks:\n  - event: session:start\n    matcher:\n      ►events: [SessionEnd]\n    command: 'true'\n",
    ],
    [
      "a rule behind a wider one that decides the same",
      "rule/never-reached",
      /never reached/,
      'hooks:\n  - event: tool:pre_execute\n    rules: |\n      args.command contains "git" -> deny("a")\n      ►args.command starts_with "git push" -> deny("no")\n',
    ],
    [
      "a tool that only a program or a server may have",
      "hook/unknown-tool",
      /matches the tool deploy, which no agent is known to have/,
      "hooks:\n  - event: ►tool:pre_execute:deploy\n    command: 'true'\n",
    ],
  ];
  it.each(rows)("%s", (_name, code, words, text) => {
    const expected = marked(text);
    const scripts = { plain: "echo\n", "odd.sh": "#!/no/such/interpreter\n" };
    const { errors, warnings } = found(".sluice/hooks.yaml", expected.text, scripts);
    expect(errors).toEqual([]);
    expect(warnings).toMatchObject([{ code, ...expected.place }]);
    expect(`${warnings[0]?.what} ${warnings[0]?.fix}`).toMatch(words);
  });

  it("one name for two hooks in two files of a layer", () => {
    const hook = "hooks:\n  - name: guard\n    event: tool:pre_execute\n    command: 'true'\n";
    const { warnings } = found(".sluice/hooks.yaml", hook, {
      ".opencode/hooks.json": '{ "hooks": [{ "name": "guard", "event": "*", "command": "true" }] }',
    });
    expect(warnings).toMatchObject([
      { code: "config/same-name", what: expect.stringMatching(/in line 2 of .*hooks\.yaml\. Both run/) },
    ]);
  });

  it.each([
    [
      "whose first line ends as on Windows",
      "#!/bin/sh\r\ntrue\r\n",
      "hook/line-ends",
      "Save it with line ends of LF alone.",
    ],
    [
      "whose interpreter is not on the path",
      "#!/usr/bin/env nosuchpy\n",
      "hook/no-interpreter",
      "Install it, or correct",
    ],
    [
      "whose interpreter has arguments",
      "#!/usr/bin/env -S A=1 nosuchpy -u\n",
      "hook/no-interpreter",
      "Install it, or correct",
    ],
  ])("an executable script %s", (_name, text, code, fix) => {
    const { root, sluice } = project({ ".sluice/hooks.yaml": "hooks: [{event: '*', script: ./run}]\n", run: text });
    chmodSync(join(root, "run"), 0o755);
    const { errors, warnings } = JSON.parse(sluice("check", "--json").out) as { errors: Found[]; warnings: Found[] };
    expect(errors).toEqual([]);
    expect(warnings).toMatchObject([{ code, line: 1, column: 30 }]);
    expect(warnings[0]?.fix).toContain(fix);
  });

  it("nothing about scripts that can be run, tools where there are some, and fields that there are", () => {
    const { root, sluice } = project({
      ".sluice/hooks.yaml":
        "hooks:\n  - event: tool:pre_execute:bash\n    script: ./run\n  - event: stop\n    script: ./env\n  - event: tool:*:bash, session:start\n    script: ./run.sh\n  - event: '*'\n    rules: path exists or tool_input.x exists or mine.own exists -> deny()\n",
      run: "#!/bin/sh\n",
      env: "#!/usr/bin/env -S sh -e\n",
      "run.sh": "true\n",
    });
    for (const name of ["run", "env"]) chmodSync(join(root, name), 0o755);
    expect(JSON.parse(sluice("check", "--json").out)).toMatchObject({ errors: [], warnings: [] });
  });
});

describe("problems and warnings are counted alike", () => {
  const FILE =
    "hooks:\n  - event: tool:pre_exec\n    command: x\n  - event: session:start\n    command: x\n    timeout: soon\n";

  it.each(["check", "list"])("by sluice %s", (command) => {
    const { out, err } = project({ ".sluice/hooks.yaml": FILE }).sluice(command);
    expect(out + err).toContain("2 problems");
  });
});

it("a completion script is printed as JSON where that is asked for", () => {
  const { sluice } = project();
  const plain = sluice("completion", "fish").out;
  expect(JSON.parse(sluice("completion", "fish", "--json").out)).toEqual({ shell: "fish", script: plain.trimEnd() });
});

it("list, check, doctor, explain and fire count hooks and guards alike", () => {
  const hooks = ["a", "b"].map((name) => `  - { name: ${name}, event: "*", rules: 'tool equals "x" -> deny("x")' }\n`);
  const { sluice } = project({ ".sluice/hooks.yaml": `guards: standard\nhooks:\n${hooks.join("")}` });
  const counts = [
    sluice("list").out,
    sluice("check").out,
    sluice("doctor", "--verbose").out,
    sluice("explain", "ls").out,
    sluice("fire", "ls").out,
  ].map((out) => /\d+ hooks?, \d+ guards?/.exec(out)?.[0]);
  expect(counts).toEqual(Array(5).fill(counts[0]));
  expect(counts[0]).toMatch(/^2 hooks, \d+ guards$/);
});

it("what scripts run is the business of trust: check reads none of it", () => {
  const { root, sluice } = project({
    ".sluice/hooks.yaml": "hooks:\n  - { name: a, event: tool:pre_execute, command: sh ./first.sh }\n",
    "first.sh": "#!/bin/sh\n./second.sh\n",
    "second.sh": "#!/bin/sh\n",
  });
  const second = join(root, "second.sh");
  utimesSync(second, new Date(0), new Date(1000));
  expect(sluice("check").code).toBe(0);
  expect(statSync(second).atimeMs).toBe(0);
});

it("a named pipe in place of a file that is read is waited for by no command", () => {
  const { root, sluice } = project({ ".sluice/hooks.yaml": "guards: standard\n", ".orchestration/x": "" });
  for (const name of [".sluice/hooks.json", ".orchestration/agent_trace.jsonl", "package.json", ".git"])
    execFileSync("mkfifo", [join(root, name)]);
  expect(sluice("check").out).toContain("This is a named pipe, where a file with hooks is looked for.");
  expect(sluice("fire", "npm run x; rm -rf ~").code).toBe(2);
  expect(sluice("intents", "list").code).toBe(0);
});
