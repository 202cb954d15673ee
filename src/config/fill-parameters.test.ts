import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readDsl } from "../rule/dsl.ts";
import type { Rule } from "../rule/rule.ts";
import { parseDocument } from "./document.ts";
import { fillParameters, withoutDefaultExamples } from "./fill-parameters.ts";
import type { ParameterValue } from "./pack-parameters.ts";
import { plain } from "./tree.ts";

function filled(yaml: string, values: Readonly<Record<string, ParameterValue>>) {
  const read = parseDocument("sluice.yaml", yaml);
  if (read.state !== "read") throw read.problem;
  const { tree, problems } = fillParameters(read.document.tree, new Map(Object.entries(values)));
  return { data: plain(tree) as Record<string, never>, codes: problems.map(({ problem }) => problem.code) };
}

const rules = (text: string, values: Readonly<Record<string, ParameterValue>>) =>
  String(filled(`rules: ${JSON.stringify(text)}\n`, values).data.rules);

/** Every letter that there is; the library would make a table of all of them first. */
const LETTER = fc
  .integer({ min: 0, max: 0x10_ff_ff })
  .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
  .map((code) => String.fromCodePoint(code));

describe("a parameter in rules", () => {
  test.each<[string, string, Record<string, ParameterValue>, string]>([
    ["is a text in quotes", 'path glob "src/${a}/**" -> deny("x")', { a: "b" }, 'path glob "src/b/**" -> deny("x")'],
    [
      "is alternatives of a pattern, when it is a list",
      'path glob "${a}" -> deny("x")',
      { a: ["b", "c"] },
      'path glob "{b,c}" -> deny("x")',
    ],
    ["is a list, without quotes", 'tool in ${a} -> deny("x")', { a: ["b", "c"] }, 'tool in ["b", "c"] -> deny("x")'],
    [
      "is a number or a switch, without quotes",
      "n gt ${a} and b equals ${c} -> deny(${d})",
      { a: 5, c: true, d: "e" },
      'n gt 5 and b equals true -> deny("e")',
    ],
    [
      "is nothing but letters in a regular expression",
      'a matches "^${a}$" -> deny("x")',
      { a: "b.c" },
      'a matches "^(?:b\\\\.c)$" -> deny("x")',
    ],
    [
      "stays as it is behind a second $",
      'a contains "$${a}" -> deny("x")',
      { a: "b" },
      'a contains "${a}" -> deny("x")',
    ],
    [
      "stays as it is in a comment, and when no parameter has its name",
      'a contains "${HOME} ${z}" # ${a}',
      { a: "b" },
      'a contains "${HOME} ${z}" # ${a}',
    ],
  ])("%s", (_, text, values, wanted) => expect(rules(text, values)).toBe(wanted));

  test("never becomes syntax, whatever its value", () => {
    const templates = [
      'args.command contains "a${v}b" -> deny("no ${v}")',
      "args.command contains '${v}' -> deny('x')",
      'args.command equals ${v} -> deny("x")',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...templates), fc.string({ unit: LETTER }), (template, drawn) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: values with one of them are refused before.
        const value = drawn.replaceAll(/[\u0000-\u001f\u007f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, "");
        const { lines, problems } = readDsl(rules(template, { v: value }));
        expect(problems).toEqual([]);
        expect(lines.map(({ rule }) => shapeOf(rule))).toEqual(
          readDsl(rules(template, { v: "v" })).lines.map(({ rule }) => shapeOf(rule)),
        );
        expect(comparedValue(lines[0]?.rule)).toBe(template.includes('"a${v}b"') ? `a${value}b` : value);
      }),
    );
  });

  test("matches itself alone in a regular expression, whatever its value", () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const { lines } = readDsl(rules('a matches "^${v}$" -> deny("x")', { v: value }));
        expect(new RegExp(String(comparedValue(lines[0]?.rule))).test(value)).toBe(true);
        expect(new RegExp(String(comparedValue(lines[0]?.rule))).test(`${value}x`)).toBe(false);
      }),
    );
  });
});

describe("a parameter elsewhere", () => {
  test("is its value in data, whole or within a text, and a list within a list", () => {
    const yaml = "matcher: { tools: [a, '${v}'], path_patterns: '${v}' }\ndescription: no ${w}\nremedy: x ${w}\n";
    expect(filled(yaml, { v: ["b", "c"], w: 1 }).data).toEqual({
      matcher: { tools: ["a", "b", "c"], path_patterns: ["b", "c"] },
      description: "no 1",
      remedy: "x 1",
    });
  });

  test("is a variable of a command, one line for each item of a list", () => {
    expect(filled("command: run\nenv: { A: '${v}', B: 'x ${w}' }\n", { v: ["b", "c"], w: "$(id)" }).data.env).toEqual({
      A: "b\nc",
      B: "x $(id)",
    });
  });

  test.each([
    "command: echo ${v}",
    "script: ${v}.sh",
    "args: ['${v}']",
    "shell: ${v}",
    "url: http://${v}",
    "prompt: ${v}",
    "module: ${v}",
    "name: ${v}",
    "event: ${v}",
    "on_error: ${v}",
    "mode: ${v}",
    "type: ${v}",
    "headers: { a: '${v}' }",
    "options: { a: '${v}' }",
    "all: [{ command: 'x ${v}' }]",
    "when: { if: 'a exists', then: { args: ['${v}'] } }",
    "retry: { times: 2, of: { command: '${v}' } }",
  ])("is refused in `%s`", (yaml) => expect(filled(`${yaml}\n`, { v: "x" }).codes).toEqual(["pack/parameter-place"]));

  test("that is an empty list stands in no pattern", () => {
    expect(filled(`rules: 'path glob "\${v}" -> deny("x")'\n`, { v: [] }).codes).toEqual(["pack/empty-list"]);
  });
});

/** What a rule is, without its values. */
function shapeOf(rule: Rule | undefined): unknown {
  const { when } = rule ?? {};
  return [rule?.action, when?.kind === "compare" ? [when.field, when.operator] : when?.kind];
}

function comparedValue(rule: Rule | undefined): unknown {
  return rule?.when.kind === "compare" ? rule.when.value : undefined;
}

describe("examples of a pack", () => {
  test("a list inside a text is one example for each item", () => {
    const { data } = filled('examples: { deny: ["git push origin ${a}", "${a}"] }\n', { a: ["main", "next"] });
    expect(data.examples).toEqual({ deny: ["git push origin main", "git push origin next", "main", "next"] });
  });

  const kept = (yaml: string) => {
    const read = parseDocument("sluice.yaml", yaml);
    if (read.state !== "read") throw read.problem;
    return (plain(withoutDefaultExamples(read.document.tree)) as { examples: unknown }).examples;
  };
  test.each([
    ['rules: a contains "${b}" -> deny("x")\nexamples: { deny: [main, "x ${b}"], allow: [y] }\n', { deny: ["x ${b}"] }],
    [
      'rules: a contains "${b}" -> deny("x")\nexamples: [{ args: { a: main }, expect: deny }, { args: { a: "${b}" }, expect: deny }]\n',
      [{ args: { a: "${b}" }, expect: "deny" }],
    ],
    ['rules: a contains "b" -> deny("x")\nexamples: { deny: [main] }\n', { deny: ["main"] }],
  ])("those for the defaults are no examples for other values: %s", (yaml, examples) => {
    expect(kept(yaml)).toEqual(examples);
  });
});
