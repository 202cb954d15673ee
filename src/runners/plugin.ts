import { attempt } from "../event/attempt.ts";
import type { HookEvent } from "../event/event.ts";
import { isObject } from "../event/json.ts";
import type { Hook } from "../hook/hook.ts";
import { readResult } from "../request/plugin-result.ts";
import { pinOf } from "../trust/pin.ts";
import { commandEnvironment } from "./command-environment.ts";
import { moduleFile } from "./plugin-module.ts";
import { callPlugin } from "./plugin-process.ts";
import { readAnswerObject } from "./read-answer.ts";
import { ABORTED, broken, CHANGED, type Ran, type RunContext } from "./runner.ts";
import { workingDirectory } from "./working-directory.ts";

/** Calls the method that a plugin has for the event, in a process of the plugin's own: no code of a plugin runs in this one. */
export async function runPlugin(hook: Hook, event: HookEvent, context: RunContext): Promise<Ran> {
  const cwd = workingDirectory(hook, event, context.workingDir);
  const found = moduleFile(hook, cwd);
  const pin = pinOf(hook);
  const pinned = pin && (await import("../trust/pinned-run.ts")).pinnedRun(pin, cwd);
  if (pin !== undefined && pinned === undefined) return CHANGED;
  const file = found === undefined ? undefined : (pinned?.file(found) ?? found);
  if (file === undefined) return broken({ why: "not_found", program: `the module ${hook.module}` });
  if (context.signal?.aborted) return broken(ABORTED);
  const request = {
    file,
    event: { ...event },
    options: hook.options ?? {},
    cwd: currentFolder(),
    umask: process.umask(),
    env: commandEnvironment(hook, {}, context.depth),
  };
  // What one project does to a plugin's process reaches no other project, and no plugin of the user.
  const ended = await callPlugin(`${hook.origin?.layer} ${context.workingDir}`, request, context);
  if (pinned?.isTrue() === false) return CHANGED;
  const { stdout, stderr } = ended;
  const result = "failure" in ended ? { failure: ended.failure } : read(ended.said);
  return { exitCode: null, stdout, stderr, ...result };
}

/** Pairs are a plugin's own; an object is read as every other hook's answer is. */
function read(said: unknown): Pick<Ran, "answer" | "failure"> {
  if (isObject(said)) return readAnswerObject(said);
  const result = readResult(said);
  return "answer" in result ? result : { failure: { why: "exception", message: result.unclear } };
}

/** Undefined if it was deleted: the plugin's process is started in the same place. */
function currentFolder(): string | undefined {
  return attempt(() => process.cwd());
}
