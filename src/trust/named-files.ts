import { readdirSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, join, resolve } from "node:path";
import type { FoundBytes } from "./read-once.ts";
import { isWithin } from "./real-path.ts";

/** Finds the bytes under a path. */
export type Read = (path: string) => FoundBytes | undefined;

/**
 * The files that a command may run or load: its program, its scripts, and what an interpreter is given. Names are looked
 * for in every folder in which the command may stand. A name too many costs an approval; one too few costs the guarantee.
 */
export function namedFiles(
  text: string,
  folders: readonly string[],
  root: string,
  read: Read,
  withImplied = true,
): string[] {
  const found: string[] = [];
  const bases = [...folders];
  let follows: "nothing" | "code" | "folder" = "nothing";
  let isCode = false;
  let before = "";
  for (const word of wordsOf(text)) {
    const name = basename(word);
    if (follows === "folder" && isPath(word)) bases.push(...bases.map((base) => resolve(base, word)));
    follows = CHANGES_FOLDER.has(word) ? "folder" : "nothing";
    const isGivenToInterpreter = INTERPRETER.test(basename(before));
    isCode ||= INTERPRETER.test(name) || word === ".";
    before = word;
    if (word === "." && !isGivenToInterpreter) continue;
    const implied = withImplied && Object.hasOwn(IMPLIED, name) ? (IMPLIED[name] ?? []) : [];
    found.push(...implied.flatMap((file) => bases.map((base) => join(base, file))).filter(read));
    for (const path of pathsOf(word, bases, root)) {
      const candidates = /[*?[]/.test(path)
        ? siblings(path)
        : [path, ...(isCode ? FOLDER_PROGRAMS.map((file) => join(path, file)) : [])];
      for (const candidate of candidates) {
        const bytes = read(candidate);
        if (bytes !== undefined && (isCode || isScript(bytes, word))) found.push(candidate);
      }
    }
  }
  return [...new Set(found)];
}

/** Whether a file is code by its name, its first bytes or its permission to be run. */
function isScript({ path, text, isExecutable }: FoundBytes, word: string): boolean {
  if (SCRIPT_SUFFIXES.has(extname(path).toLowerCase())) return true;
  return word.includes("/") && (isExecutable || (text?.startsWith("#!") ?? false));
}

/** Everything that could be a name, quotes and nesting taken away; a variable may stand for any folder. */
function wordsOf(text: string): string[] {
  return text
    .replaceAll(/\$\{?\w+\}?/g, "")
    .split(/[\s'"`;&|()<>={},\\]+/)
    .filter((word) => word !== "" && word.length < LONGEST_WORD)
    .slice(0, MOST_WORDS);
}

/** Where a word may lead. What is absolute and outside the project is no part of it. */
function pathsOf(word: string, bases: readonly string[], root: string): string[] {
  const inside = isAbsolute(word) && isWithin(root, word) ? [word] : [];
  const relative = word.replace(/^[/:]+/, "").replace(/^-\w(?=[./])/, "");
  return relative === "" ? inside : [...inside, ...bases.map((base) => resolve(base, relative))];
}

function isPath(word: string): boolean {
  return !word.startsWith("-");
}

function siblings(path: string): string[] {
  const folder = dirname(path);
  try {
    return readdirSync(folder)
      .sort()
      .slice(0, MOST_SIBLINGS)
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

const LONGEST_WORD = 1024;
const MOST_WORDS = 2000;
const MOST_SIBLINGS = 200;
const CHANGES_FOLDER = new Set(["cd", "pushd", "-C", "--prefix", "--cwd", "--dir"]);
const INTERPRETER =
  /^(?:(?:ba|z|da|k|fi|a)?sh|(?:node|nodejs|python|pypy|ruby|perl|php|lua|tclsh|Rscript)[\d.]*|deno|bun|tsx|ts-node|jiti|pwsh|osascript|awk|gawk|source|exec|eval|env|xargs|java|uv|go)$/;

/** What a program reads although nobody names it. */
const IMPLIED: Readonly<Record<string, readonly string[]>> = {
  npm: ["package.json"],
  pnpm: ["package.json"],
  yarn: ["package.json"],
  bun: ["package.json"],
  make: ["Makefile", "makefile", "GNUmakefile"],
  just: ["justfile", "Justfile", ".justfile"],
  task: ["Taskfile.yml", "Taskfile.yaml"],
  rake: ["Rakefile"],
};

/** What an interpreter runs when it is given a folder. */
const FOLDER_PROGRAMS = ["__main__.py", "package.json", "index.js", "index.mjs", "index.cjs", "index.ts"];

/** Suffixes of files that are run or loaded as code. */
const SCRIPT_SUFFIXES: ReadonlySet<string> = new Set(
  ".sh .bash .zsh .fish .py .js .mjs .cjs .ts .mts .cts .rb .pl .ps1 .php .lua .awk .bat .cmd".split(" "),
);
