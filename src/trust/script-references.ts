import { basename, resolve } from "node:path";
import { GAP, type SimpleCommand } from "../effects/parse/command.ts";
import { readCommandLine } from "../effects/parse/read-command-line.ts";
import type { Program } from "../effects/programs/program.ts";
import { canonicalProgram, programNamed } from "../effects/programs/program-name.ts";
import { takesCode } from "../effects/programs/tell-program.ts";
import { statsAt } from "../fs/resolve-path.ts";

/** A part of a command that may name something that is run or loaded. */
export interface ScriptReference {
  readonly text: string;
  /** `search`: programs and modules are looked for in that folder. `module`: a name with dots, as an interpreter takes it. */
  readonly kind: "file" | "module" | "search";
  /** Any file that it names is taken for code, not only one that looks like it. */
  readonly isCode: boolean;
  /** It is run for certain, so what is not known about it has to be looked for. */
  readonly isRun: boolean;
  /** The folders that it may be relative to. */
  readonly bases: readonly string[];
  /** The program that it names, where it is one. */
  readonly program: Program | undefined;
}

/** Gives the text of a shell script that is about to run; every path that it is asked for is run. */
type Script = (path: string) => string | undefined;

/**
 * The references of a command line as a shell reads it: without quotes, with the values of variables where they are
 * known, each relative to the folder of its command. The text of a script that the shell runs is asked for by its path.
 */
export function referencesInCommands(
  text: string,
  folders: readonly string[],
  { script, withTools }: { readonly script: Script; readonly withTools: boolean },
): ScriptReference[] {
  const tools = withTools ? toolFolders(text) : [];
  const variables = tools.length === 0 ? {} : { PATH: [...tools, GAP].join(":") };
  const { commands } = readCommandLine(text, { script, variables, inherited: { HOME: () => process.env.HOME } });
  const isCode = commands.some(runsCode);
  return commands.flatMap((command) => referencesOf(command, folders, isCode));
}

/** The folders of tools that the programs of a text put before all others, as `npx` does. */
function toolFolders(text: string): string[] {
  const folders = (text.match(/\w+/g) ?? []).map((name) => programIn(name)?.toolFolder);
  return [...new Set(folders)].filter((folder) => folder !== undefined);
}

function referencesOf(command: SimpleCommand, folders: readonly string[], isCode: boolean): ScriptReference[] {
  const { program, args, assignments, redirects, folder } = command;
  const bases =
    folder === "." ? folders : [...new Set([...folders.map((base) => folderFrom(base, folder)), ...folders])];
  const isRun = runsCode(command);
  const reference = (text: string, more: Partial<ScriptReference> = {}): ScriptReference => {
    return { text, kind: "file", isCode, isRun, bases, program: programIn(text), ...more };
  };
  const named = program?.text ?? "";
  const isPath = named.includes("/");
  return [
    reference(named, { isCode: isPath, isRun: isPath || isRun, program: programNamed(named) }),
    ...args.flatMap(({ text }, at) => [
      reference(text, args[at - 1]?.text === "-m" ? { kind: "module" } : {}),
      ...(/^[\w-]+=./.test(text) ? [reference(text.slice(text.indexOf("=") + 1))] : []),
    ]),
    ...redirects.filter(({ way }) => way === "read").map(({ target }) => reference(target.text)),
    ...Object.entries(assignments).flatMap(([name, { text }]) => [reference(text), ...searched(name, text, bases)]),
  ];
}

function runsCode({ program }: SimpleCommand): boolean {
  const row = program && programNamed(program.text);
  return row !== undefined && takesCode(row);
}

/** A folder that only the run knows may be the one that the command starts in. */
function folderFrom(base: string, folder: string): string {
  return resolve(base, folder.slice(folder.lastIndexOf(GAP) + 1).replace(folder.includes(GAP) ? /^\/+/ : /^$/, ""));
}

/** Everything in a text that could be a name, without quotes and nesting; a variable may stand for any folder. */
export function referencesInText(text: string, folders: readonly string[]): ScriptReference[] {
  const found = searchFolders(text, folders);
  const bases = [...folders];
  let follows: "nothing" | "folder" | "module" = "nothing";
  let isCode = false;
  let isGiven = false;
  for (const piece of piecesOf(text)) {
    if (follows === "folder" && !piece.startsWith("-")) enter(piece, bases);
    const program = programIn(piece);
    const isTaker = program !== undefined && takesCode(program);
    isCode ||= isTaker;
    // The command `.` is no folder, unless an interpreter is given it.
    const isOperator: boolean = piece === "." && !isGiven;
    found.push({
      text: isOperator ? "" : piece,
      kind: follows === "module" ? follows : "file",
      isCode,
      isRun: false,
      bases,
      program,
    });
    isGiven = isTaker && !isOperator;
    const isEntered = program?.is?.["enters-folder"] !== undefined || FOLDER_OPTIONS.has(piece);
    follows = isEntered ? "folder" : piece === "-m" ? "module" : "nothing";
  }
  return found;
}

/** The program that a piece of text may name. A sentence begins with a capital letter, the name of a program seldom. */
export function programIn(piece: string): Program | undefined {
  const name = basename(piece);
  if (name === "" || name.length > LONGEST_NAME) return undefined;
  return canonicalProgram(name).charAt(0) === name.charAt(0) ? programNamed(name) : undefined;
}

/** From now on, and for what was named before it, names may be relative to that folder too. */
function enter(folder: string, bases: string[]): void {
  const entered = bases.map((base) => resolve(base, folder)).filter((path) => !bases.includes(path));
  bases.push(...entered.filter((path) => statsAt(path)?.isDirectory()).slice(0, MOST_BASES - bases.length));
}

/** The folders of a variable such as PATH. */
function searched(name: string, value: string, bases: readonly string[]): ScriptReference[] {
  if (!SEARCH.test(name)) return [];
  const folders = value.split(":").filter((folder) => folder !== "");
  return folders.map((text) => ({ text, kind: "search", isCode: true, isRun: true, bases, program: undefined }));
}

function searchFolders(text: string, bases: readonly string[]): ScriptReference[] {
  const lists = [...text.matchAll(ASSIGNED)];
  return lists.flatMap(([, name = "", value = ""]) => searched(name, withoutVariables(value), bases));
}

function piecesOf(text: string): string[] {
  return withoutVariables(text)
    .split(/[\s'"`;&|()<>={},\\]+/)
    .filter((piece) => piece !== "" && piece.length < LONGEST_PIECE)
    .slice(0, MOST_PIECES);
}

function withoutVariables(text: string): string {
  return text.replaceAll(/\$\{?\w+\}?/g, "");
}

const LONGEST_PIECE = 1024;
const LONGEST_NAME = 64;
const MOST_PIECES = 2000;
const MOST_BASES = 32;
/** Options by which many programs take the folder that they run in. */
const FOLDER_OPTIONS = new Set(["-C", "--prefix", "--cwd", "--dir"]);
/** PATH, PYTHONPATH, NODE_PATH, PERL5LIB, RUBYLIB and their like. */
const SEARCH = /(?:PATH|LIB)$/;
const ASSIGNED = /\b(\w*(?:PATH|LIB))=["']?([^\s"';&|()]{1,2000})/g;
