import { outputOf } from "../../output/output.ts";
import { runsOf } from "../../programs/apply-row.ts";
import { codeInVariables } from "../../programs/code-variables.ts";
import { EQUIVALENTS } from "../../programs/equivalents.ts";
import type { Options } from "../../programs/options.ts";
import type { Invocation } from "../../programs/program.ts";
import { canonicalProgram, isKnownProgram, namedProgram, programNamed } from "../../programs/program-name.ts";
import { taskFolder } from "../../programs/task-runners.ts";
import { runsOfUnlisted } from "../../programs/unlisted-programs.ts";
import { GAP, type SimpleCommand, type Word } from "../command.ts";
import { LIMITS } from "../limits.ts";
import { copyShell, owned, type Shell, type ShellFunction } from "../shell-state.ts";
import { type Field, fieldOf, valueFrom } from "../value.ts";
import { builtinNamed } from "./builtins.ts";
import { forksWithoutEnd } from "./endless-loop.ts";
import { type ForeignFile, foundFile, ownTask, programBehind, readableFile } from "./files.ts";
import { runInner } from "./inner.ts";
import {
  type Frame,
  type Outcome,
  type Prepared,
  positionsFrom,
  type Reader,
  reportParameters,
  runTraps,
} from "./reader.ts";
import { withInputAskedFor } from "./reading-builtins.ts";
import { throughDescriptors, withoutPattern } from "./redirect.ts";

/** Runs a command whose words are known: a function, a builtin, a program, and what that runs in turn. */
export function runPrepared(asked: Prepared, outer: Frame, reader: Reader): Outcome {
  const isLed = outer.shell.descriptors.size > 0;
  const prepared = isLed ? { ...asked, ...throughDescriptors(asked.words, outer.shell) } : asked;
  const frame = isLed ? withInputAskedFor(prepared.words, outer) : outer;
  const [first] = prepared.words;
  const args = prepared.words.slice(1);
  const { shell } = frame;
  const program = first && namedProgram(first);
  const name = canonicalProgram(program?.field.text ?? "");
  const body =
    prepared.isProgram || first === undefined || shell.functions.size === 0
      ? undefined
      : shell.functions.get(first.text);
  if (body !== undefined) {
    if (frame.depth >= LIMITS.depth) {
      reader.doubt("too deep", prepared.source);
      return { stdout: GAP, ends: "unknown" };
    }
    if (prepared.redirects.length > 0 || Object.keys(prepared.assignments).length > 0)
      emit(prepared, undefined, [], frame, reader);
    if (!forksWithoutEnd(first?.text ?? "", body.body)) return runFunction(body, args, prepared, frame, reader);
    runInner(EQUIVALENTS.forks(), frame, reader, prepared.source);
    const once = owned(copyShell(shell));
    once.functions.set(first?.text ?? "", NOTHING_TO_DO);
    return callFunction(body, args, { ...frame, shell: once }, reader);
  }
  const renamed = first && programBehind(shell, first.text);
  const field = renamed === undefined ? program && canonicalField(program.field, name) : fieldOf(renamed);
  if (program !== undefined && !program.isCertain && renamed === undefined)
    reader.doubt("unknown program", prepared.source);
  emit(prepared, field, args, frame, reader);
  if (field === undefined) return { stdout: "", ends: "unknown" };
  const handler = shell.functions.size === 0 ? undefined : shell.functions.get("command_not_found_handle");
  if (
    handler !== undefined &&
    frame.depth < LIMITS.depth &&
    !isKnownProgram(name) &&
    builtinNamed(name) === undefined
  ) {
    const own = owned(copyShell(shell));
    // What is not found while it runs does not call it again.
    own.functions = new Map([...own.functions].filter(([each]) => each !== "command_not_found_handle"));
    const inside = { ...frame, shell: own };
    const outcome = callFunction(handler, prepared.words, inside, reader);
    runTraps(inside, reader);
    return outcome;
  }
  return call(renamed ?? name, first?.text ?? name, args, prepared, frame, reader);
}

/** Runs a function; its input and its output are reported with the arguments of the call. */
function runFunction(
  body: ShellFunction,
  args: readonly Field[],
  prepared: Prepared,
  frame: Frame,
  reader: Reader,
): Outcome {
  const { source } = prepared;
  reportParameters(args, source, frame, reader);
  const from = reader.commands.length;
  const outcome = callFunction(body, args, frame, reader);
  if (!frame.isInserted || reader.commands.length === from) return outcome;
  const of = positionsFrom(from, reader);
  reader.runWords([], { ...frame, stdin: { text: GAP, at: 0, input: { from: "commands", of } } }, { source });
  return outcome;
}

/** Represents a function that was reported already, because it would never end. */
const NOTHING_TO_DO: ShellFunction = { body: { type: "CompoundList", pos: 0, end: 0, commands: [] }, text: "" };

function call(
  name: string,
  written: string,
  args: readonly Field[],
  prepared: Prepared,
  frame: Frame,
  reader: Reader,
): Outcome {
  const { shell } = frame;
  const before = reader.commands.length;
  const fileIn = (path: Word) => readableFile(path, frame, reader);
  for (const inner of codeInVariables(prepared.assignments, name, fileIn))
    runInner(inner, frame, reader, prepared.source);
  const builtin = builtinNamed(name);
  if (builtin !== undefined) return builtin({ name, args, prepared }, frame, reader);
  const file: ForeignFile | undefined = foundFile(written, frame, reader);
  if (file !== undefined) {
    runInner(
      { runs: "file", path: { text: file.path, isKnown: true, isGlob: false }, via: written, args },
      frame,
      reader,
      prepared.source,
    );
    return { stdout: GAP, ends: "unknown" };
  }
  if (SCRIPT.test(written) && written.includes("/")) reader.doubt("unread script", written);
  const row = programNamed(name);
  let inside = frame;
  let folders: Map<string, string> | undefined;
  const taskLine = (runner: string, task: string) => {
    folders ??= new Map();
    const folder = folders.get(runner) ?? taskFolder(runner, args, shell.folder);
    folders.set(runner, folder);
    const key = `${folder} ${runner} ${task}`;
    if (isRunning(key, `${runner} ${task}`, frame.tasks)) return undefined;
    const own = folder === shell.folder ? ownTask(row?.taskFiles, task, shell, reader) : undefined;
    const line = own ?? reader.around.task?.(runner, task, folder);
    if (line === undefined) return undefined;
    const script = own === undefined ? (frame.script ?? (folder || ".")) : frame.script;
    inside = {
      ...frame,
      shell: inFolder(shell, folder.includes(GAP) ? shell.folder : folder),
      script,
      tasks: [...(frame.tasks ?? []), key],
    };
    return line;
  };
  const asked: Omit<Invocation, keyof Options> = {
    name,
    args,
    stdin: frame.stdin,
    shell,
    assignments: prepared.assignments,
    task: taskLine,
    file: fileIn,
  };
  let stdout: string | undefined;
  for (const inner of row === undefined ? runsOfUnlisted(asked) : runsOf(row, asked)) {
    const outcome = runInner(inner, inside, reader, prepared.source);
    stdout = stdout === undefined ? outcome.stdout : GAP;
  }
  if (stdout !== undefined && reader.commands.length > before) return { stdout, ends: "unknown" };
  return outputOf({ name, args, stdin: frame.stdin, shell });
}

/** Whether a task runs itself, in its own folder or ever deeper below it. */
function isRunning(key: string, task: string, tasks: readonly string[] = []): boolean {
  return tasks.includes(key) || tasks.filter((one) => one.endsWith(` ${task}`)).length >= MAX_FOLDERS;
}

/** In so many folders, one below the other, a task of the same name is read. */
const MAX_FOLDERS = 3;

/** The shell of a task that another folder has. */
function inFolder(shell: Shell, folder: string): Shell {
  if (folder === shell.folder) return shell;
  const own = owned(copyShell(shell));
  own.folder = folder;
  return own;
}

/** The program by its canonical name; a folder that is not the system's stays in front of it. */
function canonicalField(field: Field, name: string): Field {
  if (field.text.includes("/")) return field;
  // The text is the one that the name was found by: what asks for the program again finds it without comparing letters.
  return { text: name, isKnown: field.isKnown, isGlob: field.isGlob };
}

/** Names that are scripts, by how they end. */
const SCRIPT = /\.(?:sh|bash|zsh|ksh|py|pl|rb|js|mjs|cjs|php|lua)$/;

function emit(
  prepared: Prepared,
  program: Field | undefined,
  args: readonly Field[],
  frame: Frame,
  reader: Reader,
): void {
  const command: SimpleCommand = {
    program: program && withoutPattern(program),
    args: args.some(({ pattern }) => pattern !== undefined) ? args.map(withoutPattern) : args,
    assignments: prepared.assignments,
    redirects: prepared.redirects,
    input: frame.stdin.input,
    takes: prepared.takes,
    folder: frame.shell.folder,
    via: frame.via,
    source: prepared.source,
    script: frame.script,
  };
  reader.commands.push(command);
}

/** Runs a function's body with its arguments as `$1` and on. */
function callFunction(called: ShellFunction, args: readonly Field[], frame: Frame, reader: Reader): Outcome {
  const { shell } = frame;
  const { positional, hasLeft, locals } = shell;
  const own: NonNullable<Shell["locals"]> = new Map();
  shell.positional = args.map(valueFrom);
  shell.locals = own;
  const outcome = reader.runBody(called.body, { ...frame, text: called.text, depth: frame.depth + 1 });
  shell.positional = positional;
  shell.hasLeft = hasLeft;
  shell.locals = locals;
  for (const [name, before] of own)
    if (before === undefined) owned(shell).variables.delete(name);
    else owned(shell).variables.set(name, before);
  return { ...outcome, ends: "unknown" };
}
