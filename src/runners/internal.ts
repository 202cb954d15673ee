import { deepCopy } from "../event/deep-copy.ts";
import type { HookEvent } from "../event/event.ts";
import { isObject } from "../event/json.ts";
import type { Hook } from "../hook/hook.ts";
import { errorText } from "../problem/problem.ts";
import { readResult } from "../request/plugin-result.ts";
import { readAnswerObject } from "./read-answer.ts";
import { ABORTED, broken, PASSED, type Ran, type RunContext } from "./runner.ts";

/** Calls the function of a hook that a program has made, in this process, on a copy of the event. */
export async function runInternal({ run }: Hook, event: HookEvent, { deadline, signal }: RunContext): Promise<Ran> {
  if (run === undefined) return broken({ why: "not_found", program: "the function of this hook" });
  if (signal?.aborted) return broken(ABORTED);
  const ended = new AbortController();
  try {
    // What the function does to its event reaches no other hook.
    const answered = Promise.resolve(run(event.withData(deepCopy(event.data)))).then(read);
    return await Promise.race([answered, late(deadline, ended.signal), aborted(signal, ended.signal)]);
  } catch (error) {
    return broken({ why: "exception", message: errorText(error) });
  } finally {
    ended.abort();
  }
}

function read(said: unknown): Ran {
  if (said === null || said === undefined) return PASSED;
  const result = isObject(said) ? readAnswerObject(said) : readResult(said);
  if ("unclear" in result) return broken({ why: "exception", message: result.unclear });
  return { exitCode: null, stdout: "", stderr: "", ...result };
}

function late(seconds: number, ended: AbortSignal): Promise<Ran> {
  return new Promise((resolve) => {
    const fail = () => resolve(broken({ why: "timeout", afterMs: seconds * 1000 }));
    const timer = setTimeout(fail, seconds * 1000);
    ended.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}

function aborted(signal: AbortSignal | undefined, ended: AbortSignal): Promise<Ran> {
  return new Promise((resolve) => {
    signal?.addEventListener("abort", () => resolve(broken(ABORTED)), { once: true, signal: ended });
  });
}
