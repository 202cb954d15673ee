import { basename, dirname, extname, isAbsolute, join, resolve } from "node:path";
import { GAP, type SimpleCommand, type Word } from "../effects/parse/command.ts";
import { readCommandLine } from "../effects/parse/read-command-line.ts";
import { climbsBehindName } from "../effects/paths.ts";
import { PACKAGE_SETTINGS } from "../effects/programs/loaded-code.ts";
import type { Program } from "../effects/programs/program.ts";
import { isProgram, programNamed } from "../effects/programs/program-name.ts";
import { moduleFiles } from "../effects/programs/runs.ts";
import { isWithin, realPath, resolvePath } from "../fs/resolve-path.ts";
import { shellPath } from "../pattern/path.ts";
import { loadedByCode } from "./code-modules.ts";
import { listedFiles, matchedFiles, searchedFiles } from "./listed-files.ts";

import type { ObservedDisk } from "./observed-disk.ts";
import { codeArguments, fileArguments, scriptArguments } from "./script-arguments.ts";
import { isMakefile, isShellScript, looksRun, recipesIn } from "./script-file.ts";

/** A file that a command line runs; it need not exist. */
export interface StartedFile {
  readonly path: string;
  /** Only the script of this name in a package.json. */
  readonly script?: string | undefined;
  /** No argument of the hook names it: a task file, a tool of a package, and the files that those run. */
  readonly isImplied?: boolean | undefined;
}

/** Where command lines run, and the view of the disk. */
export interface Project {
  readonly root: string;
  /** Their possible working directories. */
  readonly folders: readonly string[];
  readonly disk: ObservedDisk;
  /** Called if more is run than is examined. */
  readonly onCut: () => void;
}

/**
 * The files that a command line runs: programs with a path, scripts of a shell or an interpreter, scripts of packages, task
 * files. Files that are only read, written, searched or named are not included.
 */

/**
 * The files that a command line runs, as a shell reads it: programs with a path, scripts that a shell or an interpreter is
 * given, scripts of packages, files of tasks. What is only read, written, searched or mentioned is none of them.
 */
export function startedFiles(text: string, project: Project): StartedFile[] {
  const found: StartedFile[] = [];
  const tasks: string[] = [];
  const { root, folders, disk } = project;
  let inner = 0;
  const variables = Object.fromEntries([...ROOT_VARIABLES.map((name) => [name, root]), ["PWD", folders[0] ?? root]]);
  const { commands, doubts } = readCommandLine(text, {
    script: (path) => {
      // A tool of a package is included if it is named, not if it is found through PATH.
      if (path.includes(TOOLS) || Object.hasOwn(PACKAGE_SETTINGS, basename(path))) return undefined;
      const files = meant(path, folders, project);
      for (const file of files) found.push({ path: file });
      // The files that a script starts are also looked up from its own file; here they are seen with the state of this line.
      if (++inner > MAX_INNER) return undefined;
      return shellText(files, disk);
    },
    readsOnce: true,
    task: (_runner, name) => {
      tasks.push(name);
      return undefined;
    },
    variables,
    inherited: { HOME: () => shellPath(process.env.HOME) },
  });
  const isFromOutput = doubts.some(
    ({ why, what }) => why === "unknown code" || (why === "unknown program" && isPrinted(what, text)),
  );
  if (inner > MAX_INNER || doubts.some(({ why }) => why === "too long" || why === "too many commands")) project.onCut();
  const line = { tasks, isFromOutput };
  const seen = new Set<string>();
  for (const command of commands) {
    const { program, args, assignments, folder, via } = command;
    const key = JSON.stringify([program, args, assignments, folder, via.at(-1)]);
    if (!seen.has(key)) found.push(...filesOf(command, line, project));
    seen.add(key);
  }
  return found;
}

/** Whether the output of another command names a program that is only known at run time. */
function isPrinted(program: string, line: string): boolean {
  if (/\$\(|`|\bxargs\b|\bread\b/.test(program)) return true;
  const names = [...program.matchAll(/\$\{?(\w+)/g)].map(([, name = ""]) => name);
  return names.some((name) => new RegExp(`\\b${name}=["']?(?:\\$\\(|\`)`).test(line));
}

/** The text of the first file that a shell would run. */
function shellText(paths: readonly string[], { read }: ObservedDisk): string | undefined {
  for (const path of paths) {
    const file = read(path);
    if (file?.text === undefined) continue;
    if (isMakefile(path)) return recipesIn(file.text);
    if (isShellScript(file)) return file.text;
  }
  return undefined;
}

interface Line {
  /** The package scripts that the line runs. */
  readonly tasks: readonly string[];
  /** A program, or code, is the output of another command. */
  readonly isFromOutput: boolean;
}

function filesOf(command: SimpleCommand, line: Line, project: Project): StartedFile[] {
  const { program, args } = command;
  const bases = basesOf(command, project);
  const variables = variablesOf(command);
  const named = program?.text ?? "";
  const row = programNamed(named);
  const files = (words: readonly string[]) => words.flatMap((word) => meant(word, bases, project));
  const printed = line.isFromOutput && isProgram("prints-files", named) ? args.map(({ text }) => text) : [];
  return [
    ...files([
      ...(/[/*?[]/.test(named) ? [named] : []),
      ...(row === undefined ? [] : scriptArguments(row, named, args)),
      ...printed,
      ...(isProgram("runs-named", named) ? fileArguments(args) : []),
    ]),
    ...(isProgram("runs-folder", named) ? files(args.map(({ text }) => `${text}/*`)) : []),
    ...modules(row, args, bases),
    ...variables.flatMap(([name, value]) => searched(name, value, bases, project)),
  ]
    .map((path): StartedFile => ({ path }))
    .concat(variables.flatMap(([name, value]) => loadedFirst(name, value, bases, project)))
    .concat(row === undefined ? [] : impliedFiles(row, command, line, bases, project))
    .concat(toolsOf(command, bases), inlineCode(row, args, bases, project));
}

/** The working directories of a command; one that is only known at run time may be any in which the line starts. */
function basesOf({ folder }: SimpleCommand, { folders }: Project): readonly string[] {
  if (folder === ".") return folders;
  if (!folder.includes(GAP)) return folders.flatMap((base) => placesFrom(base, folder));
  const known = folder.slice(folder.lastIndexOf(GAP) + 1).replace(/^\/+/, "");
  return [...new Set([...folders.map((base) => resolve(base, known)), ...folders])];
}

/** The files that an argument may mean. A folder that is only known at run time may be any of the project. */
function meant(word: string, bases: readonly string[], project: Project): string[] {
  const { root, disk } = project;
  const known = word.includes(GAP) ? word.slice(word.lastIndexOf(GAP) + 1).replace(/^[/:]+/, "") : word;
  const near = placesOf(known, bases, project).flatMap((path) => [
    path,
    ...(GLOB.test(path) ? matchedFiles(path, disk) : []),
    ...(disk.isFolder(path) ? FOLDER_PROGRAMS.map((file) => join(path, file)) : []),
    ...(extname(path) === "" ? MODULE_SUFFIXES.map((suffix) => path + suffix) : []),
  ]);
  const isFound = word.includes(`${GAP}/${known}`) && near.some(disk.read);
  return isOpen(word) && !isFound ? [...near, ...listedFiles(root, word, disk)] : near;
}

/** The paths that an argument may mean. An absolute path outside the project is not included. */
function placesOf(text: string, bases: readonly string[], { root }: Project): string[] {
  if (isAbsolute(text)) return isWithin(root, text) || isWithin(realPath(root), text) ? [text] : [];
  return text === "" || text === "-" ? [] : bases.flatMap((base) => placesFrom(base, text));
}

/** The lexical path; and the resolved one, if `..` follows a name that may be a link. */
function placesFrom(base: string, path: string): string[] {
  const spelled = resolve(base, path);
  if (isAbsolute(path) || !climbsBehindName(path)) return [spelled];
  return [...new Set([spelled, resolvePath(`${base}/${path}`).path])];
}

/** Whether the folder, or a part of the name, is only known at run time. */
function isOpen(word: string): boolean {
  return (
    (GLOB.test(dirname(word)) || word.includes("**") || word.includes(GAP)) && word.replaceAll(ANYTHING, "") !== ""
  );
}

/** The modules that are given to an interpreter: `python3 -m name.inner`, `perl -Ifolder -MName`. */
function modules(row: Program | undefined, args: readonly Word[], bases: readonly string[]): string[] {
  if (row?.interpreter?.language === "perl") return perlModules(args, bases);
  const at = row?.interpreter === undefined ? -1 : args.findIndex(({ text }) => text === "-m" || text === "--module");
  const name = at < 0 ? "" : (args[at + 1]?.text ?? "");
  if (name === "") return [];
  const inner = name.split(".").map((_, end, parts) => `${parts.slice(0, end + 1).join("/")}/__init__.py`);
  return bases.flatMap((base) => [...inner, ...moduleFiles(name, "python")].map((file) => join(base, file)));
}

function perlModules(args: readonly Word[], bases: readonly string[]): string[] {
  const given = (option: RegExp) =>
    args.flatMap(({ text }, at) => {
      const attached = option.exec(text)?.[1];
      return attached === "" ? [args[at + 1]?.text ?? ""] : (attached ?? []);
    });
  const folders = bases.flatMap((base) => given(/^-I(.*)$/).map((folder) => resolve(base, folder)));
  return given(/^-[mM]-?([\w:]*)/).flatMap((name) => moduleFiles(name, "perl", folders));
}

/** The programs and modules in the folders of a variable such as PYTHONPATH; for PATH, only those of unknown folders. */
function searched(name: string, value: string, bases: readonly string[], project: Project): string[] {
  if (!SEARCH.test(name)) return [];
  const folders = value.split(":").filter((folder) => folder !== "" && (name !== "PATH" || /\uFFFC./.test(folder)));
  return folders
    .flatMap((folder) => placesOf(folder.slice(folder.lastIndexOf(GAP) + 1).replace(/^\/+/, ""), bases, project))
    .filter((folder) => !folder.includes("node_modules"))
    .flatMap((folder) => searchedFiles(folder, project.disk))
    .filter((path) => {
      const bytes = project.disk.read(path);
      return bytes !== undefined && looksRun(bytes, "/");
    });
}

/** The variables that a command sets, for itself or for later commands. */
function variablesOf({ program, args, assignments }: SimpleCommand): (readonly [name: string, value: string])[] {
  const declared = DECLARING.has(program?.text ?? "") ? args : [];
  return [
    ...Object.entries(assignments).map(([name, { text }]) => [name, text] as const),
    ...declared.map(({ text }) => [text.split("=", 1)[0] ?? "", text.slice(text.indexOf("=") + 1)] as const),
  ];
}

/** The files that a variable such as NODE_OPTIONS makes a program load first. */
function loadedFirst(name: string, value: string, bases: readonly string[], project: Project): StartedFile[] {
  const line = asCommandLine(name, value);
  return line === undefined ? [] : startedFiles(line, { ...project, folders: bases });
}

/** The options or files in a variable or a setting, as a command line with them. */
export function asCommandLine(name: string, value: string): string | undefined {
  const program = LOADING_FIRST[name];
  if (program === undefined) return undefined;
  const words = value.split(/[\s,"'[\]]+/).filter((word) => word !== "");
  if (program !== ".") return [program, ...words].join(" ");
  return words
    .flatMap((word) => word.split(":"))
    .map((file) => `. ${file}`)
    .join("\n");
}

/** The files that a program runs by their usual names: package scripts, task files, tools of packages. */
function impliedFiles(
  { taskFiles = [] }: Program,
  { args }: SimpleCommand,
  { tasks }: Line,
  bases: readonly string[],
  project: Project,
): StartedFile[] {
  const folders = [...new Set([...bases, ...bases.flatMap((base) => optionFolders(args, base))])];
  const isImplied = true;
  if (!taskFiles.includes(MANIFEST)) {
    const isStated = args.some(({ text }) => /^(?:-f|--file|--makefile|--justfile|--taskfile)/.test(text));
    const files = isStated ? [] : folders.flatMap((folder) => taskFiles.map((file) => join(folder, file)));
    return files.map((path) => ({ path, isImplied }));
  }
  const manifests = isWorkspace(args)
    ? listedFiles(project.root, MANIFEST, project.disk)
    : folders.flatMap((folder) => nearest(folder, project));
  const names = [...new Set(tasks)].flatMap((name) => [`pre${name}`, name, `post${name}`]);
  return [
    ...manifests.flatMap((path) => names.map((script) => ({ path, script, isImplied }))),
    ...[...new Set([...manifests.map(dirname), project.root])].flatMap(settingsOfPackages),
    // `bun check.ts` runs a file if no script has that name, and `npm start` a server.
    ...tasks.flatMap((name) => bases.map((base) => ({ path: resolve(base, STARTED_UNNAMED[name] ?? name) }))),
  ];
}

/** The settings beside a package.json that name what runs its scripts. */
function settingsOfPackages(folder: string): StartedFile[] {
  return Object.entries(PACKAGE_SETTINGS).flatMap(([file, keys]) =>
    keys.map((script) => ({ path: join(folder, file), script, isImplied: true })),
  );
}

/** `npx name`: the program after a package manager is looked up among the tools of packages. */
function toolsOf({ program, via }: SimpleCommand, bases: readonly string[]): StartedFile[] {
  const [runner = "", verb] = via.at(-1)?.split(" ") ?? [];
  const folder = verb === "run" ? undefined : programNamed(runner)?.toolFolder;
  if (folder === undefined || program === undefined || /[/\uFFFC]/.test(program.text)) return [];
  return bases.map((base) => ({ path: join(base, folder, program.text), isImplied: true }));
}

/** The package.json that a package manager uses: the nearest one at or above the folder, inside the project. */
export function nearest(folder: string, { root, disk }: Project): string[] {
  for (let at = folder; isWithin(root, at); at = dirname(at)) {
    if (disk.read(join(at, MANIFEST)) !== undefined) return [join(at, MANIFEST)];
    if (at === dirname(at)) break;
  }
  return [];
}

/** Folders that options such as `--prefix` name. */
function optionFolders(args: readonly Word[], base: string): string[] {
  return args.flatMap(({ text }, at) => {
    const [, , attached] = FOLDER_OPTION.exec(text) ?? [];
    if (attached !== undefined) return [resolve(base, attached)];
    const next = args[at + 1]?.text;
    return FOLDER_OPTION.test(text) && next !== undefined ? [resolve(base, next)] : [];
  });
}

function isWorkspace(args: readonly Word[]): boolean {
  return args.some(({ text }) => /^(?:-w|-ws|-r|-F|--workspaces?|--recursive|--filter|workspaces?)(?:=|$)/.test(text));
}

/** The files that code on the command line loads and runs. */
function inlineCode(
  row: Program | undefined,
  args: readonly Word[],
  bases: readonly string[],
  project: Project,
): StartedFile[] {
  if (row?.interpreter === undefined) return [];
  const { language } = row.interpreter;
  const files = codeArguments(row, args).flatMap(({ text }) =>
    loadedByCode({ path: "", text, language }, bases, bases, project.disk.read),
  );
  return files.map((path) => ({ path }));
}

/** The number of scripts that are read for one line. */
const MAX_INNER = 100;
const MANIFEST = "package.json";
/** What a package manager runs if no script has the name. */
const STARTED_UNNAMED: Readonly<Record<string, string>> = { __proto__: null as never, start: "server.js" };
const TOOLS = "node_modules/.bin/";
const DECLARING: ReadonlySet<string> = new Set(["export", "declare", "typeset"]);
/** Variables and settings that contain options of a program, or files (`.`) that programs load first. */
const LOADING_FIRST: Readonly<Record<string, string>> = {
  __proto__: null as never,
  NODE_OPTIONS: "node",
  "node-options": "node",
  nodeOptions: "node",
  RUBYOPT: "ruby",
  PERL5OPT: "perl",
  PYTHONSTARTUP: ".",
  LD_PRELOAD: ".",
  LD_AUDIT: ".",
  DYLD_INSERT_LIBRARIES: ".",
  preload: ".",
};
const GLOB = /[*?[]/;
const ANYTHING = new RegExp(`[${GAP}*?./]`, "g");
/** PATH, PYTHONPATH, NODE_PATH, PERL5LIB, RUBYLIB and similar. */
const SEARCH = /(?:PATH|LIB)$/;
const FOLDER_OPTION = /^(-C|--prefix|--cwd|--dir|--directory)(?:=(.+))?$/;
/** Variables of a hook that contain the folder of its project. */
export const ROOT_VARIABLES: readonly string[] = ["SLUICE", "FORGE", "OPENCODE", "CLAUDE"].map(
  (name) => `${name}_PROJECT_DIR`,
);
/** The files that an interpreter runs if it is given a folder. */
const FOLDER_PROGRAMS = [
  "__main__.py",
  "__init__.py",
  "package.json",
  ...["js", "mjs", "cjs", "ts"].map((end) => `index.${end}`),
];
/** The suffixes that an interpreter adds to a name. */
const MODULE_SUFFIXES = [".js", ".cjs", ".mjs", ".ts", ".rb"];
