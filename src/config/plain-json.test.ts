import { describe, expect, test } from "vitest";
import { readJson } from "./document.ts";
import { readPlainJson } from "./plain-json.ts";
import { plain } from "./tree.ts";

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

describe("what most files are made of is read without the library, and read the same", () => {
  test.each([
    ["nothing", "", null],
    ["comments alone", "// nothing yet\n/* at all */\n", null],
    ["an object", '{ "a": 1, "b": { "c": [true, false, null] } }', { a: 1, b: { c: [true, false, null] } }],
    ["a list", "[0, -1, 2.5, 100]\n", [0, -1, 2.5, 100]],
    ["empty ones", '[{}, [], { }, [ ], ""]', [{}, [], {}, [], ""]],
    ["a value alone", ' "x" ', "x"],
    ["comments", '// a\n{ /* b\r\n * c */ "d" /**/ : // e\r\n 1 }//', { d: 1 }],
    ["comments that lie inside a text", '["// a", "/* b */"]', ["// a", "/* b */"]],
    ["trailing commas", '{ "a": [1, 2,], "b": 3, }', { a: [1, 2], b: 3 }],
    ["Windows line ends and tabs", '{\r\n\t"a": 1\r\n}\r\n', { a: 1 }],
    ["escapes", '["\\"\\\\\\/\\b\\f\\n\\r\\t", "\\u00e9\\ud83d\\ude80", "\\\\"]', ['"\\/\b\f\n\r\t', "é🚀", "\\"]],
    ["letters of any language", '{ "Größe": "完成 🚀" }', { Größe: "完成 🚀" }],
    ["keys that other rules refuse", '{ "__proto__": 1 }', Object.fromEntries([["__proto__", 1]])],
    ["64 lists inside each other", nested(64), JSON.parse(nested(64))],
  ])("%s", (_, text, value) => {
    const tree = readPlainJson(text);
    expect(tree && plain(tree)).toEqual(value);
    expect({ tree }).toEqual(readJson(text));
  });
});

describe("the rest is the library's to read, or to refuse", () => {
  test.each([
    ["a byte order mark", "\ufeff{}"],
    ["control characters", '["\u0007"]'],
    ["a line end in a text", '["a\nb"]'],
    ["a tab in a text", '["a\tb"]'],
    ["blanks that are no space", "[\u00a01]"],
    ["half a character", '["\ud83d"]'],
    ["half a character, escaped", '["\\ud83d"]'],
    ["escapes that JSON does not have", '["\\x41"]'],
    ["escapes that are not complete", '["\\u12"]'],
    ["a text without an end", '["a'],
    ["a text whose last quote is escaped", '["a\\"]'],
    ["single quotes", "['a']"],
    ["keys without quotes", "{ a: 1 }"],
    ["a key without a value", '{ "a" }'],
    ["a key with a colon alone", '{ "a": }'],
    ["doubled keys", '{ "a": 1, "\\u0061": 2 }'],
    ["no comma", "[1 2]"],
    ["a comma alone", "[,]"],
    ["two commas", "[1,,2]"],
    ["the other bracket", '{ "a": 1 ]'],
    ["no end", "[1"],
    ["more after the end", "{} {}"],
    ["a comment without an end", "[] /* a"],
    ["half a comment", "[] /"],
    ["nesting beyond 64", nested(65)],
    ["nesting beyond any stack", "[".repeat(60_000)],
    ["a long text", `["${"x".repeat(1024 * 1024)}"]`],
    ...[
      "1e3",
      "+1",
      "01",
      ".5",
      "1.",
      "-0",
      "1.50",
      "0x1F",
      "NaN",
      "Infinity",
      "-Infinity",
      "1e+21",
      "9007199254740993",
      "-",
    ].map((word) => [word, `[${word}]`]),
    ...["True", "nul", "undefined", "truefalse"].map((word) => [word, `[${word}]`]),
  ])("%s", (_, text) => {
    expect(readPlainJson(text)).toBeUndefined();
  });
});
