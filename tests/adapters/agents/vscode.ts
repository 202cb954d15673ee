import {
  type Agent,
  asks,
  type Does,
  type Ended,
  goesOn,
  type Handed,
  isObject,
  objectIn,
  part,
  stopped,
  TOOL_INPUT,
  text,
  together,
} from "./agent.ts";

/** The local agent of VS Code, as its manual says. */
export const vscode: Agent = { id: "vscode", ...TOOL_INPUT, reads };

function reads({ stdout, stderr, exitCode }: Ended, { hookEvent, payload }: Handed): Does {
  const outcome = exitCode === 0 ? (objectIn(stdout) ?? {}) : {};
  const specific = part(outcome, "hookSpecificOutput");
  const output = specific.hookEventName === hookEvent ? specific : {};
  const shown = text(outcome.systemMessage);
  const context = text(output.additionalContext);
  const exit = exitCode === 2;
  switch (hookEvent) {
    case "PreToolUse": {
      const { permissionDecision: verdict, permissionDecisionReason: why, updatedInput } = output;
      const input = isLike(payload.tool_input, updatedInput) ? updatedInput : payload.tool_input;
      if (exit) return stopped(stderr);
      if (verdict === "deny") return stopped(together(why, context), { shown });
      if (verdict === "ask") return asks(why, { input, told: context });
      return goesOn({ input, told: context, shown, approved: verdict === "allow" });
    }
    case "PostToolUse":
      return goesOn({
        told: together(exit ? stderr : "", outcome.decision === "block" ? outcome.reason : "", context),
        objected: exit || outcome.decision === "block",
        shown,
      });
    case "UserPromptSubmit":
      return exit ? stopped("", { shown: stderr }) : goesOn({ shown });
    case "SessionStart":
    case "SubagentStart":
      return goesOn({ told: context, shown });
    case "Stop":
      if (exit) return stopped(stderr);
      return output.decision === "block" ? stopped(output.reason, { shown }) : goesOn({ shown });
    case "SubagentStop":
      if (exit) return stopped(stderr);
      return outcome.decision === "block" ? stopped(outcome.reason, { shown }) : goesOn({ shown });
    default:
      return goesOn({ shown });
  }
}

/** An input that the tool's schema does not take is ignored; here everything but other values of the same keys. */
function isLike(original: unknown, changed: unknown): boolean {
  if (!isObject(original) || !isObject(changed)) return false;
  const kind = (value: unknown) => (Array.isArray(value) ? "list" : typeof value);
  const shape = (value: object) =>
    JSON.stringify(
      Object.entries(value)
        .map(([key, item]) => [key, kind(item)])
        .sort(),
    );
  return shape(original) === shape(changed);
}
