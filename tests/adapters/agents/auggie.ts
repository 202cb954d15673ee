import {
  type Agent,
  type Does,
  type Ended,
  goesOn,
  type Handed,
  objectIn,
  part,
  stopped,
  TOOL_INPUT,
  text,
  together,
} from "./agent.ts";

/** Auggie 0.36.0, as its program reads. */
export const auggie: Agent = { id: "auggie", objectsWithAnyWords: true, ...TOOL_INPUT, reads };

function reads({ stdout, stderr, exitCode }: Ended, { hookEvent, payload }: Handed): Does {
  const outcome = exitCode === 0 ? (objectIn(stdout) ?? {}) : {};
  const specific = part(outcome, "hookSpecificOutput");
  const output = specific.hookEventName === hookEvent ? specific : {};
  const shown = text(outcome.systemMessage);
  const blocks = output.decision === "block";
  switch (hookEvent) {
    case "PreToolUse":
      if (exitCode === 2) return stopped(stderr, { shown });
      if (output.permissionDecision === "deny") return stopped(output.permissionDecisionReason, { shown });
      return goesOn({ input: output.updatedInput ?? payload.tool_input, shown });
    case "PostToolUse":
      return goesOn({ told: together(blocks ? output.reason : ""), objected: blocks, shown });
    case "Stop":
      return blocks ? stopped(output.reason, { shown }) : goesOn({ shown });
    case "SessionStart":
      return goesOn({ told: text(output.additionalContext), shown });
    default:
      return goesOn({ shown });
  }
}
