import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Language } from "../effects/programs/program.ts";
import { readOnce } from "../fs/read-once.ts";
import { loadedByCode } from "./code-modules.ts";

let root = "";
const home = () => join(root, "a/b/c/d");
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "sluice-modules-")));
  const files =
    `one.js two.mjs three.cjs four.ts five.mts six.cts data.json mod/index.js way/index.ts both both.js up.js
    part.py pack/__init__.py pack/deep.py pack/low/__init__.py pack/low/end.py ../__init__.py ../beside.py ../../above.py ../../../far.py ../../../../off.py
    lib.rb bare.pl plain.pm sub/lib.rb run.sh note.txt tool inner/script.sh inner/plain .hidden.sh words.md`.split(
      /\s+/,
    );
  for (const file of [...files, "my note.txt"]) {
    const path = join(home(), file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "", { mode: file === "tool" ? 0o755 : 0o644 });
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const NAMES: Partial<Record<Language, string>> = { javascript: "m.mjs", python: "m.py", ruby: "m.rb", perl: "m.pl" };

test.each<[Language, code: string, files: string[]]>([
  ["javascript", 'import "./one.js";', ["one.js"]],
  ["javascript", "import x from './one'", ["one.js"]],
  ["javascript", "await import(`./two`)", ["two.mjs"]],
  ["javascript", 'require("./three"); require ( "./four" )', ["three.cjs", "four.ts"]],
  ["javascript", 'require.resolve("./five")', ["five.mts"]],
  ["javascript", 'export * from "./six"', ["six.cts"]],
  ["javascript", 'require("./data")', ["data.json"]],
  ["javascript", 'import d from "./data.json"', ["data.json"]],
  ["javascript", 'await import ( "./data.json" )', ["data.json"]],
  ["javascript", 'const name = "./data.json"', []],
  ["javascript", 'const name = "./one.js"', ["one.js"]],
  ["javascript", 'const name = "./one"', ["one.js"]],
  ["javascript", 'const name = "./note.txt"', []],
  ["javascript", 'import "./note.txt"', ["note.txt"]],
  ["javascript", 'readFileSync("./one.js")', []],
  ["javascript", 'require("./mod"), require("./way")', ["mod/index.js", "way/index.ts"]],
  ["javascript", 'require("./both")', ["both"]],
  ["javascript", 'require("../d/one")', ["one.js"]],
  ["javascript", 'require(".../one.js")', []],
  ["javascript", 'require("./gone")', []],
  ["javascript", 'require("one.js")', ["one.js"]],
  ["python", "import part", ["part.py"]],
  ["python", "  import part # why", ["part.py"]],
  ["python", "x import part", []],
  ["python", "import other, part as p", ["part.py"]],
  ["python", "from part import x", ["part.py"]],
  ["python", "from part import *", ["part.py"]],
  ["python", "from . import part", ["part.py"]],
  ["python", "from .pack import deep", ["pack/__init__.py", "pack/__init__.py", "pack/deep.py"]],
  ["python", "from pack.low import (end,\n  other)", ["pack/__init__.py", "pack/low/__init__.py", "pack/low/end.py"]],
  ["python", "import pack.low.end", ["pack/__init__.py", "pack/low/__init__.py", "pack/low/end.py"]],
  ["python", "import beside, above, far, off", ["../beside.py", "../../above.py", "../../../far.py"]],
  ["python", "import part\nimport part", ["part.py"]],
  ["ruby", 'require_relative "lib"', ["lib.rb"]],
  ["ruby", "require_relative './lib.rb'", ["lib.rb"]],
  ["ruby", 'load "lib.rb"', ["lib.rb", "lib.rb"]],
  ["ruby", 'autoload :Lib, "sub/lib"', ["sub/lib.rb"]],
  ["ruby", 'requires "lib"', []],
  ["ruby", 'require x, "y"\n"lib"', []],
  ["perl", 'require "bare.pl";', ["bare.pl", "bare.pl"]],
  ["perl", 'do "./bare";', ["bare.pl"]],
  ["perl", "use lib 'plain.pm';", ["plain.pm"]],
  ["python", "from ..beside import x", ["../beside.py"]],
  ["php", 'include "lib.rb";', []],
])("%s code %j loads %j", (language, text, files) => {
  const path = join(home(), NAMES[language] ?? "m");
  const found = loadedByCode({ path, text, language }, [home()], [home()], readOnce());
  const names = found.map((file) => relative(home(), file));
  expect(new Set(names)).toEqual(new Set(files));
});

test.each<[code: string, files: string[]]>([
  ['spawn("sh", ["note.txt"])', ["note.txt"]],
  ['spawn("sh", ["-e", "note.txt"])', ["note.txt"]],
  ['log("sh"); x("note.txt")', []],
  ['log("sh", x); y("note.txt")', []],
  ['exec("sh note.txt")', ["note.txt"]],
  ['exec("Show note.txt")', []],
  ['exec("see sh note.txt")', []],
  ['exec("run.sh")', ["run.sh"]],
  ['exec("note.txt")', []],
  ['exec("./tool")', ["tool"]],
  ['exec("tool")', []],
  ['const path = "./tool"', ["tool"]],
  ['const path = "inner/script.sh"', ["inner/script.sh"]],
  ['const path = "words.md"', []],
  ['subprocess.run([path]); path = "words.md"', []],
  ['subprocess.run([path]); path = "one.js"', ["one.js"]],
  ['path = "one.js"', []],
  ['open("inner/script.sh")', []],
  ['fs.readFile("inner/script.sh")', []],
  ['console.log("inner/script.sh")', []],
  ['open("inner/script.sh"); system("inner/script.sh")', ["inner/script.sh"]],
  ['system("inner/script.sh"); open("inner/script.sh")', ["inner/script.sh"]],
  ['join("inner", "script.sh")', ["inner/script.sh"]],
  ['Path("inner") / "script.sh"', []],
  ['"inner" / "script.sh"', ["inner/script.sh"]],
  ['"inner" + "script.sh"', ["inner/script.sh"]],
  ['"inner"; "script.sh"', []],
  ['open(x).write(y); ("inner/script.sh")', ["inner/script.sh"]],
  ['spawn("sh", ["tool"])', ["tool"]],
  ['spawn("sh", ["my note.txt"])', ["my note.txt", "note.txt"]],
  ['exec("sh  note.txt")', ["note.txt"]],
  ['exec("./.hidden.sh")', [".hidden.sh"]],
  ['open("inner/script.sh"); const path = "inner/script.sh"', ["inner/script.sh"]],
  ['const path = "inner/script.sh"; open("inner/script.sh")', ["inner/script.sh"]],
  ['const path = "inner/plain"', []],
  ['unimport("one.js")', []],
  ['reopen("inner/script.sh")', ["inner/script.sh"]],
  ['open ("inner/script.sh")', []],
  ['open(x, "inner/script.sh")', []],
  ['"inner", f("script.sh")', []],
  ['f(x), "inner" , "script.sh"', ["inner/script.sh"]],
  ['spawn("sh", x), ["note.txt"]', []],
  ['spawn("sh" , [ "note.txt"])', ["note.txt"]],
  [`open(${"x".repeat(170)}, "inner/script.sh")`, []],
  ['myspawn(x); path = "one.js"', []],
])("files that code in any language names between quotes and may run are included: %j", (text, files) => {
  const found = loadedByCode({ path: "m", text, language: "php" }, [], [home()], readOnce());
  expect(found.map((file) => relative(home(), file))).toEqual(files);
});

test("the first five hundred names between quotes are checked", () => {
  const names = (count: number) => Array.from({ length: count }, (_, at) => `"none/${at}"`).join(";");
  const found = (text: string) => loadedByCode({ path: "m", text, language: "php" }, [], [home()], readOnce());
  expect(found(`${names(499)}; "inner/script.sh"`)).toHaveLength(1);
  expect(found(`${names(500)}; "inner/script.sh"`)).toEqual([]);
});
