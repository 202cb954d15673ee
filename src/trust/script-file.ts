import { basename, extname } from "node:path";
import type { Language } from "../effects/programs/program.ts";
import type { FoundBytes } from "../fs/read-once.ts";
import { programIn } from "./script-words.ts";

/** Whether a file is code by its name, or, where a path leads to it, by its first bytes or its permission to be run. */
export function looksRun({ path, text, isExecutable }: FoundBytes, reference: string): boolean {
  if (SCRIPT_SUFFIXES.has(extname(path).toLowerCase())) return true;
  return reference.includes("/") && (isExecutable || (text?.startsWith("#!") ?? false));
}

/** Whether a file is for a shell, or for a program whose files are read like a shell's. */
export function isShellScript({ path, text = "" }: FoundBytes): boolean {
  if (text.startsWith("#!")) return !LANGUAGES_WITH_QUOTES.has(shebangLanguage(text));
  return SHELL_SUFFIXES.has(extname(path).toLowerCase());
}

/** The languages, other than the shell's, in which a file is read, by its suffix and by its first line. */
export function languagesOf({ path, text = "" }: Pick<FoundBytes, "path" | "text">): readonly Language[] {
  const found = [SUFFIX_LANGUAGES[extname(path).toLowerCase()], shebangLanguage(text)];
  return [...new Set(found)].filter((language): language is Language => LANGUAGES_WITH_QUOTES.has(language));
}

/** The interpreter line of a script, without `#!`. */
export function shebang(text: string): string {
  return /^#!(.*)/.exec(text)?.[1] ?? "";
}

function shebangLanguage(text: string): Language | undefined {
  const pieces = shebang(text).split(/\s+/);
  return pieces.map((piece) => programIn(piece)?.interpreter?.language).find((language) => language !== undefined);
}

/** Whether `make` reads a file as its own. */
export function isMakefile(path: string): boolean {
  return /^(?:GNU)?makefile$|\.mk$/i.test(basename(path));
}

/** A makefile as a shell would write it: variables, what is included, and the commands. */
export function recipesIn(text: string): string {
  return text
    .replaceAll(/\$[({](\w+)[)}]/g, "${$1}")
    .replaceAll(/^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*[:?+]{0,3}=[ \t]*/gm, "$1=")
    .replaceAll(/^[-s]?include[ \t]+/gm, ". ")
    .replaceAll(/^\t[ \t]*[@+-]+/gm, "\t");
}

/** The values in a YAML file of tasks, a line each: `- sh check.sh`, `cmd: sh check.sh`, quoted or not. */
export function valuesIn(text: string): string {
  return text.replaceAll(/^[ \t]*(?:-[ \t]+)?(?:\w+:[ \t]+)?(?:(["'])(.*)\1|(.*))$/gm, "$2$3");
}

/** Suffixes of files that are run or loaded as code. */
const SCRIPT_SUFFIXES: ReadonlySet<string> = new Set(
  ".sh .bash .zsh .fish .py .js .mjs .cjs .ts .mts .cts .rb .pl .ps1 .php .lua .awk .bat .cmd".split(" "),
);
/** A file without a suffix is a shell script, or a list of shell commands such as a Makefile. */
const SHELL_SUFFIXES: ReadonlySet<string> = new Set(["", ".sh", ".bash", ".zsh", ".fish"]);
/** Languages that name files between quotes; a script of any other language is read as a shell reads it. */
const LANGUAGES_WITH_QUOTES: ReadonlySet<Language | undefined> = new Set([
  "javascript",
  "python",
  "ruby",
  "perl",
  "php",
] as const);
const SUFFIX_LANGUAGES: Readonly<Record<string, Language>> = {
  ".js": "javascript",
  ".mjs": "javascript",
  ".cjs": "javascript",
  ".ts": "javascript",
  ".mts": "javascript",
  ".cts": "javascript",
  ".py": "python",
  ".rb": "ruby",
  ".pl": "perl",
  ".php": "php",
};
