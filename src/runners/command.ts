import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { callFiles } from "../effects/call-files.ts";
import { isDevice } from "../effects/paths.ts";
import { eventSpec } from "../event/catalogue.ts";
import { environmentOf, PREFIXES } from "../event/environment.ts";
import type { HookEvent } from "../event/event.ts";
import { dataField } from "../event/field.ts";
import { isObject, toJsonText } from "../event/json.ts";
import { realPath } from "../fs/resolve-path.ts";
import { makePrivateDir, stateDir } from "../fs/state-dir.ts";
import type { Hook } from "../hook/hook.ts";
import { pinOf } from "../trust/pin.ts";
import type { PinnedRun } from "../trust/pinned-run.ts";
import { commandEnvironment } from "./command-environment.ts";
import { diskLookups } from "./disk-lookups.ts";
import { type HookProgram, programOf, scriptPath } from "./program.ts";
import { readAnswer } from "./read-answer.ts";
import { broken, CHANGED, type Ran, type RunContext } from "./runner.ts";
import { atExit, type Ended, runProcess } from "./subprocess.ts";
import { fromHome, workingDirectory } from "./working-directory.ts";

/** Runs a command hook: the event on standard input and in the environment, its answer on standard output. */
export async function runCommand(hook: Hook, event: HookEvent, context: RunContext): Promise<Ran> {
  const cwd = workingDirectory(hook, event, context.workingDir);
  const pin = pinOf(hook);
  const pinned = pin && (await import("../trust/pinned-run.ts")).pinnedRun(pin, cwd);
  if (pin !== undefined && pinned === undefined) return CHANGED;
  const program = pinned === undefined ? programOf(hook, cwd) : pinnedProgram(hook, cwd, pinned);
  if ("failure" in program) return broken(program.failure);
  const { small, large } = environmentOf(event, {
    workingDir: cwd,
    hookName: hook.name,
    projectDir: context.workingDir,
    files: absoluteFiles(event, context.workingDir),
  });
  const files = writeLargeValues(large);
  try {
    const ended = await runProcess({
      ...program,
      cwd,
      env: commandEnvironment(
        hook,
        { ...small, ...files.variables, ...claudes(hook, context), PWD: cwd },
        context.depth,
      ),
      stdin: `${hook.exitCodes === "claude" ? claudeText(event) : event.toText()}\n`,
      deadline: context.deadline,
      signal: context.signal,
      isBackground: context.isBackground,
    });
    if (pinned?.isTrue() === false) return { ...CHANGED, stdout: ended.stdout, stderr: ended.stderr };
    return report(cwd === event.cwd || hook.workingDir !== undefined ? ended : withMove(ended, event, cwd), hook);
  } finally {
    files.remove();
  }
}

/** The program of an approved hook of a project, with copies of the approved files in place of the files. */
function pinnedProgram(hook: Hook, cwd: string, pinned: PinnedRun): HookProgram {
  const { command, script } = hook;
  if (command !== undefined && hook.args === undefined) return programOf(hook, cwd, { command: pinned.line(command) });
  const file = script === undefined ? undefined : scriptPath(script, cwd);
  const copy = file === undefined ? undefined : pinned.file(file);
  const found = programOf(hook, cwd, { script: copy });
  if ("failure" in found) return found;
  const named = [found.program, ...found.args].map((word) => (word === copy && file !== undefined ? file : word));
  const [program = found.program, ...args] = pinned.args(named);
  return { program, args };
}

/** A note for a hook that runs elsewhere than where the event happened. */
function withMove(ended: Ended, { cwd: stated }: HookEvent, cwd: string): Ended {
  if (!stated || resolve(stated) === cwd) return ended;
  return { ...ended, notes: [...ended.notes, `${stated} is not there; it ran in ${cwd}`] };
}

/** A shell reports with 127 and 126 that it could not run the command; that is a fact about the hook, not an answer. */
function report(ended: Ended, hook: Hook): Ran {
  const why = hook.args === undefined && ended.exitCode !== null ? REFUSED[ended.exitCode] : undefined;
  if (ended.failure === undefined && why !== undefined)
    return { ...ended, failure: { why, program: namedIn(ended.stderr) ?? hook.script ?? firstWord(hook.command) } };
  if (ended.failure !== undefined || ended.exitCode !== 0) return ended;
  const read = readAnswer(ended.stdout);
  return { ...ended, ...read, notes: "note" in read ? [...ended.notes, read.note] : ended.notes };
}

const REFUSED: Readonly<Record<number, "not_found" | "not_executable">> = { 127: "not_found", 126: "not_executable" };

/** The program that a shell complains about. */
function namedIn(stderr: string): string | undefined {
  return /: ([^:\n]+): (?:(?:command )?not found|Permission denied|cannot execute\b.*)\s*$/.exec(stderr)?.[1];
}

function firstWord(command = "its program"): string {
  return /^\s*(\S+)/.exec(command)?.[1] ?? command;
}

/** Hooks that were written for Claude Code name their project by its variable, whichever agent calls them now. */
function claudes({ exitCodes }: Hook, { workingDir }: RunContext): Record<string, string> {
  return exitCodes === "claude" && workingDir !== undefined ? { CLAUDE_PROJECT_DIR: workingDir } : {};
}

/**
 * What a hook with Claude's exit codes reads: the event, and beside it what its agent itself sent, so that a script
 * written for the agent finds `hook_event_name` and `tool_input` where they have always been.
 */
export function claudeText(event: HookEvent): string {
  const { raw } = event;
  const [input, response, prompt] = [
    dataField(event, "tool_args"),
    dataField(event, "tool_result"),
    dataField(event, "prompt"),
  ];
  return toJsonText({
    hook_event_name: eventSpec(event.type).aliases[0],
    ...(isObject(raw) ? raw : event.data),
    ...event.toJSON(),
    ...(input === undefined ? {} : { tool_input: input }),
    ...(response === undefined ? {} : { tool_response: response }),
    ...(prompt === undefined ? {} : { prompt }),
  });
}

/** Files for values that are too large for an environment. */
export interface LargeValues {
  /** `SLUICE_TOOL_ARGS_FILE` and the like. */
  readonly variables: Record<string, string>;
  remove(): void;
}

/** Writes each value into a file that only this user can read, for as long as the hook runs. */
export function writeLargeValues(values: Readonly<Record<string, string>>): LargeValues {
  const names = Object.entries(values);
  if (names.length === 0) return { variables: {}, remove: () => {} };
  const folder = privateFolder();
  const forget = atExit(() => removeFolder(folder));
  const remove = () => {
    forget();
    removeFolder(folder);
  };
  const variables: Record<string, string> = {};
  try {
    for (const [name, value] of names) {
      const file = join(folder, name.toLowerCase());
      writeFileSync(file, value, { mode: 0o600, flag: "wx" });
      for (const prefix of PREFIXES) variables[`${prefix}${name}_FILE`] = file;
    }
  } catch (error) {
    remove();
    throw error;
  }
  return { variables, remove };
}

/** In the system's folder for temporary files; where that is missing or closed, in Sluice's own state. */
function privateFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), "sluice-"));
  } catch {
    const state = stateDir();
    makePrivateDir(state);
    return mkdtempSync(join(state, "values-"));
  }
}

/** Changes that a hook makes to the folder must not change the hook's answer. */
function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // The system clears its folder for temporary files in time.
  }
}

/**
 * The files that a call writes or deletes, else reads, absolute and each once: of a file tool by its input or its patch, of a
 * shell command those that are known before it runs. Written files come before deleted ones.
 */
export function absoluteFiles(event: HookEvent, root: string | undefined): string[] {
  const base = event.cwd || root || process.cwd();
  const { written, deleted, read } = callFiles(event, diskLookups);
  const changed = [...written, ...deleted];
  const found = new Map<string, string>();
  for (const { absolute, isGlob } of changed.length > 0 ? changed : read) {
    const whole = resolve(base, fromHome(absolute));
    if (isGlob || isDevice(whole)) continue;
    // A link and the file that it leads to are one.
    const real = realPath(whole);
    if (!found.has(real)) found.set(real, whole);
  }
  return [...found.values()];
}
