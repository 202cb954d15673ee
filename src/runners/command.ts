import { environmentOf } from "../event/environment.ts";
import type { HookEvent } from "../event/event.ts";
import type { Hook } from "../hook/hook.ts";
import { claudeText } from "./claude-input.ts";
import { commandEnvironment } from "./command-environment.ts";
import { writeLargeValues } from "./large-values.ts";
import { programOf } from "./program.ts";
import { buriedAnswer, readAnswer } from "./read-answer.ts";
import { broken, type Ran, type RunContext } from "./runner.ts";
import { type Ended, runProcess } from "./subprocess.ts";
import { workingDirectory } from "./working-directory.ts";

/** Runs a command hook: the event on standard input and in the environment, its answer on standard output. */
export async function runCommand(hook: Hook, event: HookEvent, context: RunContext): Promise<Ran> {
  const cwd = workingDirectory(hook, event, context.workingDir);
  const program = programOf(hook, cwd);
  if ("failure" in program) return broken(program.failure);
  const { small, large } = environmentOf(event, { workingDir: cwd, hookName: hook.name });
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
  const buried = buriedAnswer(ended.stdout);
  return { ...ended, ...readAnswer(ended.stdout), notes: [...ended.notes, ...(buried ? [buried] : [])] };
}

/** Hooks that were written for Claude Code name their project by its variable, whichever agent calls them now. */
function claudes({ exitCodes }: Hook, { workingDir }: RunContext): Record<string, string> {
  return exitCodes === "claude" && workingDir !== undefined ? { CLAUDE_PROJECT_DIR: workingDir } : {};
}
