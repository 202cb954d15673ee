import {
  type Agent,
  type Does,
  type Ended,
  goesOn,
  type Handed,
  isObject,
  objectIn,
  part,
  stopped,
  text,
  together,
} from "./agent.ts";

/** Factory Droid 0.225.2, as its program reads. */
export const droid: Agent = {
  id: "droid",
  inputOf: (payload) => payload.tool_input ?? payload.prompt,
  withInput: (payload, input) =>
    payload.tool_input === undefined ? { ...payload, prompt: input } : { ...payload, tool_input: input },
  reads,
};

function reads({ stdout, stderr, exitCode }: Ended, { hookEvent, payload }: Handed): Does {
  const outcome = exitCode === 0 ? (objectIn(stdout) ?? {}) : {};
  const output = part(outcome, "hookSpecificOutput");
  const shown = text(outcome.systemMessage);
  const context = text(output.additionalContext);
  const exit = exitCode === 2 || exitCode === 3;
  switch (hookEvent) {
    case "PreToolUse": {
      const { permissionDecision: verdict, permissionDecisionReason: why, updatedInput } = output;
      if (exit) return stopped(stderr, { shown });
      if (verdict === "deny") return stopped(why, { shown });
      // A changed input is laid over the old one, key by key; `ask` is written into a log.
      const input = isObject(updatedInput) ? { ...Object(payload.tool_input), ...updatedInput } : payload.tool_input;
      return goesOn({ input, shown, approved: verdict === "allow" });
    }
    case "UserPromptSubmit": {
      const { prompt } = part(output, "updatedInput");
      if (exit) return stopped("", { shown: together(stderr, shown) });
      return goesOn({ input: prompt ?? payload.prompt, told: context, shown });
    }
    case "Stop":
    case "SubagentStop":
      return exit ? stopped(stderr, { shown }) : goesOn({ shown });
    case "PostToolUse":
      // The manual knows the verdict; the program was seen to read the context.
      return goesOn({ told: context, objected: outcome.decision === "block", shown });
    case "SessionStart":
      return goesOn({ told: context, shown });
    default:
      return goesOn({ shown });
  }
}
