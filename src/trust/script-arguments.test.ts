import { expect, test } from "vitest";
import { programNamed } from "../effects/programs/program-name.ts";
import { codeArguments, programIn, scriptArguments } from "./script-arguments.ts";

const told = (line: string, of: "code" | "scripts") => {
  const [name = "", ...args] = line.split(" ");
  const words = args.map((text) => ({ text, isKnown: true, isGlob: false }));
  const row = programNamed(name);
  if (row === undefined) throw new Error(`${name} is no program that is known`);
  return of === "code" ? codeArguments(row, words).map(({ text }) => text) : scriptArguments(row, name, words);
};

test.each<[line: string, scripts: readonly string[]]>([
  ["source a.sh b.sh", ["a.sh"]],
  [". a.sh b.sh", ["a.sh"]],
  ["bash a.sh b.sh", ["a.sh"]],
  ["bash -x a.sh", ["a.sh"]],
  ["bash -c x a.sh", []],
  ["bash -s a.sh", []],
  ["fish --command x a.fish", []],
  ["node a.js b.js", ["a.js"]],
  ["node -r ./r.js a.js", ["./r.js", "a.js"]],
  ["node --require ./r.js a.js", ["./r.js", "a.js"]],
  ["node --import ./i.mjs a.js", ["./i.mjs", "a.js"]],
  ["node --loader ./l.mjs a.js", ["./l.mjs", "a.js"]],
  ["node --env-file .env a.js", [".env", "a.js"]],
  ["node --env-file-if-exists .env a.js", [".env", "a.js"]],
  ["node -r ./r.js -e 1 a.js", ["./r.js"]],
  ["bun --preload ./p.ts a.ts", ["./p.ts", "a.ts"]],
  ["ruby -r ./x a.rb", ["./x", "a.rb"]],
  ["lua -l x a.lua", ["x", "a.lua"]],
  ["julia -L a.jl b.jl", ["a.jl", "b.jl"]],
  ["julia -L a.jl", ["a.jl"]],
  ["python3 a.py b.py", ["a.py"]],
  ["python3 -c x a.py", []],
  ["python3 -m x a.py", []],
  ["python3 -m coverage run a.py", ["a.py"]],
  ["python3 coverage run b.py", ["coverage"]],
  ["node --test a.js b.test.js", ["a.js", "b.test.js"]],
  ["node --test-reporter ./r.mjs --test a.js", ["./r.mjs", "a.js"]],
  ["php -d auto_prepend_file=first.php a.php", ["first.php", "a.php"]],
  ["awk -f a.awk b", ["a.awk"]],
  ["awk 1 b", ["1"]],
  ["guile -l a.scm b.scm", ["-l", "a.scm", "b.scm"]],
  ["deno run a.ts", ["a.ts"]],
  ["git add a", []],
])("files that a program receives to run or to load: %s", (line, scripts) => {
  expect(told(line, "scripts")).toEqual(scripts);
});

test.each<[line: string, code: readonly string[]]>([
  ["node -e 1 a.js", ["1"]],
  ["python3 -c x a.py", ["x"]],
  ["python3 a.py", []],
  ["git add a", []],
])("arguments that are code: %s", (line, code) => {
  expect(told(line, "code")).toEqual(code);
});

test.each<[piece: string, isProgram: boolean]>([
  ["bash", true],
  ["/bin/bash", true],
  ["bash.exe", true],
  ["make", true],
  ["Make", false],
  ["Bash", false],
  ["nothing-of-the-kind", false],
  [`python3.${"1".repeat(56)}`, true],
  [`python3.${"1".repeat(57)}`, false],
])("a piece of text names a program, or begins prose: %s", (piece, isProgram) => {
  expect(programIn(piece) !== undefined).toBe(isProgram);
});
