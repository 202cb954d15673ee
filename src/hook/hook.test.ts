import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HookEvent } from "../event/event.ts";
import { Problem } from "../problem/problem.ts";
import { Hook, LAYERS } from "./hook.ts";

const command = { event: "tool:pre_execute", command: "echo hello" };
const matched = { name: "guard", type: "command", matcher: { events: ["PreToolUse"] }, command: "true" };

test("a hook of the short shape is read field by field", () => {
  const hook = Hook.fromJSON({
    ...command,
    timeout: 5.0,
    working_dir: "/p",
    env: { A: "1" },
    enabled: false,
    description: "Test hook",
  });
  expect(hook).toMatchObject({
    type: "command",
    eventPattern: "tool:pre_execute",
    command: "echo hello",
    timeout: 5,
    workingDir: "/p",
    env: { A: "1" },
    enabled: false,
    description: "Test hook",
    matcher: undefined,
  });
});

describe("what is left out depends on the shape", () => {
  const common = { enabled: true, description: "", priority: 100, mode: "enforce", async: false, parallel: false };
  const rows: [shape: string, data: object, defaults: object][] = [
    ["event", command, { timeout: 10, onError: "deny", exitCodes: "any" }],
    ["matcher", matched, { timeout: 30, onError: "continue", exitCodes: "amplifier" }],
    ["event, inline", { event: "*", rules: "tool exists -> deny()" }, { timeout: 10, onError: "deny" }],
    ["event, llm", { event: "*", prompt: "x" }, { timeout: 10, onError: "continue" }],
    ["event, http", { event: "*", url: "http://localhost" }, { timeout: 10, onError: "continue" }],
    ["event, plugin", { event: "*", module: "./p.ts" }, { timeout: 10, onError: "deny" }],
    ["matcher, llm", { matcher: {}, prompt: "x" }, { timeout: 30, onError: "continue" }],
  ];
  test.each(rows)("%s", (_shape, data, defaults) => {
    expect(Hook.fromJSON(data)).toMatchObject({ ...common, ...defaults });
  });

  test("a stated value wins over every default", () => {
    const hook = Hook.fromJSON({ ...matched, timeout: "500ms", onError: "deny", exitCodes: "claude", priority: 1 });
    expect(hook).toMatchObject({ timeout: 0.5, onError: "deny", exitCodes: "claude", priority: 1 });
  });
});

describe("the kind is told from the keys when it is not stated", () => {
  const rows: [type: string, keys: object][] = [
    ["command", { command: "true" }],
    ["command", { script: "./a.sh" }],
    ["command", { args: ["git", "status"] }],
    ["inline", { inline_rules: [{ field: "tool", operator: "exists", action: "deny" }] }],
    ["inline", { rules: 'tool equals "x" -> deny("no")' }],
    ["llm", { prompt: "Is this safe?" }],
    ["plugin", { module: "./plugin.ts" }],
    ["http", { url: "http://localhost" }],
  ];
  test.each(rows)("%s from %j", (type, keys) => {
    expect(Hook.fromJSON({ event: "*", ...keys }).type).toBe(type);
    expect(Hook.fromJSON({ event: "*", type, ...keys }).type).toBe(type);
  });
});

describe("what a hook cannot do without is asked for in these words", () => {
  const rows: [text: string, data: object][] = [
    ["Inline hook requires 'inline_rules'", { ...matched, type: "inline" }],
    ["Inline hook requires 'inline_rules'", { event: "*", type: "inline", inline_rules: [] }],
    ["Command hook requires 'command' or 'script'", { event: "*", type: "command" }],
    ["Command hook requires 'command' or 'script'", { event: "*" }],
    ["Command hook requires 'command' or 'script'", { event: "*", command: "" }],
    ["LLM hook requires 'prompt'", { matcher: {}, type: "llm" }],
    ["Plugin hook requires 'module'", { event: "*", type: "plugin" }],
    ["HTTP hook requires 'url'", { event: "*", type: "http" }],
  ];
  test.each(rows)("%s", (text, data) => {
    expect(() => Hook.fromJSON(withoutCommand(data))).toThrow(Problem);
    expect(() => Hook.fromJSON(withoutCommand(data))).toThrow(expect.objectContaining({ message: text }));
  });

  test("a hook has to match something", () => {
    expect(() => Hook.fromJSON({ command: "true" })).toThrow("Hook requires 'event' or 'matcher'");
  });

  test.each([null, undefined, "text", 3, true, []])("%j is no hook", (data) => {
    expect(() => Hook.fromJSON(data)).toThrow(Problem);
  });
});

test("snake and camel case are the same", () => {
  const snake = Hook.fromJSON({
    ...command,
    working_dir: "/p",
    on_error: "ask",
    exit_codes: "claude",
    pass_env: ["A"],
  });
  const camel = Hook.fromJSON({ ...command, workingDir: "/p", onError: "ask", exitCodes: "claude", passEnv: ["A"] });
  for (const hook of [snake, camel]) {
    expect(hook).toMatchObject({ workingDir: "/p", onError: "ask", exitCodes: "claude", passEnv: ["A"] });
  }
});

describe("a hook is written in the shape it came in", () => {
  test.each([
    ["short", { ...command, timeout: 5.0, description: "Test hook" }],
    ["long", { ...matched, timeout: "15s", priority: 10 }],
    ["camelCase", { ...command, workingDir: "/p" }],
    ["unknown keys", { ...command, x_team: { a: [1, null] }, "": 0 }],
    ["a nothing", { ...command, timeout: null }],
  ])("%s", (_what, data) => {
    expect(Hook.fromJSON(data).toJSON()).toEqual(data);
  });

  test("only the pattern always goes by the name that files use", () => {
    for (const key of ["event_pattern", "eventPattern"]) {
      const hook = Hook.fromJSON({ [key]: "tool:*", command: "true" });
      expect(hook.eventPattern).toBe("tool:*");
      expect(hook.toJSON()).toEqual({ event: "tool:*", command: "true" });
    }
  });

  test("its copy and its source share nothing", () => {
    const data = { ...command, env: { A: "1" }, x: { y: 1 } };
    const hook = Hook.fromJSON(data);
    data.x.y = 2;
    (hook.toJSON().x as { y: number }).y = 3;
    expect(hook.toJSON().x).toEqual({ y: 1 });
  });

  test("whatever a program does to the source afterwards, the hook stays as it was made", () => {
    const inline_rules = [{ field: "tool", operator: "equals", value: "bash", action: "deny" }];
    const options = { limits: { most: 1 }, log: () => 1 };
    const sources = [
      { event: "*", inline_rules },
      { event: "*", args: ["git", "status"], env: { A: "1" }, tags: ["a"], passEnv: ["B"] },
      { matcher: { events: ["PreToolUse"], tools: ["bash"] }, command: "true" },
      { event: "*", module: "./p.ts", options },
      { event: "*", all: [{ inline_rules }, { args: ["true"] }] },
    ];
    const fieldsOf = ({ inlineRules, args, env, tags, passEnv, matcher, options, parts }: Hook) => {
      const members = parts.map((part) => [part.inlineRules, part.args]);
      return JSON.stringify([inlineRules, args, env, tags, passEnv, matcher, options, members]);
    };
    const hooks = sources.map((source) => Hook.fromJSON(source));
    const before = hooks.map(fieldsOf);
    for (const source of sources) change(source);
    expect(hooks.map(fieldsOf)).toEqual(before);
    expect(hooks[3]?.options?.log).toBe(options.log);
  });

  test("switching it is written, switching it back leaves no trace", () => {
    const hook = Hook.fromJSON(command);
    hook.enabled = false;
    expect(hook.toJSON()).toEqual({ ...command, enabled: false });
    hook.enabled = true;
    expect(hook.toJSON()).toEqual(command);
  });

  test("reading what was written gives the same hook, whatever it says", () => {
    fc.assert(
      fc.property(anyHook(), (data) => {
        const hook = Hook.fromJSON(data, undefined, { isChecked: true });
        const again = Hook.fromJSON(JSON.parse(JSON.stringify(hook)), undefined, { isChecked: true });
        expect(hook.toJSON()).toEqual(JSON.parse(JSON.stringify(data)));
        expect(again).toEqual(hook);
        expect(again.enabled).toBe(hook.enabled);
        expect(again.deadline(3)).toBe(hook.deadline(3));
      }),
    );
  });
});

test("an executor's default counts only where the hook states no timeout", () => {
  expect(Hook.fromJSON(command).deadline(undefined)).toBe(10);
  expect(Hook.fromJSON(matched).deadline(undefined)).toBe(30);
  expect(Hook.fromJSON(matched).deadline(2)).toBe(2);
  expect(Hook.fromJSON({ ...command, timeout: 10 }).deadline(2)).toBe(10);
});

test("a hook without a name is called by what it matches and does", () => {
  expect(Hook.fromJSON(command).name).toBe("tool:pre_execute › echo hello");
  expect(Hook.fromJSON({ event: "*", command: `echo\n  ${"x".repeat(99)}` }).name).toMatch(/^\* › echo x{34}…$/);
  expect(Hook.fromJSON({ event: "*", prompt: "?" }).name).toBe("* › llm");
});

test("a hook made by a program is the user's; one from a file is its layer's", () => {
  expect(Hook.fromJSON(command)).toMatchObject({ layer: "user", origin: undefined });
  for (const layer of LAYERS) {
    const origin = { layer, place: { file: "hooks.json", line: 3 }, index: 0 };
    expect(Hook.fromJSON(command, origin)).toMatchObject({ layer, origin });
  }
});

test("a frozen hook is shared and cannot be switched; its copy can", () => {
  const template = Object.freeze(Hook.fromJSON({ ...command, name: "block_sudo" }));
  expect(() => Object.assign(template, { enabled: false })).toThrow(
    'Template "block_sudo" is shared and cannot be switched.',
  );
  expect(template.enabled).toBe(true);
  const copy = Hook.fromJSON(template.toJSON());
  copy.enabled = false;
  expect(copy.enabled).toBe(false);
  expect(template.matches(HookEvent.toolPreExecute("bash", {}))).toBe(true);
});

test("whether it listens does not depend on whether it is enabled", () => {
  const hook = Hook.fromJSON({ ...command, enabled: false });
  expect(hook.matches(HookEvent.toolPreExecute("bash", {}))).toBe(true);
  expect(hook.matches(HookEvent.sessionStart("s"))).toBe(false);
});

/** The kind in question decides what is missing, so the other kind's key must not stand in for it. */
function withoutCommand(data: object): object {
  const { command: _, ...rest } = data as { command?: string };
  return "type" in data && data.type !== "command" ? rest : data;
}

/** Every text and number inside becomes another. */
function change(holder: Record<string, unknown> | unknown[]): void {
  for (const [key, value] of Object.entries(holder)) {
    if (typeof value === "object" && value !== null) change(value as Record<string, unknown>);
    else if (typeof value !== "function") Object.assign(holder, { [key]: "changed" });
  }
}

function anyHook(): fc.Arbitrary<Record<string, unknown>> {
  const hears = fc.oneof(
    fc.record({ event: fc.constantFrom("*", "tool:*", "PreToolUse:@shell", "session:start,session:end") }),
    fc.record({
      matcher: fc.record({
        events: fc.constant(["PreToolUse"]),
        tools: fc.array(fc.constantFrom("bash", "my tool", "mcp__a__b", "*")),
      }),
    }),
  );
  const does = fc.oneof(
    fc.record({ command: fc.string({ minLength: 1 }) }),
    fc.record({
      type: fc.constant("inline"),
      inline_rules: fc.array(fc.record({ field: fc.string() }), { minLength: 1 }),
    }),
    fc.record({ args: fc.array(fc.string(), { minLength: 1 }), env: fc.dictionary(fc.string(), fc.string()) }),
  );
  const says = fc.record(
    {
      name: fc.string(),
      priority: fc.integer(),
      timeout: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constantFrom("500ms", "2m")),
      enabled: fc.boolean(),
      description: fc.string(),
      on_error: fc.constantFrom("deny", "ask", "continue"),
      parallel: fc.boolean(),
      tags: fc.array(fc.string()),
      x_unknown: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  return fc.tuple(hears, does, says).map((parts) => Object.assign({}, ...parts));
}
