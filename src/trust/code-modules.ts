import { dirname, extname, join, resolve } from "node:path";
import type { Language } from "../effects/programs/program.ts";
import type { ReadFile } from "../fs/read-once.ts";
import { quotedFiles, useBy } from "./quoted-files.ts";

/** The files that code in a language other than the shell's loads from its own folder, or runs. */
export function loadedByCode(
  code: Code,
  homes: readonly string[],
  folders: readonly string[],
  read: ReadFile,
): string[] {
  return [...modulesBeside(code, homes, read), ...quotedFiles(code.text, folders, read)];
}

/** The modules of its language that code loads from its own folder. */
export function modulesBeside(code: Code, homes: readonly string[], isThere: IsThere): string[] {
  return MODULES[code.language]?.(code, homes, isThere) ?? [];
}

/** Whether a file exists: any value but undefined or false means yes. */
type IsThere = (path: string) => unknown;

interface Code {
  readonly path: string;
  readonly text: string;
  readonly language: Language;
}

/** How each language names the modules that a file loads from its own folder. */
const MODULES: Partial<Record<Language, (code: Code, homes: readonly string[], isThere: IsThere) => string[]>> = {
  javascript: ({ text }, homes, isThere) =>
    beside([...text.matchAll(RELATIVE)].filter(isLoaded), homes, MODULE_ENDINGS, isThere),
  python: ({ text }, homes, isThere) => importedFiles(text, homes).filter(isThere),
  ruby: ({ path, text }, homes, isThere) =>
    beside([...text.matchAll(REQUIRED())], homes, [extname(path), "", ".rb"], isThere),
  perl: ({ path, text }, homes, isThere) =>
    beside([...text.matchAll(REQUIRED())], homes, [extname(path), "", ".pl"], isThere),
};

/** Data is included only if it is imported; code is also included if its name is stored, unless it is only opened. */
function isLoaded({ 1: name = "", index, input }: RegExpExecArray): boolean {
  const before = input.slice(Math.max(0, index - MAX_CALL), index);
  if (IMPORTING.test(before)) return true;
  return (
    (extname(name) === "" || MODULE_ENDINGS.includes(extname(name))) &&
    extname(name) !== ".json" &&
    useBy(before) !== "opened"
  );
}

/** For each quoted name and folder, the first existing file with one of the endings. */
function beside(
  names: readonly RegExpExecArray[],
  homes: readonly string[],
  endings: readonly string[],
  isThere: IsThere,
): string[] {
  const paths = names.flatMap(([, name = ""]) => homes.map((home) => resolve(home, name)));
  return paths.flatMap((path) => endings.map((ending) => path + ending).find((file) => isThere(file)) ?? []);
}

/** The possible paths of the modules that a Python file imports: beside it, or in a folder above, for the root of its package. */
function importedFiles(text: string, homes: readonly string[]): string[] {
  const folders = [...new Set(homes.flatMap((home) => above(home, MAX_FOLDERS)))];
  const modules = [...text.matchAll(IMPORT())].flatMap(([, from, names = ""]) => modulesOf(from, names));
  return [...new Set(modules)].flatMap((module) => folders.flatMap((folder) => filesOfModule(folder, module)));
}

/** A name after `import` may be a module of the one after `from`. */
function modulesOf(from: string | undefined, names: string): string[] {
  const listed = names.split(",").map((name) => /[\w.]+/.exec(name)?.[0] ?? "");
  const home = (from ?? "").replace(/^\.+/, "");
  return [home, ...listed.map((name) => (home === "" ? name : `${home}.${name}`))].filter((name) => name !== "");
}

function filesOfModule(folder: string, module: string): string[] {
  const parts = module.split(".");
  const steps = parts.map((_, at) => join(folder, ...parts.slice(0, at + 1)));
  return [...steps.map((step) => join(step, "__init__.py")), `${join(folder, ...parts)}.py`];
}

function above(folder: string, maxFolders: number): string[] {
  const parent = dirname(folder);
  return maxFolders <= 1 || parent === folder ? [folder] : [folder, ...above(parent, maxFolders - 1)];
}

const RELATIVE = /["'`](\.{1,2}\/[^"'`\n]{1,300})["'`]/g;
const IMPORTING = /\b(?:from|import|require|require\.resolve)\s*\(?\s*$/;
const REQUIRED = () => /\b(?:require|require_relative|load|autoload|do|use)\b[^"'\n]{0,80}["']([\w./-]{1,200})["']/g;
const MAX_CALL = 200;
const MODULE_ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".json", "/index.js", "/index.ts"];
const MAX_FOLDERS = 4;
const IMPORT = () => /^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+)?import[ \t]+(\([^)]{0,2000}\)|[^\n#]{1,500})/gm;
