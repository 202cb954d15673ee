import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { extname, isAbsolute, resolve } from "node:path";
import { environmentOf } from "../event/environment.ts";
import type { HookEvent } from "../event/event.ts";
import type { Hook } from "../hook/hook.ts";
import { commandEnvironment } from "./command-environment.ts";
import { writeLargeValues } from "./large-values.ts";
import { readAnswer } from "./read-answer.ts";
import { broken, type Ran, type RunContext } from "./runner.ts";
import { type Ended, runProcess } from "./subprocess.ts";

/** Runs a command hook: the event on standard input and in the environment, its answer on standard output. */
export async function runCommand(hook: Hook, event: HookEvent, context: RunContext): Promise<Ran> {
  const cwd = workingDirectory(hook, event, context);
  const surroundings = { workingDir: cwd, hookName: hook.name };
  const environment = environmentOf(event, surroundings);
  const program = programOf(hook, cwd);
  if ("failure" in program) return broken(program.failure);
  const files = writeLargeValues(environment.large);
  try {
    const ended = await runProcess({
      ...program,
      cwd,
      env: { ...commandEnvironment(hook, environment, context.depth), ...files.variables },
      stdin: `${event.toText()}\n`,
      deadline: context.deadline,
      signal: context.signal,
    });
    return report(ended, hook);
  } finally {
    files.remove();
  }
}

/** A shell says with 127 and 126 that it could not run what it was told; that is a fact about the hook, no opinion. */
function report(ended: Ended, hook: Hook): Ran {
  const program = hook.command ?? hook.script ?? "its program";
  if (ended.failure === undefined && hook.args === undefined) {
    if (ended.exitCode === 127) return { ...ended, failure: { why: "not_found", program } };
    if (ended.exitCode === 126) return { ...ended, failure: { why: "not_executable", program } };
  }
  if (ended.failure !== undefined || ended.exitCode !== 0) return ended;
  return { ...ended, ...readAnswer(ended.stdout) };
}

/** The hook's own folder, else the event's, else the executor's, else where this process is. */
function workingDirectory(hook: Hook, event: HookEvent, { workingDir }: RunContext): string {
  const base = event.cwd ?? workingDir ?? currentDirectory();
  if (hook.workingDir === undefined) return base;
  return resolve(base, hook.workingDir.replace(/^~(?=\/|$)/, homedir()));
}

/** A process whose folder was deleted has none; a path that cannot exist makes the run say so. */
function currentDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return resolve("/", "deleted working directory");
  }
}

type Program =
  | { readonly program: string; readonly args: readonly string[] }
  | { readonly failure: { why: "not_found" | "not_executable"; program: string } };

function programOf(hook: Hook, cwd: string): Program {
  const [program, ...args] = hook.args ?? [];
  if (program !== undefined) return { program, args };
  if (hook.command !== undefined) return shellOf(hook, hook.command);
  return scriptOf(resolve(cwd, hook.script ?? ""));
}

function shellOf(hook: Hook, command: string): Program {
  if (process.platform !== "win32") return { program: hook.shell ?? "/bin/sh", args: ["-c", command] };
  const shell = hook.shell ?? process.env.ComSpec ?? "cmd.exe";
  return { program: shell, args: /cmd(\.exe)?$/i.test(shell) ? ["/d", "/s", "/c", command] : ["-c", command] };
}

/** A script that says how it runs is run that way; else its suffix says it. */
function scriptOf(script: string): Program {
  const mode = statSync(script, { throwIfNoEntry: false });
  if (mode === undefined || !mode.isFile()) return { failure: { why: "not_found", program: script } };
  const executable = (mode.mode & 0o111) !== 0 && process.platform !== "win32";
  if (executable) return { program: script, args: [] };
  const shebang = shebangOf(script);
  if (shebang !== undefined) return { program: shebang[0] ?? "", args: [...shebang.slice(1), script] };
  const interpreter = INTERPRETERS[extname(script).toLowerCase()];
  if (interpreter === undefined) return { failure: { why: "not_executable", program: script } };
  return { program: interpreter[0] ?? "", args: [...interpreter.slice(1), script] };
}

function shebangOf(script: string): string[] | undefined {
  const first = readFileSync(script, "utf8").slice(0, 256).split("\n", 1)[0] ?? "";
  const found = /^#!\s*(\S+)(?:\s+(.+?))?\s*$/.exec(first);
  if (found?.[1] === undefined || !isAbsolute(found[1])) return undefined;
  return [found[1], ...(found[2] === undefined ? [] : [found[2]])];
}

const INTERPRETERS: Readonly<Record<string, readonly string[]>> = {
  ".sh": ["/bin/sh"],
  ".bash": ["bash"],
  ".zsh": ["zsh"],
  ".fish": ["fish"],
  ".py": ["python3"],
  ".js": [process.execPath],
  ".mjs": [process.execPath],
  ".cjs": [process.execPath],
  ".rb": ["ruby"],
  ".pl": ["perl"],
  ".ps1": ["pwsh", "-NoProfile", "-File"],
};
