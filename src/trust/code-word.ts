import { basename, resolve } from "node:path";
import { statsAt } from "../fs/resolve-path.ts";

/** A word of a command that may name something that is run or loaded. */
export interface CodeWord {
  readonly text: string;
  /** `search`: programs and modules are looked for in that folder. `module`: a name with dots, as an interpreter takes it. */
  readonly kind: "file" | "module" | "search";
  /** Whatever file it names is taken for code, not only one that looks like it. */
  readonly isCode: boolean;
  /** It is run for certain, so what is not known about it has to be looked for. */
  readonly isRun: boolean;
  /** The folders that it is seen from. */
  readonly bases: readonly string[];
}

/** Everything in a text that could be a name, quotes and nesting taken away; a variable may stand for any folder. */
export function wordsInPieces(text: string, folders: readonly string[]): CodeWord[] {
  const found = searchFolders(text, folders);
  const bases = [...folders];
  let follows: "nothing" | "folder" | "module" = "nothing";
  let isCode = false;
  for (const word of piecesOf(text)) {
    if (follows === "folder" && !word.startsWith("-")) enter(word, bases);
    const kind = follows === "module" ? follows : "file";
    const isGivenToInterpreter = wasInterpreter(found.at(-1));
    isCode ||= isInterpreter(word) || word === ".";
    follows = CHANGES_FOLDER.has(word) ? "folder" : word === "-m" ? "module" : "nothing";
    const isOperator = word === "." && !isGivenToInterpreter;
    found.push({ text: isOperator ? "" : word, kind, isCode, isRun: false, bases });
  }
  return found;
}

/** From now on, and for what was named before it, names may be seen from that folder too. */
function enter(folder: string, bases: string[]): void {
  const entered = bases.map((base) => resolve(base, folder)).filter((path) => !bases.includes(path));
  bases.push(...entered.filter((path) => statsAt(path)?.isDirectory()).slice(0, MOST_BASES - bases.length));
}

/** Whether a program runs or loads the files that it is given. */
export function isInterpreter(program: string): boolean {
  return INTERPRETER.test(basename(program));
}

/** The folders of a variable such as PATH. */
export function searched(name: string, value: string, bases: readonly string[]): CodeWord[] {
  if (!SEARCH.test(name)) return [];
  const folders = value.split(":").filter((folder) => folder !== "");
  return folders.map((text) => ({ text, kind: "search", isCode: true, isRun: true, bases }));
}

function searchFolders(text: string, bases: readonly string[]): CodeWord[] {
  const lists = [...text.matchAll(ASSIGNED)];
  return lists.flatMap(([, name = "", value = ""]) => searched(name, withoutVariables(value), bases));
}

function piecesOf(text: string): string[] {
  return withoutVariables(text)
    .split(/[\s'"`;&|()<>={},\\]+/)
    .filter((word) => word !== "" && word.length < LONGEST_WORD)
    .slice(0, MOST_WORDS);
}

function withoutVariables(text: string): string {
  return text.replaceAll(/\$\{?\w+\}?/g, "");
}

function wasInterpreter(before: CodeWord | undefined): boolean {
  return before !== undefined && isInterpreter(before.text);
}

const LONGEST_WORD = 1024;
const MOST_WORDS = 2000;
const MOST_BASES = 32;
const CHANGES_FOLDER = new Set(["cd", "pushd", "-C", "--prefix", "--cwd", "--dir"]);
/** PATH, PYTHONPATH, NODE_PATH, PERL5LIB, RUBYLIB and their like. */
const SEARCH = /(?:PATH|LIB)$/;
const ASSIGNED = /\b(\w*(?:PATH|LIB))=["']?([^\s"';&|()]{1,2000})/g;
const INTERPRETER =
  /^(?:(?:ba|z|da|k|fi|a)?sh|(?:node|nodejs|python|pypy|ruby|perl|php|lua|tclsh|Rscript)[\d.]*|deno|bun|tsx|ts-node|jiti|pwsh|osascript|awk|gawk|source|exec|eval|env|xargs|java|uv|go)$/;
