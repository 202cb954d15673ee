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

/** Grok 1.0.41, as it was seen to behave; what it was not seen to do is as the manual in its program says. */
export const grok: Agent = {
  id: "grok",
  inputOf: TOOL_INPUT.inputOf,
  // Every field comes in two spellings.
  withInput: (payload, input) => ({ ...payload, tool_input: input, toolInput: input }),
  reads,
};

function reads({ stdout, stderr, exitCode }: Ended, { hookEvent, payload }: Handed): Does {
  const outcome = objectIn(stdout) ?? {};
  const output = part(outcome, "hookSpecificOutput");
  const context = exitCode === 0 ? text(output.additionalContext) : "";
  const blocks = ["block", "deny"].includes(text(outcome.decision));
  switch (hookEvent) {
    case "PreToolUse": {
      const verdict = output.permissionDecision ?? outcome.decision;
      const why = text(output.permissionDecisionReason) || text(outcome.reason);
      const input = exitCode === 0 && isObject(output.updatedInput) ? output.updatedInput : payload.tool_input;
      // A denial drops the message for the model.
      if (verdict === "deny" || verdict === "block") return stopped(why);
      if (exitCode === 2) return stopped(stderr.split("\n")[0] ?? "");
      // The agent was started so that it approves by itself.
      return verdict === "ask" ? asks(why, { input, told: context }) : goesOn({ input, told: context });
    }
    case "UserPromptSubmit":
      return blocks || exitCode === 2 ? stopped("", { shown: text(outcome.reason) || stderr }) : goesOn({});
    case "Stop":
    case "SubagentStop":
      return blocks || exitCode === 2 ? stopped(text(outcome.reason) || stderr) : goesOn({});
    case "PostToolUse":
      return goesOn({ told: together(text(outcome.reason), context), objected: outcome.decision === "block" });
    case "PostToolUseFailure":
      return goesOn({ told: context });
    default:
      return goesOn({});
  }
}
