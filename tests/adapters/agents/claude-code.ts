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

/** Claude Code 2.1.325, as it was seen to behave. */
export const claudeCode: Agent = { id: "claude-code", ...TOOL_INPUT, reads };

function reads(ended: Ended, handed: Handed): Does {
  const { hookEvent, payload } = handed;
  const outcome = answerIn(ended.stdout, hookEvent);
  const output = part(outcome, "hookSpecificOutput");
  const shown = text(outcome?.systemMessage);
  const context = text(output.additionalContext);
  // Text that is no JSON is context at a few hook events and nothing elsewhere.
  const plain = ended.stdout.trimStart().startsWith("{") ? "" : ended.stdout;
  const blocks = outcome?.decision === "block" ? text(outcome.reason) : undefined;
  const exit = ended.exitCode === 2 ? ended.stderr || "No stderr output" : undefined;
  const input = output.updatedInput ?? payload.tool_input;

  switch (hookEvent) {
    case "PreToolUse": {
      const verdict = output.permissionDecision ?? { approve: "allow", block: "deny" }[text(outcome?.decision)];
      const why = text(output.permissionDecisionReason) || text(outcome?.reason);
      if (verdict === "deny") return stopped(together(why, context), { shown });
      if (exit !== undefined) return stopped(exit, { shown });
      if (verdict === "ask") return asks(why, { input, told: context });
      return goesOn({ input, told: context, shown, approved: verdict === "allow" });
    }
    case "PermissionRequest": {
      const { behavior, message, updatedInput } = part(output, "decision");
      if (behavior === "deny") return stopped(message, { shown });
      if (exit !== undefined) return stopped("", { shown });
      if (behavior === "allow") return goesOn({ approved: true, input: updatedInput ?? payload.tool_input, shown });
      return asks("", { input: payload.tool_input, shown });
    }
    case "PostToolUse": {
      const { updatedToolOutput: result } = output;
      const fits =
        isObject(result) === isObject(payload.tool_response) && typeof result === typeof payload.tool_response;
      const objected = blocks !== undefined || exit !== undefined;
      return goesOn({ told: together(exit, blocks, context), objected, shown, ...(fits ? { result } : {}) });
    }
    case "PostToolUseFailure":
      return goesOn({ told: together(exit, blocks, context), shown });
    case "PostToolBatch":
      return exit === undefined ? goesOn({ told: context, shown }) : stopped("", { shown: together(exit, shown) });
    case "UserPromptSubmit":
    case "UserPromptExpansion":
      if (blocks !== undefined || exit !== undefined) return stopped("", { shown: together(blocks, exit, shown) });
      if (outcome?.continue === false) return stopped("", { shown: text(outcome.stopReason) });
      return goesOn({ told: together(context, plain), shown });
    case "SessionStart":
    case "PostModelSwitch":
      return goesOn({ told: together(context, plain), shown: together(shown, exit) });
    case "Setup":
    case "SubagentStart":
    case "Notification":
      return goesOn({ told: context, shown: together(shown, exit) });
    case "Stop":
    case "SubagentStop": {
      // Whatever the model gets to read here makes it go on working.
      const told = together(blocks, exit, context);
      return blocks !== undefined || told !== "" ? stopped(told, { shown }) : goesOn({ shown });
    }
    case "PreModelSwitch": {
      const why = text(output.permissionDecisionReason);
      if (output.permissionDecision === "deny" || exit !== undefined)
        return stopped("", { shown: together(why, exit) });
      return output.permissionDecision === "ask" ? asks(why) : goesOn({ shown });
    }
    case "Elicitation":
    case "ElicitationResult":
      return output.action === "decline" || exit !== undefined
        ? stopped("", { shown: together(shown, exit) })
        : goesOn({ shown });
    case "TeammateIdle":
    case "TaskCreated":
    case "TaskCompleted":
      return exit === undefined ? goesOn({ shown }) : stopped(exit, { shown });
    case "PreCompact":
      return exit === undefined ? goesOn({ told: plain, shown }) : stopped("", { shown: exit });
    case "ConfigChange":
      return exit === undefined ? goesOn({ shown }) : stopped("", { shown: exit });
    case "WorktreeCreate":
      return ended.exitCode === 0 ? goesOn({ shown }) : stopped("", { shown: ended.stderr });
    default:
      return goesOn({ shown });
  }
}

/** An answer that is not in order is dropped as a whole. */
function answerIn(stdout: string, hookEvent: string) {
  const outcome = objectIn(stdout);
  if (outcome === undefined) return undefined;
  if (outcome.decision !== undefined && outcome.decision !== "approve" && outcome.decision !== "block")
    return undefined;
  if (outcome.hookSpecificOutput === undefined) return outcome;
  const { hookEventName, permissionDecision } = part(outcome, "hookSpecificOutput");
  if (hookEventName !== hookEvent) return undefined;
  const verdicts = [undefined, "allow", "deny", "ask", "defer"];
  return verdicts.includes(permissionDecision as string | undefined) ? outcome : undefined;
}
