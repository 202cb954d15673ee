import { basename, dirname, extname, join, resolve } from "node:path";
import { taskFileNames } from "../effects/programs/index.ts";
import type { Language } from "../effects/programs/program.ts";
import { namedFiles } from "./named-files.ts";
import { quotedFiles } from "./quoted-files.ts";
import type { FoundBytes, ReadFile } from "../fs/read-once.ts";
import { isMakefile, isShellScript, languagesOf, recipesIn, shebang } from "./script-file.ts";

/** Files that lead to each other, and whether there were more than are looked at. */
export interface Followed {
  readonly files: readonly FoundBytes[];
  readonly isCut: boolean;
}

/** The files, with everything that they load from beside them, nearest first. */
export function followFiles(
  paths: readonly string[],
  folders: readonly string[],
  root: string,
  read: ReadFile,
  withImplied = true,
): Followed {
  const found = new Map<string, FoundBytes>();
  const named = (text: string, homes: readonly string[]) =>
    namedFiles(text, [...new Set([...homes, ...folders])], root, read, withImplied);
  const waiting = [...paths];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (found.size >= MOST_FILES) return { files: [...found.values()], isCut: true };
    const bytes = found.has(path) ? undefined : read(path);
    if (bytes === undefined) continue;
    found.set(path, bytes);
    waiting.push(...loadedBy(bytes, folders, read, named).filter((next) => !found.has(next)));
  }
  return { files: [...found.values()], isCut: false };
}

/** The files that one file names as code of its own, and the one that runs it. */
function loadedBy(file: FoundBytes, folders: readonly string[], read: ReadFile, named: Named): string[] {
  const { path, real, text = "" } = file;
  if (path.includes(TOOLS)) return [];
  const homes = [...new Set([dirname(path), dirname(real)])];
  const interpreter = shebang(text);
  const own = ONE_PROGRAM.test(interpreter) ? [] : named(interpreter, homes);
  return [...own, ...loadedByText(file, [homes, [...new Set([...homes, ...folders])]], read, named)];
}

function loadedByText(
  file: FoundBytes,
  [homes, around]: readonly [readonly string[], readonly string[]],
  read: ReadFile,
  named: Named,
): string[] {
  const { path, text = "" } = file;
  const languages = languagesOf(file);
  if (languages.length > 0) {
    const modules = languages.flatMap((language) => MODULES[language]?.(file, homes, read) ?? []);
    return [...modules, ...quotedFiles(text, around, read)];
  }
  if (basename(path) === "package.json") return path.includes("node_modules") ? [] : named(scriptsIn(text), homes);
  if (isMakefile(path)) return named(recipesIn(text), homes);
  return isShellScript(file) || taskFileNames().has(basename(path)) ? named(text, homes) : [];
}

type Named = (text: string, homes: readonly string[]) => string[];

/** What `npm run` would run, with the tools that it would find. */
function scriptsIn(manifest: string): string {
  try {
    const scripts = Object.values(Object(Object(JSON.parse(manifest)).scripts));
    return [`PATH=${TOOLS}:$PATH`, ...scripts].join("\n");
  } catch {
    return "";
  }
}

/** The modules that a file loads from beside it, in each language that has a way of its own to name them. */
const MODULES: Partial<Record<Language, (file: FoundBytes, homes: readonly string[], read: ReadFile) => string[]>> = {
  javascript: ({ text = "" }, homes, read) => beside([...text.matchAll(RELATIVE)], homes, MODULE_ENDINGS, read),
  python: ({ text = "" }, homes, read) => importedFiles(text, homes).filter(read),
  ruby: ({ path, text = "" }, homes, read) =>
    beside([...text.matchAll(QUOTED)], homes, [extname(path), "", ".rb"], read),
  perl: ({ path, text = "" }, homes, read) =>
    beside([...text.matchAll(QUOTED)], homes, [extname(path), "", ".pl"], read),
};

/** For each quoted name and folder the first file that is there, with one of the endings. */
function beside(
  names: readonly RegExpExecArray[],
  homes: readonly string[],
  endings: readonly string[],
  read: ReadFile,
): string[] {
  const paths = names.flatMap(([, name = ""]) => homes.map((home) => resolve(home, name)));
  return paths.flatMap((path) => endings.map((ending) => path + ending).find((file) => read(file)) ?? []);
}

/** Where the modules may lie that a Python file imports: beside it, or in a folder above, where its package lies. */
function importedFiles(text: string, homes: readonly string[]): string[] {
  const folders = [...new Set(homes.flatMap((home) => above(home, MOST_FOLDERS)))];
  const modules = [...text.matchAll(IMPORT)].flatMap(([, from, names = ""]) => modulesOf(from, names));
  return [...new Set(modules)].flatMap((module) => folders.flatMap((folder) => filesOfModule(folder, module)));
}

/** A name behind `import` may be a module of the one behind `from`. */
function modulesOf(from: string | undefined, names: string): string[] {
  const listed = names.split(",").map((name) => /[\w.]+/.exec(name)?.[0] ?? "");
  const home = (from ?? "").replace(/^\.+/, "");
  return [home, ...listed.map((name) => (home === "" ? name : `${home}.${name}`))].filter((name) => name !== "");
}

function filesOfModule(folder: string, module: string): string[] {
  const parts = module.split(".").filter((part) => part !== "");
  const steps = parts.map((_, at) => join(folder, ...parts.slice(0, at + 1)));
  return [...steps.map((step) => join(step, "__init__.py")), `${join(folder, ...parts)}.py`];
}

function above(folder: string, most: number): string[] {
  const parent = dirname(folder);
  return most <= 1 || parent === folder ? [folder] : [folder, ...above(parent, most - 1)];
}

const MOST_FILES = 200;
/** What packages bring as tools: these files count, and what they load is the packages' own. */
const TOOLS = "node_modules/.bin";
/** A program of the system that is given nothing to load; what is there to see, its name says. */
const ONE_PROGRAM = /^(?:\s*\/\S+(?:\s+[\w-]+)?)?\s*$/;
const RELATIVE = /["'`](\.{1,2}\/[^"'`\n]{1,300})["'`]/g;
const QUOTED = /["']([\w./-]{1,200})["']/g;
const MODULE_ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".json", "/index.js", "/index.ts"];
const MOST_FOLDERS = 4;
const IMPORT = /^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+)?import[ \t]+(\([^)]{0,2000}\)|[^\n#]{1,500})/gm;
