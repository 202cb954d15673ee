import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { formatPlace, type Problem } from "../problem/problem.ts";
import { type LoadOptions, loadLayers } from "./load.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-load-"));
});

function write(file: string, content: string | object): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o644 });
}

function load(options: LoadOptions = {}) {
  return loadLayers(join(folder, "project"), {
    managedDir: join(folder, "managed"),
    managedOwner: process.getuid?.() ?? 0,
    env: { XDG_CONFIG_HOME: join(folder, "config") },
    ...options,
  });
}

/** `code file:line:column`, with the file as seen from the test's folder. */
function told(problems: readonly Problem[]): string[] {
  return problems.map(({ code, place }) => `${code} ${formatPlace(place ?? { file: "" }).replace(`${folder}/`, "")}`);
}

const hook = (name: string) => ({ name, event: "tool:*", command: "true" });
const named = (hooks: readonly { name: string }[]) => hooks.map(({ name }) => name);

describe("layers", () => {
  test("nothing there is no hook, no problem and no notice", () => {
    expect(load()).toMatchObject({ hooks: [], errors: [], warnings: [], files: [], notices: [] });
  });

  describe("what is there and leads nowhere is a problem, and every gate says so", () => {
    test.each([
      ["project/.sluice/hooks.yaml", "config/leads-nowhere project/.sluice/hooks.yaml:1:1"],
      ["project/.sluice/hooks.local.json", "config/leads-nowhere project/.sluice/hooks.local.json:1:1"],
      ["config/sluice/hooks.yaml", "config/leads-nowhere config/sluice/hooks.yaml:1:1"],
      ["managed/hooks.json", "config/leads-nowhere managed/hooks.json:1:1"],
      ["project/.sluice", "config/no-folder project/.sluice"],
      ["config/sluice", "config/no-folder config/sluice"],
      ["managed", "config/no-folder managed"],
    ])("a link at %s", (file, expected) => {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      symlinkSync("nowhere", join(folder, file));
      const { errors, files, notices } = load();
      expect(told(errors)).toEqual([expected]);
      expect(errors[0]?.fix).toMatch(/or remove it\.$/);
      expect(files).toMatchObject([{ path: join(folder, file), state: "corrupt" }]);
      expect(notices).toHaveLength(1);
    });

    test.each(["project/.sluice", "config/sluice"])("a file at %s", (file) => {
      write(file, "hooks: []");
      const { errors, files, notices } = load();
      expect(told(errors)).toEqual([`config/no-folder ${file}`]);
      expect(files).toMatchObject([{ path: join(folder, file), state: "corrupt" }]);
      expect(notices).toHaveLength(1);
    });
  });

  test("a folder behind a link is read like any other, if it is in the project", () => {
    write("project/elsewhere/hooks.json", [hook("linked")]);
    symlinkSync(join(folder, "project/elsewhere"), join(folder, "project/.sluice"));
    mkdirSync(join(folder, "config"));
    symlinkSync(folder, join(folder, "config/sluice"));
    expect(load()).toMatchObject({ hooks: [{ name: "linked" }], errors: [] });
  });

  test("what belongs to other programs may be anything", () => {
    write("project/.opencode", "theirs");
    write("config/forge", "theirs");
    expect(load()).toMatchObject({ hooks: [], errors: [], files: [] });
  });

  test("every file that is there counts, from managed to local", () => {
    write("project/.sluice/hooks.local.json", [hook("local")]);
    write("project/.forge/hooks.json", [hook("forge")]);
    write("project/.sluice/hooks.json", { hooks: [hook("project json")] });
    write("project/.sluice/hooks.yaml", "hooks:\n- {name: project yaml, event: '*', command: x}\n");
    write("config/opencode/hooks.json", { hooks: [hook("opencode")] });
    write("config/sluice/hooks.json", { hooks: { definitions: [hook("user")] } });
    write("managed/hooks.json", { hooks: [hook("managed")] });
    const { hooks, files } = load();
    expect(named(hooks)).toEqual(["managed", "user", "opencode", "project yaml", "project json", "forge", "local"]);
    expect(hooks.map(({ layer }) => layer)).toEqual([
      "managed",
      "user",
      "user",
      "project",
      "project",
      "project",
      "local",
    ]);
    expect(files.every(({ state }) => state === "read")).toBe(true);
  });

  test("a hook knows the file, the line and the position it comes from", () => {
    write("project/.sluice/hooks.yaml", "hooks:\n  - event: '*'\n    command: a\n  - event: '*'\n    command: b\n");
    const file = join(folder, "project/.sluice/hooks.yaml");
    expect(load().hooks[1]?.origin).toEqual({ layer: "project", index: 1, place: { file, line: 4, column: 5 } });
  });

  test("a combined hook has members of its own, each read for itself", () => {
    write(
      "project/.sluice/hooks.yaml",
      "hooks:\n  - event: session:stop\n    all:\n      - command: a\n      - command: b\n",
    );
    expect(load().hooks[0]?.parts.map(({ command }) => command)).toEqual(["a", "b"]);
  });

  test("a managed file that others may write is ignored, and that is told", () => {
    write("managed/hooks.yaml", "hooks: []\n");
    const { files, warnings } = load({ managedOwner: (process.getuid?.() ?? 0) + 1 });
    expect(files.map(({ state }) => state)).toEqual(["ignored"]);
    expect(told(warnings)).toEqual(["config/not-managed managed/hooks.yaml:1:1"]);
  });

  test("the same name in two layers never overrides: both run", () => {
    write("config/sluice/hooks.json", { hooks: [hook("guard")] });
    write("project/.sluice/hooks.json", { hooks: [{ ...hook("guard"), enabled: false }] });
    expect(load().hooks.map(({ layer, enabled }) => [layer, enabled])).toEqual([
      ["user", true],
      ["project", false],
    ]);
  });
});

describe("one bad part never drops the good ones", () => {
  test("a corrupt file costs its own hooks, and gates say so", () => {
    write("config/sluice/hooks.json", { hooks: [hook("mine")] });
    write("project/.sluice/hooks.yaml", "hooks:\n  - name: 'lost\n");
    write("project/.sluice/hooks.json", { hooks: [hook("good")] });
    const { hooks, errors, files, notices } = load();
    expect(named(hooks)).toEqual(["mine", "good"]);
    expect(told(errors)).toEqual(["config/yaml project/.sluice/hooks.yaml:3:1"]);
    expect(files.map(({ state }) => state)).toEqual(["read", "corrupt", "read"]);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatch(
      /^A guard may be missing: .*hooks\.yaml:3:1: This is not YAML: .*`sluice check` shows it\.$/,
    );
  });

  test("a bad entry costs itself, with a problem at its place", () => {
    write(
      "project/.sluice/hooks.yaml",
      [
        "hooks:",
        "  - name: good",
        "    event: tool:*",
        "    command: x",
        "  - name: no command",
        "    event: tool:*",
        "  - just a text",
        "  - name: wrong",
        "    event: tool:*",
        "    command: x",
        "    timeout: soon",
        "  - name: doubled",
        "    event: tool:*",
        "    event: session:*",
        "    command: x",
        "  - name: polluting",
        "    event: tool:*",
        "    command: x",
        "    env:",
        "      __proto__: x",
        "  - name: last",
        "    event: tool:*",
        "    command: x",
      ].join("\n"),
    );
    const { hooks, errors, notices } = load();
    expect(named(hooks)).toEqual(["good", "last"]);
    expect(hooks.map(({ origin }) => origin?.index)).toEqual([0, 6]);
    expect(told(errors)).toEqual([
      "hook/missing project/.sluice/hooks.yaml:5:5",
      "hook/no-object project/.sluice/hooks.yaml:7:5",
      "hook/wrong-value project/.sluice/hooks.yaml:11:14",
      "config/doubled-key project/.sluice/hooks.yaml:14:5",
      "config/forbidden-key project/.sluice/hooks.yaml:20:7",
    ]);
    expect(notices).toEqual([expect.stringContaining("Command hook requires 'command' or 'script' (and 4 more).")]);
  });

  test("strict throws the first problem, and warnings never", () => {
    write("project/.sluice/hooks.json", { hooks: [{ event: "tool:pre_execute", command: "x", priorty: 1 }] });
    expect(load({ strict: true }).hooks).toHaveLength(1);
    write("project/.sluice/hooks.json", { hooks: [{ event: "tool:pre_exec", command: "x" }] });
    expect(() => load({ strict: true })).toThrowError(expect.objectContaining({ code: "config/unknown-event" }));
    write("project/.sluice/hooks.json", "{");
    expect(() => load({ strict: true })).toThrowError(expect.objectContaining({ code: "config/json" }));
  });
});

describe("what is most likely a mistake is told where it stands", () => {
  test.each([
    ["hook/unknown-key", "    event: '*'\n    priorty: 1", "4:5", 'Did you mean "priority"?'],
    ["config/withheld-variable", "    event: '*'\n    env: { LD_PRELOAD: x }", "4:12", "Remove it"],
  ])("%s: %s", (code, lines, place, fix) => {
    write("project/.sluice/hooks.yaml", `hooks:\n  - name: fmt\n${lines}\n    command: x\n`);
    const { hooks, warnings } = load();
    expect(told(warnings)).toEqual([`${code} project/.sluice/hooks.yaml:${place}`]);
    expect(warnings[0]?.fix).toContain(fix);
    expect(hooks).toHaveLength(1);
  });

  test.each([
    ["config/unknown-event", "event: tool:pre_exec", "3:12", 'Did you mean "tool:pre_execute"?', "tool:*"],
    ["config/unknown-event", "event: tool:pre_exec:bash", "3:12", '"tool:pre_execute:bash"', "tool:*:bash"],
    ["config/unknown-event", "event: PreTolUse:bash", "3:12", 'Did you mean "PreToolUse:bash"?', "*"],
    ["config/unknown-event", "event: session:start, sesion:end", "3:12", '"session:end"?', "session:start,*"],
    ["config/unknown-event", "matcher: { events: [Stop, PreTool] }", "3:31", "`sluice events` lists", "Stop,*"],
    ["hook/unknown-condition", "matcher: { evnts: [Stop] }", "3:16", 'Did you mean "events"?', "*"],
    ["config/unknown-kind", "event: tool:pre_execute:@shel", "3:12", '"@shell"', "tool:pre_execute"],
    ["hook/near-tool", "event: tool:pre_execute:Bahs", "3:12", '"bash"', "tool:pre_execute:bash"],
    ["config/empty-tool", "event: 'tool:pre_execute:'", "3:12", "last colon", "tool:pre_execute"],
    ["config/four-parts", "event: tool:pre_execute:bash:x", "3:12", "category:event:tool", "tool:pre_execute:bash"],
    [
      "config/other-tools",
      "event: PreToolUse:Bash\n    matcher: { tools: [Write] }",
      "4:23",
      "one of",
      "PreToolUse:Bash",
    ],
    ["hook/no-event", "evnt: tool:pre_execute", "3:5", "Rename `evnt` to `event`", "*"],
    [
      "hook/wrong-value",
      "event: tool:pre_execute:Bash\n    type: comand",
      "4:11",
      '"command"',
      "tool:pre_execute:Bash",
    ],
    ["hook/wrong-value", "event: tool:pre_execute\n    on_error: alow", "4:15", "on_error: deny", "tool:pre_execute"],
    ["config/unknown-session", "matcher: { events: [Stop], session_types: [subagnt] }", "3:48", '"subagent"', "Stop"],
  ])("%s of %j shuts the gates that the hook may have guarded", (code, lines, place, fix, pattern) => {
    write("project/.sluice/hooks.yaml", `hooks:\n  - name: fmt\n    ${lines}\n    command: x\n`);
    const { hooks, errors, shut } = load();
    expect(told(errors)).toEqual([`${code} project/.sluice/hooks.yaml:${place}`]);
    expect(errors[0]?.fix ?? errors[0]?.message).toContain(fix);
    expect(hooks).toEqual([]);
    expect(shut.map(({ name, eventPattern }) => [name, eventPattern])).toEqual([["fmt", pattern]]);
    expect(shut[0]?.rules).toContain(`.sluice/hooks.yaml:${place}: `);
  });

  test.each([
    "event: tool:pre_exec\n    enabled: false",
    "event: tool:pre_exec\n    async: true",
    "event: tool:pre_exec\n    mode: monitor",
    "event: session:end\n    timeout: soon",
    "event: tool:post_execute\n    colour: red\n    type: comand",
  ])("a hook that cannot be read and could stop nothing shuts no gate: %j", (lines) => {
    write("project/.sluice/hooks.yaml", `hooks:\n  - name: fmt\n    ${lines}\n    command: x\n`);
    const { errors, shut } = load();
    expect(errors).toHaveLength(1);
    expect(shut).toEqual([]);
  });

  test("the message about an unknown event reads as people speak", () => {
    write("project/.sluice/hooks.yaml", "hooks:\n  - name: fmt\n    event: tool:pre_exec\n    command: x\n");
    const [problem] = load().errors;
    expect(problem?.message).toBe('hook "fmt" listens for "tool:pre_exec", which no agent emits.');
    expect(problem?.fix).toBe('Did you mean "tool:pre_execute"? `sluice events` lists them all.');
  });

  test.each([
    ["colour: red\nhooks: []\n", "config/unknown-key 1:1", "warnings"],
    ["lm: {}\nguards: standard\n", "config/unknown-key 1:1", "warnings"],
    ["x-base: [{event: '*', command: x}]\nhooks: []\n", "config/unknown-key 1:1", "warnings"],
    ["hooks: [{event: '', command: x}]\n", "config/matches-nothing 1:17", "errors"],
    ["hooks: [{event: 'tool:pre_execute:*:x', command: x}]\n", "config/four-parts 1:17", "errors"],
    ["hooks: [{event: 'PreToolUse:*:x', command: x}]\n", "config/four-parts 1:17", "errors"],
    ["colour: red\n", "config/nothing-known 1:1", "errors"],
    ["$schema: x\nlm: {}\nno: 1\n", "config/nothing-known 2:1", "errors"],
    ["event: '*'\ncommand: x\n", "config/nothing-known 1:1", "errors"],
    ["hook:\n  - {event: '*', command: x}\n", "config/misspelt-hooks 1:1", "errors"],
    ["guards: strict\nhook:\n  - {event: '*', command: x}\n", "config/misspelt-hooks 2:1", "errors"],
    ["hooks:\n  definitons: [{event: '*', command: x}]\n", "config/misspelt-hooks 2:3", "errors"],
    ["hooks:\n  no-sudo: {event: '*', command: x}\n", "config/hook-by-name 2:3", "errors"],
    ["hooks:\n  no-sudo: {matcher: {}, command: x}\n", "config/hook-by-name 2:3", "errors"],
    ["hooks:\n  definitons: []\n", "config/unknown-key 2:3", "warnings"],
    ["intents:\n  colour: red\n", "config/unknown-key 2:3", "warnings"],
    ["trase: on\n", "config/misspelt-protection 1:1", "errors"],
    ["intents:\n  mod: advise\n", "config/misspelt-part 2:3", "errors"],
    ["hooks:\n  guards: strict\n", "config/misplaced-protection 2:3", "errors"],
    ["guards:\n", "config/wrong-protection 1:8", "errors"],
    ["llm: { model: x }\n", "config/not-yours 1:1", "warnings"],
    ["intents:\n  mode: enforced\n", "config/wrong-protection 2:9", "errors"],
    ["guards: high\n", "config/wrong-protection 1:9", "errors"],
    ["hooks:\n  timeout: soon\n", "config/wrong-setting 2:12", "errors"],
    ["hooks:\n  PreToolUse:\n    - matcher: Bash\n", "config/other-shape 2:3", "errors"],
    ["hooks:\n  disabled: [nobody]\n", "config/disables-nothing 2:14", "warnings"],
  ] as const)("%j gives %s", (text, expected, list) => {
    write("project/.sluice/hooks.yaml", text);
    const loaded = load();
    expect(told(loaded[list])).toEqual([expected.replace(" ", " project/.sluice/hooks.yaml:")]);
    expect([...loaded.errors, ...loaded.warnings]).toHaveLength(1);
  });

  test.each([
    ["undo:\n  kep: 1d\n", "2:3", "`undo` has a key `kep`"],
    ["telemetry:\n  otlp:\n    endpoint: http://x\n    header: {}\n", "4:5", "`telemetry.otlp` has a key `header`"],
    ["undo: { keep: 1d, max: 1GiB, call: 1MiB, files: 3 }\n", "", ""],
    ["telemetry:\n  otlp: { endpoint: 'http://x', headers: { any: y }, protocol: http/json }\n", "", ""],
  ])("a key that no setting has, at any depth of the user's own settings: %j", (text, at, why) => {
    write("config/sluice/hooks.yaml", text);
    const { errors, warnings } = load();
    expect(errors).toEqual([]);
    expect(told(warnings)).toEqual(at === "" ? [] : [`config/unknown-key config/sluice/hooks.yaml:${at}`]);
    expect(warnings[0]?.message ?? "").toContain(why);
  });

  test("two hooks of one name in one file", () => {
    write("project/.sluice/hooks.json", { hooks: [hook("a"), hook("a")] });
    expect(load().warnings.map(({ code }) => code)).toEqual(["config/same-name"]);
    expect(load().hooks).toHaveLength(2);
  });

  test("a file whose name is nearly right", () => {
    write("project/.sluice/hooks.yml", "hooks: []\n");
    expect(told(load().warnings)).toEqual(["config/lookalike project/.sluice/hooks.yml"]);
  });

  test("a file with another name is no mistake where one that is read extends it", () => {
    write("project/hooks.yaml", "guards: strict\n");
    expect(told(load().warnings)).toEqual(["config/lookalike project/hooks.yaml"]);
    write("project/.sluice/hooks.yaml", "extends: ../hooks.yaml\n");
    expect(load()).toMatchObject({ warnings: [], settings: { guards: "strict" } });
  });

  test("a byte order mark", () => {
    write("project/.sluice/hooks.json", `\uFEFF${JSON.stringify([hook("a")])}`);
    expect(told(load().warnings)).toEqual(["config/byte-order-mark project/.sluice/hooks.json:1:1"]);
    expect(load().hooks).toHaveLength(1);
  });
});

describe("disabled", () => {
  test("switches off hooks of its own layer and of lower ones, and tells where", () => {
    write("config/sluice/hooks.json", { hooks: { definitions: [hook("a"), hook("b")], disabled: ["a", "p"] } });
    write("project/.sluice/hooks.json", { hooks: [hook("p"), hook("a")] });
    const { hooks, disabledBy, warnings } = load();
    expect(hooks.map(({ name, enabled }) => [name, enabled])).toEqual([
      ["a", false],
      ["b", true],
      ["p", false],
      ["a", false],
    ]);
    expect([...disabledBy].map(([{ name }, place]) => [name, place.file])).toEqual(
      ["a", "p", "a"].map((name) => [name, join(folder, "config/sluice/hooks.json")]),
    );
    expect(warnings).toEqual([]);
  });

  test("never reaches a higher layer", () => {
    write("config/sluice/hooks.json", { hooks: [hook("guard")] });
    write("project/.sluice/hooks.yaml", "hooks:\n  disabled: [guard]\n");
    write("project/.sluice/hooks.local.yaml", "hooks:\n  disabled: [guard]\n");
    const { hooks, disabledBy, warnings } = load();
    expect(hooks[0]?.enabled).toBe(true);
    expect(disabledBy.size).toBe(0);
    expect(told(warnings)).toEqual([
      "config/cannot-disable project/.sluice/hooks.yaml:2:14",
      "config/cannot-disable project/.sluice/hooks.local.yaml:2:14",
    ]);
  });

  test("leaves the entry as it is", () => {
    write("project/.sluice/hooks.json", { hooks: { definitions: [hook("a")], disabled: ["a"] } });
    const [only] = load().hooks;
    expect(only?.enabled).toBe(false);
    expect(only?.toJSON()).toEqual(hook("a"));
  });
});

test("a file's timeout is for its hooks that state none, and no part of them", () => {
  write("project/.sluice/hooks.json", {
    hooks: { definitions: [hook("a"), { ...hook("b"), timeout: 3 }], timeout: "500ms" },
  });
  write("project/.forge/hooks.json", [hook("c")]);
  const { hooks } = load();
  expect(hooks.map(({ timeout }) => timeout)).toEqual([0.5, 3, 10]);
  expect(hooks[0]?.deadline(60)).toBe(0.5);
  expect(hooks[2]?.deadline(60)).toBe(60);
  expect(hooks[0]?.toJSON()).toEqual(hook("a"));
});

describe("settings", () => {
  test("the language model is the user's choice", () => {
    write("config/sluice/hooks.yaml", "llm: { provider: anthropic }\nhooks: { llm_model: small }\n");
    write("project/.sluice/hooks.yaml", "llm: { baseURL: https://evil.example/v1 }\nguards: strict\n");
    expect(load().settings).toMatchObject({
      llm: { provider: "anthropic", model: "small", more: {} },
      guards: "strict",
    });
  });
});
