import {
  type Agent,
  asks,
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

/** Qwen Code 0.15.10, as it was seen to behave; what it was not seen to do is as its manual says. */
export const qwenCode: Agent = { id: "qwen-code", ...TOOL_INPUT, reads };

function reads(ended: Ended, { hookEvent, payload }: Handed): Does {
  const outcome = answerIn(ended);
  const output = part(outcome, "hookSpecificOutput");
  const shown = text(outcome.systemMessage);
  const context = text(output.additionalContext);
  const denies = ["block", "deny"].includes(text(outcome.decision)) || outcome.continue === false;
  const why = text(outcome.reason) || text(outcome.stopReason);
  const plain = ended.exitCode !== 0 || ended.stdout.trimStart().startsWith("{") ? "" : ended.stdout;
  switch (hookEvent) {
    case "PreToolUse": {
      const { permissionDecision: verdict, permissionDecisionReason: reason } = output;
      // A changed input is not looked at, and words for the model are dropped.
      const input = payload.tool_input;
      if (denies || verdict === "deny") return stopped(together(reason, why), { shown });
      if (verdict === "ask") return asks(reason, { input });
      return goesOn({ input, shown, approved: verdict === "allow" });
    }
    case "PermissionRequest": {
      const { behavior, message } = part(output, "decision");
      if (behavior === "deny" || denies) return stopped(together(message, why), { shown });
      return behavior === "allow" ? goesOn({ approved: true, shown }) : asks("", { shown });
    }
    case "UserPromptSubmit":
    case "UserPromptExpansion":
      return denies ? stopped("", { shown: together(why, shown) }) : goesOn({ told: together(context, plain), shown });
    case "SessionStart":
      return goesOn({ told: together(context, plain), shown });
    case "PostToolUse":
      // The manual knows the verdict; the version that was watched reads the context alone.
      return goesOn({ told: context, objected: denies, shown });
    case "PostToolUseFailure":
      return goesOn({ told: context, shown });
    case "PostToolBatch":
      return denies ? stopped("", { shown: together(why, shown) }) : goesOn({ told: context, shown });
    case "Stop":
    case "SubagentStop":
    case "TodoCreated":
    case "TodoCompleted":
      return denies && why !== "" ? stopped(why, { shown }) : goesOn({ shown });
    default:
      return goesOn({ shown });
  }
}

/** Exit code 2 counts by its words on standard error, and only if there are any. */
function answerIn({ stdout, stderr, exitCode }: Ended) {
  if (exitCode === 2) {
    const words = stderr.trim();
    return words === "" ? {} : (objectIn(words) ?? { decision: "deny", reason: words });
  }
  return exitCode === 0 ? (objectIn(stdout) ?? {}) : {};
}
