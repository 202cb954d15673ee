import { aggregate, joined } from "../../decision/aggregate.ts";
import type { Decision } from "../../decision/decision.ts";
import { describeFailure } from "../../decision/failure.ts";
import type { Code, HookResult } from "../../decision/result.ts";
import type { LookupsFor } from "../../effects/effect.ts";
import type { HookEvent } from "../../event/event.ts";
import { Hook } from "../../hook/hook.ts";
import { errorText, Problem } from "../../problem/problem.ts";
import { beforeChange } from "./before-change.ts";
import { recordChange } from "./record-change.ts";
import { auditAfterTurn, auditAtEnd, rememberStart } from "./session-audit.ts";
import { tracePaths } from "./trace-paths.ts";
import type { Traced } from "./traced.ts";

/** The decision with the objections and messages of the trace. */
export async function withTrace(decision: Decision, traced: Traced, look?: LookupsFor): Promise<Decision> {
  const { event } = decision;
  switch (event.type) {
    case "tool:pre_execute":
      return before(decision, traced, look, (await traced.isOpen?.(event)) ?? false);
    case "tool:post_execute":
    case "tool:error":
      return after(decision, traced, look);
    case "session:start":
      rememberStart(tracePaths(traced).state, event);
      return decision;
    case "session:end":
      return withAudit(decision, auditAtEnd, traced);
    case "session:stop":
      return withAudit(decision, auditAfterTurn, traced);
    default:
      return decision;
  }
}

function before(decision: Decision, traced: Traced, look: LookupsFor | undefined, mayBeOpen: boolean): Decision {
  rememberStart(tracePaths(traced).state, decision.event);
  if (decision.action === "deny") return decision;
  try {
    const found = beforeChange(decision, traced, look, mayBeOpen);
    switch (found.kind) {
      case "nothing":
        return decision;
      case "unwritable":
        return refused(decision, wordsOf(found.problem), "HOOK_ERROR");
      case "stale":
        return found.isDenied
          ? refused(decision, `STALE_WRITE: ${found.reason}`, "STALE_WRITE")
          : told(decision, found.reason);
    }
  } catch (error) {
    return traced.trace === "required"
      ? refused(decision, `the trace broke: ${wordsOf(error)}`, "HOOK_ERROR")
      : broken(decision, `The trace could not look at the files before the call: ${wordsOf(error)}`);
  }
}

/** A lost record is reported to the agent, its user and the journal. */
async function after(decision: Decision, traced: Traced, look: LookupsFor | undefined): Promise<Decision> {
  try {
    const recorded = await recordChange(decision.event, traced, look, (await traced.isOpen?.(decision.event)) ?? false);
    return recorded.kind === "lost" ? broken(decision, wordsOf(recorded.problem)) : decision;
  } catch (error) {
    return broken(decision, `The change is not traced: ${wordsOf(error)}`);
  }
}

/** Reports changes without a recorded call at the end of a session; a failure here does not delay the session. */
function withAudit(decision: Decision, audit: typeof auditAtEnd, traced: Traced): Decision {
  try {
    const words = audit(traced, decision.event);
    return words === undefined ? decision : told(decision, words);
  } catch (error) {
    return told(decision, `Changes without a recorded call could not be looked for: ${wordsOf(error)}`);
  }
}

function refused(decision: Decision, reason: string, code: Code): Decision {
  return added(decision, { action: "deny", shouldContinue: false, reason, code });
}

function told(decision: Decision, context: string): Decision {
  return added(decision, { action: "continue", shouldContinue: true, context });
}

/** The call continues, and is recorded as a failure. */
function broken(decision: Decision, message: string): Decision {
  const failure = { why: "exception", message } as const;
  const ran = { success: false, exitCode: null, error: describeFailure(failure), failure };
  return added(decision, { action: "continue", shouldContinue: true, context: message, ...ran });
}

function added(
  decision: Decision,
  said: Pick<HookResult, "action" | "shouldContinue"> & Partial<HookResult>,
): Decision {
  const ran = { success: true, timedOut: false, exitCode: 0, stdout: "", stderr: "", duration: 0, durationMs: 0 };
  const event: HookEvent = decision.event;
  return joined(decision, aggregate({ event, results: [{ hook: HOOK, ...ran, ...said }] }));
}

function wordsOf(error: unknown): string {
  if (error instanceof Problem) return [error.message, error.fix].filter(Boolean).join(" ");
  return errorText(error);
}

const HOOK = Hook.fromJSON(
  { name: "trace", event: "tool", type: "inline", rules: "tool exists -> continue()" },
  { layer: "managed", place: { file: "built in" }, index: 0 },
);
