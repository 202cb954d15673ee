import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { GAP } from "../effects/parse/command.ts";
import { isWithin, realPath } from "../fs/resolve-path.ts";
import { taskFileNames } from "../effects/programs/index.ts";
import { listedFiles, matchedFiles, searchedFiles } from "./listed-files.ts";
import type { FoundBytes, ReadFile } from "../fs/read-once.ts";
import { isMakefile, isShellScript, looksRun, recipesIn } from "./script-file.ts";
import { referencesInCommands, referencesInText, type ScriptReference } from "./script-references.ts";

/**
 * The files that a command may run or load: its program, its scripts, and what an interpreter is given. Names are looked
 * for as a shell reads them and as pieces of the text, in every folder in which the command may stand. A name too many
 * costs an approval; one too few costs the guarantee.
 */
export function namedFiles(
  text: string,
  folders: readonly string[],
  root: string,
  read: ReadFile,
  withImplied = true,
): string[] {
  const found = new Set<string>();
  const project: Project = { root, real: realPath(root), read, withImplied };
  const script = (path: string) => {
    const files = placesOf(path, folders, project).flatMap((place) => read(place) ?? []);
    const running = files.filter(({ path }) => withImplied || !taskFileNames().has(basename(path)));
    for (const file of running) found.add(file.path);
    return asShell(running.find((file) => isShellScript(file) || isMakefile(file.path)));
  };
  const references = [
    ...referencesInText(text, folders),
    ...referencesInCommands(text, folders, { script, withTools: withImplied }),
  ];
  for (const reference of references) for (const file of filesBehind(reference, project)) found.add(file);
  return [...found];
}

function asShell(file: FoundBytes | undefined): string | undefined {
  return file?.text !== undefined && isMakefile(file.path) ? recipesIn(file.text) : file?.text;
}

interface Project {
  readonly root: string;
  /** The same without any link. */
  readonly real: string;
  readonly read: ReadFile;
  readonly withImplied: boolean;
}

function filesBehind(reference: ScriptReference, project: Project): string[] {
  const { text, bases, program } = reference;
  if (text === "") return [];
  const implied = project.withImplied ? (program?.taskFiles ?? []) : [];
  const given = implied.flatMap((file) => bases.map((base) => join(base, file)));
  const named = candidates(reference, project).filter((path) => isTaken(path, reference, project));
  return [...given.filter(project.read), ...named];
}

function isTaken(path: string, { text, kind, isCode }: ScriptReference, { read }: Project): boolean {
  const bytes = read(path);
  if (bytes === undefined) return false;
  return kind === "search" ? looksRun(bytes, "/") : isCode || looksRun(bytes, text);
}

/** The files that a reference may mean. A folder that only the run knows may be any of the project's. */
function candidates({ text, kind, isCode, isRun, bases }: ScriptReference, project: Project): string[] {
  const known = text.includes(GAP) ? text.slice(text.lastIndexOf(GAP) + 1).replace(/^[/:]+/, "") : text;
  const places = placesOf(known, bases, project);
  if (kind === "search") return places.filter(isOwn).flatMap(searchedFiles);
  const near = places.flatMap((path) => [
    path,
    ...(GLOB.test(path) ? matchedFiles(path) : []),
    ...(isCode ? FOLDER_PROGRAMS.map((file) => join(path, file)) : []),
    ...(isRun && text.includes("/") ? MODULE_SUFFIXES.map((suffix) => path + suffix) : []),
    ...(kind === "module" ? moduleFiles(dirname(path), basename(path)) : []),
  ]);
  if (!isRun || !isOpen(text) || (text.includes(`${GAP}/${known}`) && near.some(project.read))) return near;
  return [...near, ...listedFiles(project.root, text, project.read)];
}

/** The paths that a reference may lead to. What is absolute and outside the project is no part of it. */
function placesOf(text: string, bases: readonly string[], { root, real }: Project): string[] {
  const inside = isAbsolute(text) && (isWithin(root, text) || isWithin(real, text)) ? [text] : [];
  const relative = text.replace(/^[/:]+/, "").replace(/^-\w(?=[./])/, "");
  return relative === "" ? inside : [...inside, ...bases.map((base) => resolve(base, relative))];
}

/** Whether only the run knows the folder, or the name, of which another part is known. */
function isOpen(text: string): boolean {
  return (
    (GLOB.test(dirname(text)) || text.includes("**") || text.includes(GAP)) && text.replaceAll(ANYTHING, "") !== ""
  );
}

/** A tool of a package is pinned where a command names it; a folder of packages holds too many others. */
function isOwn(folder: string): boolean {
  return !folder.includes("node_modules");
}

/** What `-m name.inner` runs, on the way down. */
function moduleFiles(folder: string, name: string): string[] {
  const parts = name.split(".");
  const folders = parts.map((_, at) => join(folder, ...parts.slice(0, at + 1)));
  const [last = folder] = folders.slice(-1);
  return [...folders.map((path) => join(path, "__init__.py")), join(last, "__main__.py"), `${last}.py`];
}

const GLOB = /[*?[]/;
const ANYTHING = new RegExp(`[${GAP}*?./]`, "g");

/** What an interpreter runs when it is given a folder. */
const FOLDER_PROGRAMS = [
  "__main__.py",
  "__init__.py",
  "package.json",
  "index.js",
  "index.mjs",
  "index.cjs",
  "index.ts",
];

/** What an interpreter adds to a name. */
const MODULE_SUFFIXES = [".js", ".cjs", ".mjs", ".ts"];
