import { readdirSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";

/** One file of the source, by its path below `src/`. */
export interface SourceFile {
  readonly path: string;
  /** The first folder; a public door, which lies in none, is a room of its own. */
  readonly room: string;
  readonly lines: readonly string[];
  /** The text without comments. */
  readonly code: string;
  /** What it imports or re-exports, types and dynamic imports included: paths below `src/`, or a package's name. */
  readonly imports: readonly string[];
}

/** Every source file that is no test. */
export function readTree(folder: string): SourceFile[] {
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => path.split(sep).join("/"))
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"));
  return found.sort().map((path) => sourceFile(path, readFileSync(join(folder, path), "utf8")));
}

/** A tree that exists only in a test: path to text. */
export function madeUpTree(files: Readonly<Record<string, string>>): SourceFile[] {
  return Object.entries(files).map(([path, text]) => sourceFile(path, text));
}

function sourceFile(path: string, text: string): SourceFile {
  const code = withoutComments(text);
  return {
    path,
    room: roomOf(path),
    lines: text.replace(/\n$/, "").split("\n"),
    code,
    imports: importsIn(code).map((specifier) => resolved(path, specifier)),
  };
}

/** The first folder, the second where the first only collects rooms, or the file's name where it lies in none. */
function roomOf(path: string): string {
  const [first = "", second = "", ...rest] = path.replace(/\.ts$/, "").split("/");
  return first === "policies" && rest.length > 0 ? `${first}/${second}` : first;
}

/** In this house a comment stands on lines of its own, or behind code after a blank. */
function withoutComments(text: string): string {
  return text
    .replaceAll(/^[ \t]*\/\*[\s\S]*?\*\//gm, "")
    .replaceAll(/^[ \t]*\/\/.*$/gm, "")
    .replaceAll(/[ \t]\/\/ .*$/gm, "");
}

function importsIn(code: string): string[] {
  return IMPORTS.flatMap((form) => [...code.matchAll(form)].map((found) => found[1] ?? ""));
}

function resolved(path: string, specifier: string): string {
  return specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : specifier;
}

const NAMES = String.raw`(?:\*(?:\s+as\s+[\w$]+)?|[\w$]+(?:\s*,\s*(?:\{[^}]*\}|\*\s+as\s+[\w$]+))?|\{[^}]*\})`;
const IMPORTS = [
  new RegExp(String.raw`^(?:import|export)\s+(?:type\s+)?${NAMES}\s*from\s*["']([^"']+)["']`, "gm"),
  /^import\s*["']([^"']+)["']/gm,
  /\bimport\(\s*["'`]([^"'`]+)["'`]/g,
];
