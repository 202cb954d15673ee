import { basename, dirname, extname, resolve } from "node:path";
import { isMakefile, recipesIn } from "./makefile.ts";
import { IMPLIED_FILES, namedFiles } from "./named-files.ts";
import { importedFiles } from "./python-imports.ts";
import { quotedFiles } from "./quoted-files.ts";
import type { FoundBytes, ReadFile } from "../fs/read-once.ts";
import { isShellScript } from "./script-file.ts";

/** Files that lead to each other, and whether there were more than anybody looks at. */
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
  const [, interpreter = ""] = /^#!(.*)/.exec(text) ?? [];
  const own = ONE_PROGRAM.test(interpreter) ? [] : named(interpreter, homes);
  return [...own, ...loadedByText(file, interpreter, [homes, [...new Set([...homes, ...folders])]], read, named)];
}

function loadedByText(
  file: FoundBytes,
  interpreter: string,
  [homes, around]: readonly [readonly string[], readonly string[]],
  read: ReadFile,
  named: Named,
): string[] {
  const { path, text = "" } = file;
  const suffix = extname(path).toLowerCase();
  if (SCRIPT_LANGUAGE.has(suffix) || /\b(?:node|deno|bun)\b/.test(interpreter)) {
    const names = [...text.matchAll(RELATIVE)].map(([, name = ""]) => name);
    const modules = names.flatMap((name) =>
      homes.flatMap((home) => firstOf(resolve(home, name), MODULE_ENDINGS, read)),
    );
    return [...modules, ...quotedFiles(text, around, read)];
  }
  if (suffix === ".py" || /\bpython/.test(interpreter))
    return [...importedFiles(text, homes).filter(read), ...quotedFiles(text, around, read)];
  if (suffix === ".rb" || suffix === ".pl" || /\b(?:ruby|perl)/.test(interpreter)) {
    const names = [...text.matchAll(QUOTED)].map(([, name = ""]) => name);
    const loaded = names.flatMap((name) => homes.flatMap((home) => firstOf(resolve(home, name), [suffix, ""], read)));
    return [...loaded, ...quotedFiles(text, around, read)];
  }
  if (basename(path) === "package.json") return path.includes("node_modules") ? [] : named(scriptsIn(text), homes);
  if (isMakefile(path)) return named(recipesIn(text), homes);
  return isShellScript(file) || IMPLIED_FILES.has(basename(path)) ? named(text, homes) : [];
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

function firstOf(path: string, endings: readonly string[], read: ReadFile): string[] {
  const found = endings.map((ending) => path + ending).find((candidate) => read(candidate) !== undefined);
  return found === undefined ? [] : [found];
}

const MOST_FILES = 200;
/** What packages bring as tools: these files count, and what they load is the packages' own. */
const TOOLS = "node_modules/.bin";
/** A program of the system that is given nothing to load; what is there to see, its name says. */
const ONE_PROGRAM = /^(?:\s*\/\S+(?:\s+[\w-]+)?)?\s*$/;
const SCRIPT_LANGUAGE = new Set([".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"]);
const RELATIVE = /["'`](\.{1,2}\/[^"'`\n]{1,300})["'`]/g;
const QUOTED = /["']([\w./-]{1,200})["']/g;
const MODULE_ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".json", "/index.js", "/index.ts"];
