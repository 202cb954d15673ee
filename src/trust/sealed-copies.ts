import { readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { shellWord } from "../effects/parse/value.ts";
import { attempt } from "../event/attempt.ts";
import { sha256 } from "../fs/read-once.ts";
import { readRegularFile } from "../fs/regular-file.ts";
import { entryAt, foldersAbove, isWithin } from "../fs/resolve-path.ts";
import { ensurePrivateDir, makePrivateDir } from "../fs/state-dir.ts";
import type { Pin } from "./pin.ts";
import type { FileCopy } from "./pinned-arguments.ts";
import { pinnedText } from "./pinned-text.ts";
import { isShellScript, languagesOf, shebang } from "./script-file.ts";

/** The copies of a hook's approved files, by the paths of the files. */
export interface Sealed {
  readonly copies: ReadonlyMap<string, FileCopy>;
  /** The files that one of the copies runs or loads as a copy. */
  readonly inner: ReadonlySet<string>;
}

type ApprovedFile = Pin["files"][number];

/**
 * Copies of approved files that only this user can read, created once. Each file is opened once, and the same bytes are
 * hashed, compared and written. Undefined if a file differs from the approved one.
 */
export function sealedCopies({ root, files, folder }: Pin): Sealed | undefined {
  const own = files.filter(({ script, path }) => script === undefined && isWithin(root, path));
  if (own.length === 0) return { copies: new Map(), inner: new Set() };
  const key = sha256(JSON.stringify([FORM, root, own.map(({ path, sha256 }) => [path, sha256])])).slice(0, 32);
  const home = join(folder, key);
  const sealed = KNOWN.get(home) ?? describe(own, root, home);
  if (entryAt(home) === undefined) {
    if (!ensurePrivateDir(folder) || !write(own, { root, home, ...sealed })) return undefined;
    removeOld(folder);
  }
  if (own.some(isOtherThanShell)) linkNeighbours(own, root, home);
  KNOWN.set(home, sealed);
  return sealed;
}

const KNOWN = new Map<string, Sealed>();

function describe(files: readonly ApprovedFile[], root: string, home: string): Sealed {
  const copies = new Map<string, FileCopy>();
  for (const file of files) {
    const path = join(home, TREE, relative(root, file.path));
    const kind = languagesOf(file).includes("python") ? "python" : isOtherThanShell(file) ? "other" : "shell";
    const sourced = kind === "shell" ? join(home, SOURCED, relative(root, file.path)) : path;
    copies.set(file.path, { path, sourced, kind, interpreter: interpreterOf(file), starter: join(home, STARTER) });
  }
  const inner = new Set<string>();
  for (const file of files) {
    if (isOtherThanShell(file)) inner.add(file.path);
    else shellCopy(file, { root, home, copies }, (path) => inner.add(path));
  }
  return { copies, inner };
}

/** The program that the system starts for an executed file; undefined if the file is not executable. */
function interpreterOf(file: ApprovedFile): readonly string[] | undefined {
  if (!file.isExecutable) return undefined;
  const words = shebang(file.text ?? "")
    .trim()
    .split(/\s+(.*)/)
    .filter((word) => word !== "");
  return words.length > 0 || isOtherThanShell(file) ? words : ["/bin/sh"];
}

function isOtherThanShell(file: ApprovedFile): boolean {
  return file.text === undefined || languagesOf(file).length > 0 || !isShellScript(file);
}

interface Tree {
  readonly root: string;
  readonly home: string;
  readonly copies: ReadonlyMap<string, FileCopy>;
}

/** Writes all copies to a draft folder, and renames it in one step. */
function write(files: readonly ApprovedFile[], tree: Tree): boolean {
  const { root, home } = tree;
  const draft = `${home}.${process.pid}.${++drafts}`;
  const put = (part: string, file: ApprovedFile, content: string | Uint8Array) => {
    const path = join(draft, part, relative(root, file.path));
    makePrivateDir(dirname(path));
    writeFileSync(path, content, { mode: file.isExecutable ? 0o500 : 0o400 });
  };
  try {
    for (const file of files) {
      const bytes = readRegularFile(file.path);
      if (sha256(bytes) !== file.sha256) return false;
      if (isOtherThanShell(file))
        put(TREE, file, languagesOf(file).includes("javascript") ? script(bytes, file) : bytes);
      else {
        const text = shellCopy(file, tree);
        put(TREE, file, named(text, "0"));
        put(SOURCED, file, `${OWN_NAME}=${shellWord(file.path)}; ${named(text, OWN_NAME)}`);
      }
    }
    writeFileSync(join(draft, STARTER), PYTHON_STARTER, { mode: 0o400 });
    renameSync(draft, home);
    return true;
  } catch {
    return entryAt(home) !== undefined;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

let drafts = 0;

/** Removes old copies; those of a hook that still runs are created again. Another process may be removing them too. */
function removeOld(folder: string): void {
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    if (Date.now() - (entryAt(path)?.mtimeMs ?? 0) < KEPT_MS) continue;
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {}
  }
}

/** The text of a shell script in which the files that it runs and sources are replaced by copies. */
function shellCopy({ path, text = "" }: ApprovedFile, { root, copies }: Tree, found?: (path: string) => void): string {
  const byCopy = new Map([...copies].map(([file, copy]) => [copy, file]));
  return pinnedText(text, { root, folder: root, script: path, copies }, (copy) => {
    found?.(byCopy.get(copy) ?? "");
  });
}

/** Gives a sourced script, or a copy, its original name in `BASH_SOURCE`. */
function named(text: string, variable: string): string {
  return text
    .replaceAll(/\$\{BASH_SOURCE(?:\[0\])?(?=[}%#:])/g, `\${${variable}`)
    .replaceAll(/\$BASH_SOURCE\b(?!\[)/g, `\${${variable}}`);
}

/** Gives JavaScript its original path and folder; line numbers stay. */
function script(bytes: Buffer, { path }: ApprovedFile): string {
  const text = bytes.toString("utf8");
  const [name, folder] = [JSON.stringify(path), JSON.stringify(dirname(path))];
  const isModule = /\.m[jt]s$/.test(path) || /^[^\S\n]*(?:import\b(?!\s*\()|export\b)/m.test(text);
  const strict = /^(?:#!.*\n)?(?:\s|\/\/.*\n|\/\*[\s\S]*?\*\/)*["']use strict["']/.test(text) ? '"use strict";' : "";
  const places =
    isModule || !/\b__(?:file|dir)name\b/.test(text) || /\b(?:const|let|var)\s[^;\n]*__(?:file|dir)name/.test(text)
      ? ""
      : `__filename=${name};__dirname=${folder};`;
  const start = `${strict}{const a=globalThis.process?.argv;if(a?.[1]===${ownName(isModule)})a[1]=${name};}${places}`;
  const end = text.startsWith("#!") ? text.indexOf("\n") + 1 : 0;
  const located = text
    .slice(end)
    .replaceAll(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(path).href))
    .replaceAll(/\bimport\.meta\.(?:filename|path)\b/g, name)
    .replaceAll(/\bimport\.meta\.(?:dirname|dir)\b/g, folder);
  return text.slice(0, end) + start + located;
}

function ownName(isModule: boolean): string {
  return isModule ? 'decodeURI(new URL(import.meta["url"]).pathname)' : '(typeof module==="object"?module.filename:"")';
}

/** Links the other files of the project beside the copies: data, modules, packages. */
function linkNeighbours(files: readonly ApprovedFile[], root: string, home: string): void {
  const folders = new Set<string>();
  for (const { path } of files)
    for (let at = dirname(path); isWithin(root, at) && !folders.has(at); at = dirname(at)) folders.add(at);
  for (const folder of folders) {
    const copy = join(home, TREE, relative(root, folder));
    const there = new Set(namesIn(copy));
    for (const name of namesIn(folder)) {
      if (there.has(name) || name === COMPILED) continue;
      link(join(folder, name), join(copy, name));
    }
  }
  for (const name of ["package.json", "node_modules"]) linkAbove(name, root, home);
}

/** Links a file that programs look for above the project. */
function linkAbove(name: string, root: string, home: string): void {
  if (entryAt(join(root, name)) !== undefined) return;
  const above = foldersAbove(root).find(
    (folder) => folder !== dirname(folder) && entryAt(join(folder, name)) !== undefined,
  );
  if (above !== undefined) link(join(above, name), join(home, name));
}

/** Another call may have created the link. */
function link(target: string, path: string): void {
  try {
    symlinkSync(target, path);
  } catch {}
}

function namesIn(folder: string): readonly string[] {
  return attempt(() => readdirSync(folder)) ?? [];
}

/** Increased whenever copies are written in another way. */
const FORM = 1;
const KEPT_MS = 30 * 24 * 3_600_000;
const TREE = "project";
const SOURCED = "sourced";
const STARTER = "start.py";
const OWN_NAME = "SLUICE_SOURCED_FILE";
const COMPILED = "__pycache__";
/** Runs the copy of a script with the script's own name and folder. */
const PYTHON_STARTER = `import sys
def start():
    import os
    own = os.path.dirname(os.path.abspath(__file__))
    copy, name = sys.argv[1:3]
    del sys.argv[:2]
    places = [os.path.dirname(copy), os.path.dirname(os.path.realpath(name))]
    if sys.path and os.path.abspath(sys.path[0]) == own:
        sys.path[0:1] = places
    with open(copy, "rb") as file:
        code = compile(file.read(), name, "exec")
    names = sys.modules["__main__"].__dict__
    names.update(__file__=name)
    del names["start"], names["sys"]
    exec(code, names)
start()
`;
