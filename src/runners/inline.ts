import { milliseconds } from "../event/clock.ts";
import type { HookEvent } from "../event/event.ts";
import { toJsonText } from "../event/json.ts";
import { type Hook, keepPrepared, preparedOf } from "../hook/hook.ts";
import { CONTINUE } from "../rule/evaluate.ts";
import { type CompiledHook, compileHookRules, compileReadyRules, type ReadyRules } from "../rule/hook-rules.ts";
import { attachRecent } from "../rule/recent.ts";
import { diskLookups } from "./disk-lookups.ts";
import { ABORTED, broken, PASSED, type Ran, type RunContext } from "./runner.ts";

/** Checks the rules of an inline hook in process: no I/O, and never an exception because of an event. */
export function runInline(hook: Hook, event: HookEvent, context: RunContext): Promise<Ran> | Ran {
  const kept = preparedOf(hook) as CompiledHook | ReadyRules | undefined;
  if (kept !== undefined && "evaluate" in kept) return run(kept, event, context);
  return compile(hook, kept).then((fresh) => run(fresh, event, context));
}

async function compile(hook: Hook, kept: ReadyRules | undefined): Promise<CompiledHook> {
  const fresh = await (kept === undefined ? compileHookRules(hook, diskLookups) : compileReadyRules(kept, diskLookups));
  keepPrepared(hook, fresh);
  return fresh;
}

function run(hook: CompiledHook, event: HookEvent, { deadline, recent, budget }: RunContext): Ran {
  const { problems } = hook;
  if (hook.usesRecent && recent !== undefined) attachRecent(event, recent);
  try {
    const answer = hook.evaluate(event, hook.usesRegex ? later(deadline, budget) : undefined);
    if (answer === undefined) return broken(budget?.isSpent() ? ABORTED : { why: "timeout", afterMs: deadline * 1000 });
    if (problems.length === 0 && answer === CONTINUE) return PASSED;
    if (problems.length === 0) return { answer, exitCode: null, stdout: "", stderr: "" };
    const failed = broken({ why: "exception", message: problems.map(told).join("\n"), isUncompiled: true });
    return answer.action === "deny" || answer.action === "ask" ? { ...failed, answer } : failed;
  } catch (error) {
    return broken({ why: "exception", message: error instanceof Error ? error.message : toJsonText(error) });
  }
}

/** Rules cannot be interrupted, but they can be ended between two of them. */
function later(deadline: number, budget: RunContext["budget"]): () => boolean {
  const until = milliseconds() + deadline * 1000;
  return () => {
    const now = milliseconds();
    return now > until || budget?.isSpent(now) === true;
  };
}

function told({ message, fix }: { readonly message: string; readonly fix: string | undefined }): string {
  return fix === undefined ? message : `${message} ${fix}`;
}
