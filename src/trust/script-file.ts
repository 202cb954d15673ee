import { basename, extname } from "node:path";
import type { Language } from "../effects/programs/program.ts";
import type { FoundBytes } from "../fs/read-once.ts";
import { programIn } from "./script-arguments.ts";

/** Whether a file is code by its name or, if a path names it, by its first bytes or its executable bit. */
export function looksRun({ path, text, isExecutable }: FoundBytes, reference: string): boolean {
  if (SCRIPT_SUFFIXES.has(extname(path).toLowerCase())) return true;
  return reference.includes("/") && (isExecutable || (text?.startsWith("#!") ?? false));
}

/** Whether a file is a shell script, or for a program whose files look like one. */
export function isShellScript({ path, text = "" }: FoundBytes): boolean {
  if (text.startsWith("#!")) return !LANGUAGES_WITH_QUOTES.has(shebangLanguage(text));
  return SHELL_SUFFIXES.has(extname(path).toLowerCase());
}

/** The languages of a file, other than the shell's, by its suffix and its first line. */
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

/** Whether a file is a makefile. */
export function isMakefile(path: string): boolean {
  return /^(?:GNU)?makefile$|\.mk$/i.test(basename(path));
}

/** A makefile as shell code: variables, included files, and recipes. */
export function recipesIn(text: string): string {
  return text
    .replaceAll(/\$[({](\w+)[)}]/g, "${$1}")
    .replaceAll(/^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*[:?+]{0,3}=[ \t]*/gm, "$1=")
    .replaceAll(/^[-s]?include[ \t]+/gm, ". ")
    .replaceAll(/^\t[ \t]*[@+-]+/gm, "\t");
}

/** The values in a YAML file of tasks, one per line: `- sh check.sh`, `cmd: sh check.sh`, quoted or not. */
export function valuesIn(text: string): string {
  return text.replaceAll(/^[ \t]*(?:-[ \t]+)?(?:\w+:[ \t]+)?(?:(["'])(.*)\1|(.*))$/gm, "$2$3");
}

/** Suffixes of files that are run or loaded as code. */
const SCRIPT_SUFFIXES: ReadonlySet<string> = new Set(
  ".sh .bash .zsh .fish .py .js .mjs .cjs .ts .mts .cts .rb .pl .ps1 .php .lua .awk .bat .cmd".split(" "),
);
/** A file without a suffix is a shell script, or a list of shell commands such as a Makefile. */
const SHELL_SUFFIXES: ReadonlySet<string> = new Set(["", ".sh", ".bash", ".zsh", ".fish"]);
/** Languages that name files between quotes; a script in any other language is read like a shell script. */
const LANGUAGES_WITH_QUOTES: ReadonlySet<Language | undefined> = new Set([
  "javascript",
  "python",
  "ruby",
  "perl",
  "php",
]);
const SUFFIX_LANGUAGES: Readonly<Record<string, Language>> = {
  ...Object.fromEntries([".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"].map((suffix) => [suffix, "javascript"])),
  ".py": "python",
  ".rb": "ruby",
  ".pl": "perl",
  ".php": "php",
};
