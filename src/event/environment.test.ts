import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { environmentOf, LONGEST_VALUE, PREFIXES, VARIABLES } from "./environment.ts";
import { HookEvent } from "./event.ts";

const FULL = new HookEvent({
  type: "tool:post_execute",
  timestamp: 1700000000.25,
  sessionId: "sess_123",
  toolName: "bash",
  cwd: "/p",
  data: {
    tool_args: { file: "/tmp/test", content: "hello" },
    tool_result: { success: true },
    llm_model: "m",
    llm_tokens: 42,
    perm_level: "ask",
    error: "none yet",
  },
});

describe("a command hook reads the event from its environment", () => {
  const values: Record<keyof typeof VARIABLES, string> = {
    EVENT: "tool:post_execute",
    TIMESTAMP: "1700000000.25",
    SESSION_ID: "sess_123",
    TOOL_NAME: "bash",
    TOOL_ARGS: '{"file":"/tmp/test","content":"hello"}',
    TOOL_RESULT: '{"success":true}',
    LLM_MODEL: "m",
    LLM_TOKENS: "42",
    PERM_LEVEL: "ask",
    WORKING_DIR: "/p",
    ERROR: "none yet",
    HOOK_NAME: "guard",
    PROJECT_DIR: "/p",
    FILE_PATH: "/tmp/test",
    FILE_PATHS: "/tmp/test",
  };
  const rows = PREFIXES.flatMap((prefix) =>
    Object.entries(values).map(([name, value]) => [`${prefix}${name}`, value] as const),
  );

  test.each(rows)("%s is %s", (name, value) => {
    expect(environmentOf(FULL, { hookName: "guard", projectDir: "/p" }).small[name]).toBe(value);
  });

  test("and from nothing else: the table is the whole list", () => {
    expect(Object.keys(values)).toEqual(Object.keys(VARIABLES));
    expect(Object.keys(environmentOf(FULL, { hookName: "guard", projectDir: "/p" }).small).sort()).toEqual(
      rows.map(([n]) => n).sort(),
    );
  });

  test("toEnv gives the same under all three prefixes", () => {
    expect(PREFIXES).toEqual(["SLUICE_", "FORGE_", "OPENCODE_"]);
    const env = HookEvent.toolPreExecute("bash", { command: "ls" }).toEnv();
    for (const prefix of PREFIXES) {
      expect(env[`${prefix}EVENT`]).toBe("tool:pre_execute");
      expect(env[`${prefix}TOOL_NAME`]).toBe("bash");
      expect(JSON.parse(env[`${prefix}TOOL_ARGS`] ?? "")).toEqual({ command: "ls" });
    }
  });

  test("where the hook runs wins over where the event happened", () => {
    expect(environmentOf(FULL, { workingDir: "/elsewhere" }).small.SLUICE_WORKING_DIR).toBe("/elsewhere");
  });
});

test("unset stays unset", () => {
  const env = new HookEvent({ type: "session:end", timestamp: 1, data: { llm_model: null, error: undefined } }).toEnv();
  expect(env).toEqual(
    Object.fromEntries(
      PREFIXES.flatMap((prefix) => [
        [`${prefix}EVENT`, "session:end"],
        [`${prefix}TIMESTAMP`, "1"],
      ]),
    ),
  );
});

test("core fields win over anything in data, and data sets no variable of its own", () => {
  const data = {
    event: "spoof",
    type: "spoof",
    timestamp: "spoof",
    tool_name: "evil",
    toolName: "evil",
    session_id: "evil",
    working_dir: "/evil",
    cwd: "/evil",
    hook_name: "evil",
    PATH: "/evil",
  };
  const core = new HookEvent({ type: "PreToolUse", data, toolName: "bash", sessionId: "s", timestamp: 1, cwd: "/p" });
  expect(Object.values(core.toEnv()).filter((value) => /spoof|evil/.test(value))).toEqual([]);
  const bare = new HookEvent({ type: "PreToolUse", data, timestamp: 1 });
  const only = PREFIXES.flatMap((prefix) => [`${prefix}EVENT`, `${prefix}TIMESTAMP`]);
  expect(Object.keys(bare.toEnv()).sort()).toEqual(only.sort());
});

describe("TOOL_ARGS and TOOL_RESULT are valid JSON whatever they hold", () => {
  const circle: Record<string, unknown> = { a: 1 };
  circle.self = circle;
  const rows: [name: string, value: unknown, read: unknown][] = [
    ["a BigInt", { n: 10n }, { n: "10" }],
    ["a bare BigInt", 10n, "10"],
    ["a circle", circle, { a: 1, self: "[circular]" }],
    ["an undefined inside", { a: undefined, b: 1 }, { b: 1 }],
    ["null", null, null],
    ["a function", () => 1, null],
    ["NUL", { a: "x\0y" }, { a: "x\0y" }],
    ["a lone surrogate", { a: "\ud800" }, { a: "\ud800" }],
    ["newlines and quotes", { a: 'one\n"two"\r\n\t\u2028' }, { a: 'one\n"two"\r\n\t\u2028' }],
    ["a text", "ls -la", "ls -la"],
    ["an empty object", {}, {}],
    ["a date", { at: new Date(0) }, { at: "1970-01-01T00:00:00.000Z" }],
    ["not a number", { a: Number.NaN }, { a: null }],
  ];
  test.each(rows)("%s", (_name, value, read) => {
    const env = HookEvent.toolPostExecute("bash", value, value).toEnv();
    expect(JSON.parse(env.SLUICE_TOOL_ARGS ?? "")).toEqual(read);
    expect(JSON.parse(env.SLUICE_TOOL_RESULT ?? "")).toEqual(read);
    expect(env.SLUICE_TOOL_ARGS).not.toContain("\0");
  });

  test("any JSON value comes back as it went", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const env = HookEvent.toolPreExecute("bash", value).toEnv();
        expect(JSON.parse(env.OPENCODE_TOOL_ARGS ?? "")).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe("a value over 32 KiB is left out whole", () => {
  const text = (bytes: number) => "x".repeat(bytes - 2);
  test.each([
    ["exactly 32 KiB stays", text(LONGEST_VALUE), true],
    ["one byte more goes", text(LONGEST_VALUE + 1), false],
    ["bytes count, not letters", "ü".repeat(LONGEST_VALUE / 2), false],
  ])("%s", (_name, value, stays) => {
    const event = HookEvent.toolPreExecute("bash", value);
    const { small, large } = environmentOf(event);
    for (const prefix of PREFIXES) expect(Object.hasOwn(small, `${prefix}TOOL_ARGS`)).toBe(stays);
    expect(large.TOOL_ARGS).toBe(stays ? undefined : JSON.stringify(value));
    expect(event.toEnv().SLUICE_TOOL_NAME).toBe("bash");
  });
});

test("what is no JSON never carries a NUL into the environment", () => {
  expect(HookEvent.toolError("bash", {}, "a\0b").toEnv().SLUICE_ERROR).toBe("a\uFFFDb");
  expect(new HookEvent({ type: "Stop", sessionId: "a\0b" }).toEnv().SLUICE_SESSION_ID).toBe("a\uFFFDb");
});

describe("every spelling of a field is read", () => {
  const rows: [data: object, variable: string, value: string][] = [
    [{ tool_input: { a: 1 } }, "TOOL_ARGS", '{"a":1}'],
    [{ args: { a: 1 } }, "TOOL_ARGS", '{"a":1}'],
    [{ tool_response: "r" }, "TOOL_RESULT", '"r"'],
    [{ result: "r" }, "TOOL_RESULT", '"r"'],
    [{ new_model: "m2" }, "LLM_MODEL", "m2"],
    [{ llm_tokens: { in: 1, out: 2 } }, "LLM_TOKENS", '{"in":1,"out":2}'],
    [{ error_message: "e" }, "ERROR", "e"],
  ];
  test.each(rows)("%j as %s", (data, variable, value) => {
    expect(new HookEvent({ type: "PostToolUse", data }).toEnv()[`FORGE_${variable}`]).toBe(value);
  });
});
