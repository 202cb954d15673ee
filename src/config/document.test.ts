import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { formatPlace } from "../problem/problem.ts";
import { parseDocument, readDocument } from "./document.ts";
import { findHookList } from "./hook-list.ts";
import { plain } from "./tree.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-document-"));

function value(file: string, text: string): unknown {
  const read = parseDocument(file, text);
  return read.state === "read" ? plain(read.document.tree) : read.problem.message;
}

/** `code line:column` of what spoils a whole file, or nothing. */
function fault(file: string, text: string): string | undefined {
  const read = parseDocument(file, text);
  const problem = read.state === "read" ? findHookList(read.document).corrupt : read.problem;
  return problem && `${problem.code} ${formatPlace({ ...problem.place, file: "" }).slice(1)}`;
}

describe("what can be read", () => {
  test.each([
    ["an empty file", "a.yaml", "", null],
    ["an empty file", "a.json", "", null],
    ["a file of comments", "a.yaml", "# nothing yet\n", null],
    ["a file of comments", "a.json", "// nothing yet\n/* at all */\n", null],
    ["comments and trailing commas", "a.json", '{ // here\n "hooks": [ /* and there */ 1, ], }', { hooks: [1] }],
    ["CRLF line ends", "a.yaml", "hooks:\r\n  - event: a\r\n", { hooks: [{ event: "a" }] }],
    ["words that older YAML took for booleans", "a.yaml", "a: off\nb: no\nc: on\n", { a: "off", b: "no", c: "on" }],
    [
      "keys of another object",
      "a.yaml",
      "a: &x { p: 1, q: 2 }\nb: { q: 3, <<: *x }\n",
      { a: { p: 1, q: 2 }, b: { q: 3, p: 1 } },
    ],
    [
      "keys of several objects, of which the first counts",
      "a.yaml",
      "a: &x { p: 1 }\nb: &y { p: 2, q: 2 }\nc:\n  <<: [*x, *y]\n",
      { a: { p: 1 }, b: { p: 2, q: 2 }, c: { p: 1, q: 2 } },
    ],
    ["a merge of what is no object, as it is", "a.yaml", "a: { <<: 1 }\n", { a: { "<<": 1 } }],
    ["anchors and aliases", "a.yaml", "a: &x [1, 2]\nb: *x\n", { a: [1, 2], b: [1, 2] }],
    ["tags of plain values", "a.yaml", "a: !!str 1\n", { a: "1" }],
    ["keys that are numbers", "a.yaml", "1: x\n", { "1": "x" }],
  ])("%s (%s)", (_, file, text, expected) => {
    expect(value(file, text)).toEqual(expected);
  });
});

describe("what spoils a file is told with line and column", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  test.each([
    ["not JSON", "a.json", '{\n  "hooks": [\n    { "event": }\n', "config/json 3:16"],
    ["not JSON at all", "a.json", "{ not json", "config/json 1:3"],
    ["not YAML", "a.yaml", "hooks:\n  - a: 'x\n", "config/yaml 3:1"],
    ["a tab for indentation", "a.yaml", "hooks:\n\t- a: x\n", "config/yaml 2:1"],
    ["a second document", "a.yaml", "hooks: []\n---\nhooks: []\n", "config/second-document 2:1"],
    ["a doubled key outside of hooks", "a.yaml", "hooks: []\ntrace: on\ntrace: off\n", "config/doubled-key 3:1"],
    ["a doubled key outside of hooks", "a.json", '{\n  "hooks": [],\n  "hooks": []\n}', "config/doubled-key 3:3"],
    ["__proto__", "a.json", '{ "hooks": [],\n  "__proto__": { "x": 1 } }', "config/forbidden-key 2:3"],
    ["constructor", "a.yaml", "intents:\n  constructor: 1\n", "config/forbidden-key 2:3"],
    ["prototype", "a.yaml", "prototype: 1\n", "config/forbidden-key 1:1"],
    ["nesting beyond 64", "a.json", nested(65), "config/too-deep 1:65"],
    ["nesting beyond 64", "a.yaml", "- ".repeat(70), "config/too-deep 1:132"],
    ["nesting beyond any stack", "a.json", "[".repeat(500_000), "config/too-deep 1:65"],
    ["nesting beyond any stack", "a.yaml", "[".repeat(500_000), "config/too-deep 1:67"],
    ["nesting of maps beyond any stack", "a.yaml", "{a: ".repeat(100_000), "config/too-deep 1:262"],
    ["a text instead of hooks", "a.yaml", "just words\n", "config/no-configuration 1:1"],
    ["a number under hooks", "a.yaml", "hooks: 3\n", "config/no-hooks 1:8"],
    ["a text under definitions", "a.yaml", "hooks:\n  definitions: x\n", "config/no-hooks 2:16"],
    ["a tag of its own", "a.yaml", "llm: !env KEY\n", "config/tag 1:11"],
    ["a name that no value has", "a.yaml", "guards: *strict\n", "config/no-anchor 1:9"],
    ["a key that is a list", "a.yaml", "? [a]\n: b\n", "config/key-is-no-text 1:3"],
  ])("%s (%s)", (_, file, text, expected) => {
    expect(fault(file, text)).toBe(expected);
  });

  test.each([
    ["hooks:\n  - event: *\n", "Put it in quotes"],
    ["hooks:\n  - event: @shell\n", "Put the text in quotes"],
    ['hooks:\n  - rules: tool equals "a: b" -> deny()\n', "Put the text in quotes, or begin it with `|`"],
    ["hooks:\n  - event: a:b\n     rules: x\n", "Give the key on the next line as many spaces as this one"],
    ["hooks:\n\t- a: x\n", "Put spaces in place of the tabs"],
  ])("%j: the next step fits the complaint", (text, fix) => {
    const read = parseDocument("a.yaml", text);
    expect(read.state === "corrupt" && read.problem.fix).toContain(fix);
  });

  test("64 lists inside each other are fine", () => {
    expect(fault("a.json", nested(64))).toBeUndefined();
    expect(fault("a.yaml", nested(64))).toBeUndefined();
  });
});

test("a YAML bomb is refused before it grows", () => {
  const levels = Array.from({ length: 9 }, (_, i) => `l${i + 1}: &l${i + 1} [${Array(9).fill(`*l${i}`).join(", ")}]`);
  expect(fault("a.yaml", `l0: &l0 [lol]\n${levels.join("\n")}\n`)).toMatch(/^config\/too-many-aliases /);
  expect(fault("a.yaml", "a: &a [*a]\n")).toMatch(/^config\/(too-many-aliases|too-deep|yaml) /);
});

test("reading leaves the prototype of all objects alone", () => {
  const before = Object.getOwnPropertyNames(Object.prototype);
  const texts = ['{"__proto__": {"polluted": 1}, "hooks": [{"__proto__": {"polluted": 1}}]}'];
  for (const text of texts) for (const file of ["a.json", "a.yaml"]) value(file, text);
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(Object.keys(value("a.json", texts[0] ?? "") as object)).toEqual(["__proto__", "hooks"]);
});

describe("files", () => {
  const write = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const outcome = (path: string, owner?: number) => {
    const read = readDocument(path, { owner });
    if (read.state === "read" || read.state === "missing") return read.state;
    return `${read.state} ${read.problem.code} ${formatPlace({ ...read.problem.place, file: "" })}`;
  };

  test("a file that is not there is missing, also below a file", () => {
    expect(outcome(join(folder, "nothing.yaml"))).toBe("missing");
    expect(outcome(join(write("file", ""), "hooks.yaml"))).toBe("missing");
  });

  test("1 MiB is read, one byte more is not", () => {
    expect(outcome(write("large.yaml", `#${"x".repeat(1024 * 1024 - 1)}`))).toBe("read");
    expect(outcome(write("larger.yaml", `#${"x".repeat(1024 * 1024)}`))).toBe("corrupt config/too-large :1:1");
  });

  test("a folder, a pipe and a circle of links are no files", () => {
    mkdirSync(join(folder, "folder.yaml"));
    execFileSync("sh", ["-c", 'mkfifo "$0"', join(folder, "pipe.yaml")]);
    symlinkSync(join(folder, "circle.yaml"), join(folder, "circle.yaml"));
    expect(outcome(join(folder, "folder.yaml"))).toBe("corrupt config/no-file :1:1");
    expect(outcome(join(folder, "pipe.yaml"))).toBe("corrupt config/no-file :1:1");
    expect(outcome(join(folder, "circle.yaml"))).toBe("corrupt config/unreadable :1:1");
  });

  test("text that is not UTF-8 is told where it begins to be something else", () => {
    const bytes = Buffer.concat([Buffer.from("hooks:\n  - "), Buffer.from([0xe4, 0x20, 0xff])]);
    expect(outcome(write("latin.yaml", bytes))).toBe("corrupt config/not-utf8 :2:5");
    expect(outcome(write("utf16.json", Buffer.from("\uFEFF{}", "utf16le")))).toMatch(/^corrupt config\/not-utf8 :1:1/);
  });

  test("a byte order mark is no part of the text", () => {
    const read = readDocument(write("mark.json", '\uFEFF{ "hooks": [] }'));
    expect(read.state === "read" && [read.document.mark, plain(read.document.tree)]).toEqual(["\uFEFF", { hooks: [] }]);
  });

  test("a managed file of somebody else, or one that others may write, is ignored", () => {
    const own = process.getuid?.() ?? 0;
    const path = write("managed.yaml", "hooks: []\n");
    chmodSync(path, 0o644);
    expect(outcome(path, own)).toBe("read");
    expect(outcome(path, own + 1)).toBe("ignored config/not-managed :1:1");
    chmodSync(path, 0o664);
    expect(outcome(path, own)).toBe("ignored config/not-managed :1:1");
  });
});
