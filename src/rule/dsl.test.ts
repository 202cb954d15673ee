import { describe, expect, test } from "vitest";
import { readDsl, rulesIn } from "./dsl.ts";
import { readRules } from "./read.ts";
import type { Condition, Rule } from "./rule.ts";

function rules(text: string): Rule[] {
  const { lines, problems } = readDsl(text);
  expect(problems.map((problem) => problem.format())).toEqual([]);
  return rulesIn(lines).map(({ rule }) => rule);
}

function when(text: string): Condition | undefined {
  return rules(`${text} -> deny()`)[0]?.when;
}

function compare(field: string, operator: string, value?: unknown): Condition {
  return { kind: "compare", field, operator, value };
}

test("a line of the rule language is the same rule as an entry in inline_rules", () => {
  const [dsl] = rules('args.command contains "rm -rf" -> deny("Dangerous command")');
  const entry = {
    field: "args.command",
    operator: "contains",
    value: "rm -rf",
    action: "deny",
    reason: "Dangerous command",
  };
  expect(readRules([entry]).written[0]?.rule).toEqual(dsl);
});

describe("conditions join as they do in speech: not before and, and before or", () => {
  const [a, b, c] = ["a", "b", "c"].map((field) => compare(field, "exists")) as [Condition, Condition, Condition];
  const rows: [text: string, means: Condition][] = [
    ["a exists and b exists", { kind: "all", of: [a, b] }],
    ["a exists and b exists and c exists", { kind: "all", of: [a, b, c] }],
    ["a exists or b exists and c exists", { kind: "any", of: [a, { kind: "all", of: [b, c] }] }],
    ["a exists and b exists or c exists", { kind: "any", of: [{ kind: "all", of: [a, b] }, c] }],
    ["(a exists or b exists) and c exists", { kind: "all", of: [{ kind: "any", of: [a, b] }, c] }],
    ["not a exists and b exists", { kind: "all", of: [{ kind: "not", of: a }, b] }],
    ["not (a exists and b exists)", { kind: "not", of: { kind: "all", of: [a, b] } }],
    ["not not a exists", { kind: "not", of: { kind: "not", of: a } }],
    ["((a exists))", a],
  ];
  test.each(rows)("%s", (text, means) => {
    expect(when(text)).toEqual(means);
  });
});

describe("a value is a text, a number, a constant, a list or an object", () => {
  const rows: [text: string, value: unknown][] = [
    ['"a b"', "a b"],
    ["'a \"b\"'", 'a "b"'],
    ['"a \\"b\\""', 'a "b"'],
    ['"line\\nbreak\\ttab"', "line\nbreak\ttab"],
    ['"\\u0041\\u00e9"', "Aé"],
    ['"# no comment"', "# no comment"],
    ['"a -> b"', "a -> b"],
    ['"^rm\\s+\\d"', "^rm\\s+\\d"],
    ['"^rm\\\\s+"', "^rm\\s+"],
    ["5", 5],
    ["-2.5", -2.5],
    ["1e3", 1000],
    ["-0", 0],
    ["true", true],
    ["false", false],
    ["null", null],
    ["[]", []],
    ['["a", 1, true, ["b"]]', ["a", 1, true, ["b"]]],
    ['["a",]', ["a"]],
    ['{ "a": 1, "b": [2] }', { a: 1, b: [2] }],
  ];
  test.each(rows)("%s", (text, value) => {
    expect(when(`x equals ${text}`)).toEqual(compare("x", "equals", value));
  });
});

describe("what a rule says", () => {
  const rows: [text: string, says: Omit<Rule, "when">][] = [
    ['deny("no")', { action: "deny", reason: "no" }],
    ["deny()", { action: "deny" }],
    ['ask("sure?")', { action: "ask", reason: "sure?" }],
    ["continue()", { action: "continue" }],
    ['modify(args.command, "ls")', { action: "modify", modify: { field: "args.command", value: "ls" } }],
    ['modify("args.a b", [1])', { action: "modify", modify: { field: "args.a b", value: [1] } }],
    ['modify(args.n, 1, "why")', { action: "modify", reason: "why", modify: { field: "args.n", value: 1 } }],
    ["modify(args.n, null)", { action: "modify", modify: { field: "args.n", value: null } }],
  ];
  test.each(rows)("%s", (text, says) => {
    expect(rules(`x exists -> ${text}`)).toEqual([{ when: compare("x", "exists"), ...says }]);
  });
});

test.each(["args.edits.*.path", "args.0", "args.x-y", "größe", "$ref", "@kind"])("%s needs no quotes", (field) => {
  expect(when(`${field} exists`)).toEqual(compare(field, "exists"));
});

test("a field with any name can stand in quotes", () => {
  expect(when('"not" exists and "args.a b" exists')).toEqual({
    kind: "all",
    of: [compare("not", "exists"), compare("args.a b", "exists")],
  });
});

test("comments, empty lines and every line end are read", () => {
  const { lines, problems } = readDsl("# one\r\n\r\na exists -> deny()  # two\r\n\tb exists->continue()");
  expect(problems).toEqual([]);
  expect(lines.map(({ comment, rule, line }) => [line, rule?.action, comment])).toEqual([
    [1, undefined, "# one"],
    [2, undefined, undefined],
    [3, "deny", "# two"],
    [4, "continue", undefined],
  ]);
});

describe("a line that cannot be read is told with line, column, a caret and the next step", () => {
  const rows: [text: string, column: number, what: string, fix: RegExp][] = [
    ["a", 2, "the rule ends where an operator is expected", /equals, contains/],
    ['a contians "x" -> deny()', 3, "there is contians where an operator is expected", /Did you mean "contains"/],
    ["a equals bash -> deny()", 10, "there is bash where a value is expected", /in quotes: "bash"/],
    ['a equals "x" deny()', 14, 'there is deny where "->", "and" or "or" is expected', /-> deny/],
    ['a equals "x" -> denny()', 17, "there is denny where an action is expected", /Did you mean "deny"/],
    ["a exists -> deny", 17, 'the rule ends where "(" behind deny is expected', /Write: a exists -> deny\("say why/],
    ["a exists -> deny(no)", 18, 'there is no where a reason in quotes, or ")", is expected', /A rule reads/],
    ['a in "x" -> deny()', 6, '`in` needs a list, and got "x"', /\["a", "b"\]/],
    ['a in ["x" -> deny()', 11, 'there is -> where "," or "]" is expected', /A rule reads/],
    ['a equals "x -> deny()', 10, "this text has no closing quote", /Add "/],
    ["(a exists -> deny()", 11, 'there is -> where a closing ")" is expected', /Add "\)" before it/],
    ["a exists -> deny() b", 20, "there is b where the end of the line is expected", /new line/],
    ['a = "x" -> deny()', 3, '"=" means nothing here', /equals/],
    ["a exists && b exists -> deny()", 10, '"&" means nothing here', /Write: a exists and b exists -> deny\(\)/],
    ['a gt "y" -> deny()', 6, '`gt` needs a number, and got "y"', /digits/],
    ["a..b exists -> deny()", 1, 'The field "a..b" has a part without a name', /Write: a\.b exists -> deny\(\)/],
    ["a exists -> modify(__proto__.x, 1)", 20, "no rule may change it", /another/],
    ["a exists -> modify(args.x)", 26, 'there is ) where "," and the new value is expected', /A rule reads/],
    ['a equals "\\u12" -> deny()', 10, "\\u needs four hexadecimal digits", /u0041/],
    ["a gt 1e999 -> deny()", 6, "this number is too large", /quotes/],
    [`${"not ".repeat(70)}a exists -> deny()`, 257, "nested more than 64 deep", /several rules/],
    [`a equals ${"[".repeat(70)} -> deny()`, 73, "nested more than 64 deep", /several rules/],
  ];
  test.each(rows)("%s", (text, column, what, fix) => {
    const { problems } = readDsl(`# first\n${text}`);
    expect(problems).toHaveLength(1);
    const [problem] = problems;
    expect(problem).toMatchObject({ code: "rule/syntax", path: ["rules", 2, column], fix: expect.stringMatching(fix) });
    const [head = "", shown = "", caret = ""] = problem?.message.split("\n") ?? [];
    expect(head).toMatch(/^Rules, line 2, column \d+: .*\.$/);
    expect(head).toContain(`column ${column}: `);
    expect(head).toContain(what);
    expect(shown.slice(caret.length - 1).replace("…", "")).toBe(text.slice(column - 1, column + 79).trimEnd());
    expect(caret).toMatch(/^ *\^$/);
  });
});

test("one broken line does not hide the others", () => {
  const { lines, problems } = readDsl('a exists -> deny()\noops\nb exists -> deny()\n"');
  expect(rulesIn(lines).map(({ label }) => label)).toEqual(["Rules, line 1", "Rules, line 3"]);
  expect(problems.map(({ message }) => message.split(":")[0])).toEqual([
    "Rules, line 2, column 5",
    "Rules, line 4, column 1",
  ]);
});

test("problems are bounded in number and in length", () => {
  const { problems } = readDsl(`${"x".repeat(5000)}\n`.repeat(40));
  expect(problems).toHaveLength(20);
  expect(Math.max(...problems.map(({ message }) => message.length))).toBeLessThan(500);
});

test("more text than a person writes is refused", () => {
  expect(readDsl("#".repeat(300_000)).problems[0]).toMatchObject({ code: "rule/too-long" });
});

test("what a terminal would obey is not shown", () => {
  const message = readDsl('"\u001b[2J\u202e').problems[0]?.message ?? "";
  expect(message).toContain('" [2J ');
  expect(message).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
});
