import { describe, expect, test } from "vitest";
import { HookEvent } from "../event/event.ts";
import { FILTERS, PromptTemplate } from "./prompt-template.ts";

const render = (template: string, context: object) => new PromptTemplate(template).render({ ...context });

describe("a slot", () => {
  const args = { command: 'echo "hi"', list: [1, 2, 3], none: null, yes: true, deep: { er: { est: "x" } } };
  test.each([
    ["{{args.command}}", 'echo "hi"'],
    ["{{ args.command }}", 'echo "hi"'],
    ["{{args.deep}}", '{"er":{"est":"x"}}'],
    ["{{args.deep.er.est}}", "x"],
    ["{{args.list.1}}", "2"],
    ["{{args.yes}}", "true"],
    ["{{args.none}}", ""],
    ["{{args.nobody.home}}", ""],
    ["{{args.command.length}}", ""],
    ["{{args.constructor}}{{args.__proto__}}", ""],
    ["{{args.command | length}}", "9"],
    ["{{args.list | length}}", "3"],
    ["{{args.deep | length}}", "1"],
    ["{{nobody | length}}", "0"],
    ["{{args.list | json}}", "[1,2,3]"],
    ["{{args.command | json}}", '"echo \\"hi\\""'],
    ["{{nobody | json}}", "null"],
    ["{{args.command|upper}}", 'ECHO "HI"'],
    ["{{args.command | upper | lower}}", 'echo "hi"'],
    ["{{args.command | truncate(4)}}", "echo"],
    ["{{args.command | truncate(40)}}", 'echo "hi"'],
    ["{{args.command | truncate}}", 'echo "hi"'],
    ["no slots, { one } brace }}", "no slots, { one } brace }}"],
    ["", ""],
  ])("%s becomes %j", (template, text) => {
    expect(render(template, { args })).toBe(text);
  });

  test("is filled once: what looks like a slot in a value stays as it is", () => {
    expect(render("{{a}} {{b}}", { a: "{{b}}", b: "$& {{a | json}}" })).toBe("{{b}} $& {{a | json}}");
  });

  test("takes blanks off, and never cuts a character in half", () => {
    expect(render("{{a | trim}}|{{b | truncate(3)}}", { a: " x\n", b: "ab😀" })).toBe("x|ab");
  });

  test("is empty where a value cannot be read, and whole where it cannot be written as JSON", () => {
    const circle: Record<string, unknown> = { big: 1n };
    circle.self = circle;
    const trap = {
      get out(): string {
        throw new Error("no");
      },
    };
    expect(render("{{circle}} {{trap.out}}.", { circle, trap })).toBe('{"big":"1","self":"[circular]"} .');
  });
});

describe("an event", () => {
  const event = HookEvent.toolPreExecute("bash", { command: "ls", path: "/a" }, { sessionId: "s1", cwd: "/w" });

  test.each([
    ["{{event}} {{type}}", "tool:pre_execute tool:pre_execute"],
    ["{{tool}} {{tool_name}}", "bash bash"],
    ["{{session_id}} {{sessionId}} {{cwd}}", "s1 s1 /w"],
    ["{{args}}", '{"command":"ls","path":"/a"}'],
    ["{{args.command}} {{tool_args.command}} {{tool_input.command}}", "ls ls ls"],
    ["{{path}} {{file_path}} {{args.path}} {{args.file_path}} {{tool_input.file_path}}", "/a /a /a /a /a"],
  ])("fills %s in every spelling", (template, text) => {
    expect(new PromptTemplate(template).render(event)).toBe(text);
  });

  test("may come as an alias and is called by its own name", () => {
    const aliased = new HookEvent({ type: "PreToolUse", data: { tool_input: { command: "ls" }, extra: { a: 1 } } });
    expect(new PromptTemplate("{{event}} {{args.command}} {{extra.a}}").render(aliased)).toBe("tool:pre_execute ls 1");
  });

  test("knows better than its data", () => {
    const lying = new HookEvent({ type: "Stop", toolName: "bash", data: { event: "x", tool: "y", type: "z" } });
    expect(new PromptTemplate("{{event}} {{tool}} {{type}}").render(lying)).toBe("session:stop bash session:stop");
  });

  test("shows the arguments that count, whichever spelling is asked for", () => {
    const two = new HookEvent({ type: "PreToolUse", data: { args: { command: "ls" }, tool_args: { command: "rm" } } });
    expect(new PromptTemplate("{{args.command}} {{tool_input.command}}").render(two)).toBe("rm rm");
  });
});

test("a plain context is found under its other spellings too", () => {
  expect(render("{{args.command}} {{tool}} {{file_path}}", { tool_input: { command: "ls", path: "/a" } })).toBe(
    "ls  /a",
  );
  expect(render("{{tool}}", { tool_name: "bash" })).toBe("bash");
  expect(render("{{args}}", { args: 1, tool_args: 2 })).toBe("1");
});

test.each([
  ["{{}}", "which is not the name of a field"],
  ["{{a + b}}", "which is not the name of a field"],
  ["{{process.exit(1)}}", "which is not the name of a field"],
  ["{{a..b}}", "which is not the name of a field"],
  ["{{a | lenght}}", '"lenght" is not a filter of prompts.'],
  ["{{a | constructor}}", '"constructor" is not a filter of prompts.'],
  ["{{a | truncate(x)}}", "is not a filter of prompts."],
])("%s is refused before anything runs", (template, what) => {
  expect(() => new PromptTemplate(template)).toThrow(what);
});

test("the filters are a closed list", () => {
  expect(Object.keys(FILTERS)).toEqual(["length", "json", "lower", "upper", "trim", "truncate"]);
});
