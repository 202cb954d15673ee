import { extname } from "node:path";
import type { FoundBytes } from "../fs/read-once.ts";

/** Whether a file is code by its name, or, where a path leads to it, by its first bytes or its permission to be run. */
export function looksRun({ path, text, isExecutable }: FoundBytes, word: string): boolean {
  if (SCRIPT_SUFFIXES.has(extname(path).toLowerCase())) return true;
  return word.includes("/") && (isExecutable || (text?.startsWith("#!") ?? false));
}

/** Whether a file is for a shell. */
export function isShellScript({ path, text = "" }: FoundBytes): boolean {
  const [first = ""] = text.split("\n", 1);
  if (first.startsWith("#!")) return !/\b(?:node|deno|bun|python|ruby|perl|php)/.test(first);
  return SHELLS.has(extname(path).toLowerCase());
}

/** Suffixes of files that are run or loaded as code. */
const SCRIPT_SUFFIXES: ReadonlySet<string> = new Set(
  ".sh .bash .zsh .fish .py .js .mjs .cjs .ts .mts .cts .rb .pl .ps1 .php .lua .awk .bat .cmd".split(" "),
);
/** A file without a suffix is a shell script, or a list of shell commands such as a Makefile. */
const SHELLS = new Set(["", ".sh", ".bash", ".zsh", ".fish"]);
