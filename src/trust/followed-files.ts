import { basename, dirname, extname, join, resolve } from "node:path";
import { namedFiles, type Read } from "./named-files.ts";
import type { FoundBytes } from "./read-once.ts";

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
  read: Read,
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
    waiting.push(...loadedBy(bytes, read, named).filter((next) => !found.has(next)));
  }
  return { files: [...found.values()], isCut: false };
}

/** The files that one file names as code of its own. */
function loadedBy({ path, real, text = "" }: FoundBytes, read: Read, named: Named): string[] {
  const suffix = extname(path).toLowerCase();
  const homes = [...new Set([dirname(path), dirname(real)])];
  if (SCRIPT_LANGUAGE.has(suffix) || /^#!.*\b(?:node|deno|bun)\b/.test(text)) {
    const names = [...text.matchAll(RELATIVE)].map(([, name = ""]) => name);
    return names.flatMap((name) => homes.flatMap((home) => firstOf(resolve(home, name), MODULE_ENDINGS, read)));
  }
  if (suffix === ".py" || /^#!.*\bpython/.test(text)) {
    const names = [...text.matchAll(PYTHON_IMPORT)].map(([, name = ""]) =>
      name.replace(/^\.+/, "").replaceAll(".", "/"),
    );
    return names.flatMap((name) => homes.flatMap((home) => firstOf(join(home, name), PYTHON_ENDINGS, read)));
  }
  if (suffix === ".rb" || suffix === ".pl") {
    const names = [...text.matchAll(QUOTED)].map(([, name = ""]) => name);
    return names.flatMap((name) => homes.flatMap((home) => firstOf(resolve(home, name), [suffix, ""], read)));
  }
  if (basename(path) === "package.json" && !path.includes("node_modules")) return named(scriptsIn(text), homes);
  return SHELLS.has(suffix) || text.startsWith("#!") ? named(text, homes) : [];
}

type Named = (text: string, homes: readonly string[]) => string[];

/** What `npm run` would run. */
function scriptsIn(manifest: string): string {
  try {
    return Object.values(Object(Object(JSON.parse(manifest)).scripts)).join("\n");
  } catch {
    return "";
  }
}

function firstOf(path: string, endings: readonly string[], read: Read): string[] {
  const found = endings.map((ending) => path + ending).find((candidate) => read(candidate) !== undefined);
  return found === undefined ? [] : [found];
}

const MOST_FILES = 200;
const SCRIPT_LANGUAGE = new Set([".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"]);
/** A file without a suffix is a shell script, or a list of shell commands such as a Makefile. */
const SHELLS = new Set(["", ".sh", ".bash", ".zsh", ".fish"]);
const RELATIVE = /["'`](\.{1,2}\/[^"'`\n]{1,300})["'`]/g;
const QUOTED = /["']([\w./-]{1,200})["']/g;
const PYTHON_IMPORT = /^\s*(?:from|import)\s+([\w.]+)/gm;
const MODULE_ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".json", "/index.js", "/index.ts"];
const PYTHON_ENDINGS = [".py", "/__init__.py"];
