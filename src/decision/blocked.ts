import { type Decision, reasonText } from "./decision.ts";
import { describeFailure } from "./failure.ts";
import type { HookResult } from "./result.ts";

/** Thrown if an operation was blocked; its message contains the hook's own message. */
export class HookBlockedError extends Error {
  override name = "HookBlockedError";
  readonly result: HookResult | undefined;
  readonly decision: Decision;

  constructor(decision: Decision, message?: string) {
    const result = blockingResult(decision);
    super(message ?? blockedMessage(decision, result));
    this.decision = decision;
    this.result = result;
  }
}

/** Thrown if a tool call was denied; its message is that of the hooks. */
export class ToolDeniedError extends HookBlockedError {
  override name = "ToolDeniedError";

  constructor(decision: Decision) {
    super(decision, ownWords(decision) || "Tool call denied by hook");
  }
}

function blockingResult({ action, results }: Decision): HookResult | undefined {
  return results.find((result) => result.action === action);
}

function blockedMessage(decision: Decision, result: HookResult | undefined): string {
  const subject = decision.event.toolName ?? decision.event.type;
  const words = wordsOf(decision);
  const hook = result ? ` by hook "${result.hook.name}"` : "";
  const said = words.startsWith("- ") ? `:\n${words}` : words && `: ${words}`;
  if (decision.action === "ask") return `${subject} needs approval${said}`;
  return `${subject} blocked${hook}${said}`;
}

/** A hook that denied by its exit code alone has no message: how it ended is not its message. */
function ownWords({ action, reasons, results }: Decision): string {
  const endings = results.flatMap(({ hook, exitCode, failure }) =>
    exitCode === null || failure ? [] : [`hook "${hook.name}" ${describeFailure({ why: "exited", exitCode })}`],
  );
  const own = reasons.filter((reason) => !endings.includes(reason));
  return reasonText(action, own, results);
}

function wordsOf({ action, reasons, results }: Decision): string {
  return reasonText(action, reasons, results);
}
