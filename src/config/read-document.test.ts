import { describe, expect, test } from "vitest";
import { readPlainYaml } from "./read-document.ts";
import { readYaml } from "./read-yaml.ts";
import { plain } from "./tree.ts";

describe("what most files are made of is read without the library, and read the same", () => {
  test.each([
    ["nothing", "", null],
    ["comments alone", "# nothing yet\n\n  # at all\n", null],
    ["keys and values", "a: 1\nb: x y\n", { a: 1, b: "x y" }],
    ["no line end at the end", "a: 1", { a: 1 }],
    ["a list under its key", "a:\n  - x\n  - y\nb: 1\n", { a: ["x", "y"], b: 1 }],
    ["a list as far left as its key", "a:\n- x\n- y\nb: 1\n", { a: ["x", "y"], b: 1 }],
    [
      "objects in lists",
      "- a: 1\n  b: 2\n-   a: 3\n    c:\n    - 4\n",
      [
        { a: 1, b: 2 },
        { a: 3, c: [4] },
      ],
    ],
    ["what begins below its dash or key", "-\n  a: 1\n-\n  - b\n", [{ a: 1 }, ["b"]]],
    ["values that are not there", "a:\nb: # none\nc:\n  -\n  - d\n", { a: null, b: null, c: [null, "d"] }],
    ["words and numbers", "a: [true, false, null, ~, 0, -1, 2.5]\n", { a: [true, false, null, null, 0, -1, 2.5] }],
    [
      "texts that are no words or numbers",
      "a: [5s, -x, yes, off, ./a, 1/2]\n",
      { a: ["5s", "-x", "yes", "off", "./a", "1/2"] },
    ],
    ["colons and hashes inside a text", "a: tool:*:@write#x # note\n", { a: "tool:*:@write#x" }],
    ["quotes", `'a': 'it''s' # b\n"b": "\\"x\\"\\n\\\\"\nc: " # "\n`, { a: "it's", b: '"x"\n\\', c: " # " }],
    ["quotes and brackets inside a text", 'a: say "x" [y] {z}\n', { a: 'say "x" [y] {z}' }],
    ["empty lists and objects", "a: []\nb: {}\nc: [ ]\n", { a: [], b: {}, c: [] }],
    ["lists in brackets", `a: [x:y, 'b, c' , "]"] # d\n`, { a: ["x:y", "b, c", "]"] }],
    ["objects in brackets", "- { b: c, 'd': [1, {e: f g}], h: {} } # i\n", [{ b: "c", d: [1, { e: "f g" }], h: {} }]],
    ["lists in lists in brackets", "a: [[b], [ ], [[1, x y]]]\n", { a: [["b"], [], [[1, "x y"]]] }],
    ["quotes in brackets", `a: { b: "}, [", c: 'it''s' , d: tool:* }\n`, { a: { b: "}, [", c: "it's", d: "tool:*" } }],
    ["lines as they are", "a: |\n  x # y\n\n    - z\n\n# note\nb: |-\n  'w'\n\n", { a: "x # y\n\n  - z\n", b: "'w'" }],
    ["lines as they are in a list", "- |\n x\n- y\n", ["x\n", "y"]],
    ["comments of any depth", "a:\n      # deep\n  b: 1\n# left\n  c: 2\n", { a: { b: 1, c: 2 } }],
    ["letters of any language", "a: Größe 完成 🚀\n", { a: "Größe 完成 🚀" }],
    ["keys that other rules refuse", "__proto__: 1\n", Object.fromEntries([["__proto__", 1]])],
  ])("%s", (_, text, value) => {
    const tree = readPlainYaml(text);
    expect(tree && plain(tree)).toEqual(value);
    expect({ tree }).toEqual(readYaml(text));
  });
});

describe("the rest is the library's to read, or to refuse", () => {
  test.each([
    ["tabs", "a:\tb\n"],
    ["CRLF line ends", "a: b\r\n"],
    ["control characters", "a: \u0007\n"],
    ["blanks that are no space", "a: b\u00a0\n"],
    ["half a character", "a: \ud83d\n"],
    ["a byte order mark", "\ufeffa: b\n"],
    ["directives", "%YAML 1.2\n---\na: b\n"],
    ["document marks", "---\na: b\n"],
    ["an end of a document", "a: b\n...\n"],
    ["anchors", "a: &x b\n"],
    ["aliases", "a: &x b\nc: *x\n"],
    ["tags", "a: !!str 1\n"],
    ["a value alone", "just words\n"],
    ["complex keys", "? a\n: b\n"],
    ["keys with blanks", "a b: c\n"],
    ["keys that are numbers", "1: a\n"],
    ["keys that are words", "null: a\n"],
    ["keys that are long", `${"a".repeat(129)}: b\n`],
    ["a blank before the colon", "a : b\n"],
    ["no blank after the colon", "a:b\n"],
    ["doubled keys", "a: 1\nb: 2\n'a': 3\n"],
    ["texts over several lines", "a: b\n  c\n"],
    ["quoted texts over several lines", "a: 'b\n  c'\n"],
    ["a key inside a value", "a: b: c\n"],
    ["text behind a quote", "a: 'b' c\n"],
    ["a comment that touches a quote", "a: 'b'#c\n"],
    ["a quote without an end", "a: 'b\n"],
    ["rare escapes", 'a: "\\x41"\n'],
    ["folded lines", "a: >\n  b\n"],
    ["lines with all their ends", "a: |+\n  b\n"],
    ["lines with a stated indentation", "a: |2\n  b\n"],
    ["lines that begin too far left", "a: |\n    b\n  c\n"],
    ["lines of spaces among lines as they are", "a: |\n  b\n  \n  c\n"],
    ["no lines where some are announced", "a: |\nb: c\n"],
    ["lists over several lines", "a: [b,\n  c]\n"],
    ["objects over several lines", "a: {b: c,\n  d: e}\n"],
    ["doubled keys in brackets", "a: {b: 1, 'b': 2}\n"],
    ["keys without a value in brackets", "a: {b, c: d}\n"],
    ["keys whose value is missing in brackets", "a: {b: , c: d}\n"],
    ["no blank after a colon in brackets", 'a: {"b":c}\n'],
    ["brackets that do not match", "a: [b}\n"],
    ["brackets that do not end", "a: {b: c\n"],
    ["text behind brackets", "a: {b: c} d\n"],
    ["many brackets", `a: ${"[".repeat(9)}${"]".repeat(9)}\n`],
    ["pairs in lists", "a: [b: c]\n"],
    ["gaps in lists", "a: [b,,c]\n"],
    ["a comma too many", "a: [b,]\n"],
    ["dashes in a row", "- - a\n"],
    ["a dash behind a key", "a: - b\n"],
    ["items that do not line up", "a:\n  - b\n - c\n"],
    ["keys that do not line up", "a: 1\n b: 2\n"],
    ["a key among items", "- a\nb: c\n"],
    ...[
      "0x1F",
      "0o17",
      "1e3",
      "+1",
      "017",
      "1_000",
      ".5",
      "1.",
      ".inf",
      "-.INF",
      ".nan",
      "-0",
      "True",
      "NULL",
      "1.10",
    ].map((word) => [word, `a: ${word}\n`]),
    ...["?a", ":a", ",a", "]", "}", "&a", "*a", "!a", ">a", "%a", "@a", "`a`", "- a", "-", "a:"].map((text) => [
      `a text that begins or ends like \`${text}\``,
      `a: ${text}\n`,
    ]),
  ])("%s", (_, text) => {
    expect(readPlainYaml(text)).toBeUndefined();
  });

  test("long texts and deep ones", () => {
    const nested = (depth: number) => Array.from({ length: depth }, (_, level) => `${" ".repeat(level)}a:\n`).join("");
    expect(readPlainYaml(`a: ${"x".repeat(1024 * 1024 - 3)}`)).toBeDefined();
    expect(readPlainYaml(`a: ${"x".repeat(1024 * 1024 - 2)}`)).toBeUndefined();
    expect({ tree: readPlainYaml(nested(63)) }).toEqual(readYaml(nested(63)));
    expect(readPlainYaml(nested(64))).toBeUndefined();
  });
});
