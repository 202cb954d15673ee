import { basename, dirname } from "node:path";
import { isTaskFile } from "../effects/programs/index.ts";
import type { WorkBudget } from "../event/work-budget.ts";
import { type FoundBytes, sha256 } from "../fs/read-once.ts";
import { loadedByCode } from "./code-modules.ts";
import { type ObservedDisk, observedDisk } from "./observed-disk.ts";
import { isMakefile, isShellScript, languagesOf, recipesIn, shebang, valuesIn } from "./script-file.ts";
import { asCommandLine, nearest, type Project, type StartedFile, startedFiles } from "./started-files.ts";

/** The code of one hook: files that it certainly runs, and command lines. */
export interface HookCode {
  readonly files: readonly string[];
  readonly texts: readonly string[];
  /** Its possible working directories. */
  readonly folders: readonly string[];
}

/** A file that a hook runs or loads, or the line of a package script. */
interface RunFile extends FoundBytes, Omit<StartedFile, "path"> {}

/** The files that a hook runs. */
export interface RunFiles {
  readonly files: readonly RunFile[];
  /** The hook runs more than was examined. */
  readonly isCut: boolean;
  /** The work budget was spent before the end. */
  readonly isStopped: boolean;
}

/** The files that hooks run, and everything that those run and load, nearest first; not files that are only read or named. */
export function runFiles(
  acts: readonly HookCode[],
  root: string,
  disk: ObservedDisk = observedDisk(),
  budget?: Pick<WorkBudget, "isSpent">,
): RunFiles {
  const found = new Map<string, RunFile>();
  let isCut = false;
  const onCut = () => {
    isCut = true;
  };
  for (const { files, texts, folders } of acts) {
    const project: Project = { root, folders, disk, onCut };
    const waiting = files.map((path) => keyed({ path }));
    for (const text of texts) waiting.push(...startedFiles(text, project).map(keyed));
    for (const { key, started } of waiting) {
      const file = found.has(key) ? undefined : fileAt(started, disk);
      if (file === undefined) continue;
      if (budget?.isSpent()) return { files: [...found.values()], isCut: true, isStopped: true };
      if (found.size >= MAX_FILES) {
        isCut = true;
        break;
      }
      found.set(key, file);
      // If many files start each other, each names all the others.
      for (const next of followed(file, project)) if (!found.has(next.key)) waiting.push(next);
    }
  }
  return { files: [...found.values()], isCut, isStopped: false };
}

/** A file with its identity. */
interface KeyedFile {
  readonly key: string;
  readonly started: StartedFile;
}

function keyed(started: StartedFile): KeyedFile {
  return { key: [started.path, started.script].join("\0"), started };
}

function fileAt({ path, script, isImplied }: StartedFile, { read }: ObservedDisk): RunFile | undefined {
  const bytes = read(path);
  if (bytes === undefined) return undefined;
  if (script === undefined) return { ...bytes, isImplied };
  const line = basename(path) === "package.json" ? scriptLine(bytes.text, script) : settingIn(bytes.text, script);
  return line === undefined ? undefined : { ...bytes, script, isImplied, sha256: sha256(line), text: line };
}

/** The value of a setting, after any of the usual separators. */
function settingIn(text: string | undefined, name: string): string | undefined {
  return new RegExp(`^\\s*["']?${name}["']?\\s*[=: ]\\s*(\\S.*)$`, "m").exec(text ?? "")?.[1];
}

/** What a package manager runs under a name; for `#imports`, the names by which the package's code loads its own files. */
function scriptLine(manifest: string | undefined, name: string): string | undefined {
  try {
    const content = Object(JSON.parse(manifest ?? ""));
    if (name === OWN_IMPORTS) return JSON.stringify(content.imports);
    const scripts: Record<string, unknown> = Object(content.scripts);
    const line = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
    return typeof line === "string" ? line : undefined;
  } catch {
    return undefined;
  }
}

/** The files that a file leads to, computed once for each view of the disk. A file that an implied one leads to is implied too. */
function followed(file: RunFile, project: Project): readonly KeyedFile[] {
  const { path, script, isImplied } = file;
  const known = FOLLOWED.get(project.disk) ?? new Map<string, FollowedFile>();
  FOLLOWED.set(project.disk, known);
  const key = [path, script, ...project.folders].join("\0");
  const { next, isCut } = known.get(key) ?? follow(file, project);
  known.set(key, { next, isCut });
  if (isCut) project.onCut();
  return isImplied ? next.map(({ key, started }) => ({ key, started: { ...started, isImplied } })) : next;
}

/** The files that a file leads to, and whether some are missing. */
interface FollowedFile {
  readonly next: readonly KeyedFile[];
  readonly isCut: boolean;
}

function follow(file: RunFile, project: Project): FollowedFile {
  let isCut = false;
  const onCut = () => {
    isCut = true;
  };
  const next = existing(leadsTo(file, { ...project, onCut }), project);
  return { next, isCut };
}

/** The existing files, each once. */
function existing(files: readonly StartedFile[], { disk }: Project): KeyedFile[] {
  const found = new Map<string, KeyedFile>();
  for (const one of files.map(keyed)) if (!found.has(one.key) && disk.isFile(one.started.path)) found.set(one.key, one);
  return [...found.values()];
}

/** The files that a file names, existing or not. */
function leadsTo(file: RunFile, project: Project): StartedFile[] {
  return file.script === undefined ? loadedFiles(file, project) : namedFiles(file, file.script, project);
}

const FOLLOWED = new WeakMap<ObservedDisk, Map<string, FollowedFile>>();

/** The files that a line of a package.json or of settings names. */
function namedFiles({ path, text = "" }: RunFile, script: string, project: Project): StartedFile[] {
  const folders = [dirname(path)];
  if (script !== OWN_IMPORTS) return startedFiles(asCommandLine(script, text) ?? text, { ...project, folders });
  const files = loadedByCode({ path, text, language: "javascript" }, folders, folders, project.disk.read);
  return files.map((file) => ({ path: file }));
}

/** The files that one file runs or loads as code, and its interpreter. */
function loadedFiles(file: FoundBytes, project: Project): StartedFile[] {
  const { path, real, text = "" } = file;
  if (path.includes(TOOLS)) return [];
  const homes = [...new Set([dirname(path), dirname(real)])];
  const around: Project = { ...project, folders: [...new Set([...homes, ...project.folders])] };
  const own = text.startsWith("#!") ? startedFiles(shebang(text), around) : [];
  const languages = languagesOf(file);
  const code = languages.flatMap((language) =>
    loadedByCode({ path, text, language }, homes, around.folders, project.disk.read).map((path) => ({ path })),
  );
  const imports = /["'`]#\w/.test(text) && languages.includes("javascript") ? nearest(dirname(path), project) : [];
  const renamed = imports.map((path) => ({ path, script: OWN_IMPORTS }));
  if (languages.length > 0) return [...own, ...code, ...renamed];
  if (isMakefile(path)) return [...own, ...startedFiles(recipesIn(text), around)];
  if (isShellScript(file)) return [...own, ...startedFiles(text, around)];
  const isTasks = isTaskFile(basename(path)) && basename(path) !== "package.json";
  return isTasks ? startedFiles(valuesIn(text), around) : own;
}

const OWN_IMPORTS = "#imports";
const MAX_FILES = 200;
/** The tools of packages: these files are covered, and what they load belongs to the packages. */
const TOOLS = "node_modules/.bin";
