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
  text,
  together,
} from "./agent.ts";

/** Gemini CLI 0.61.0, as it was seen to behave. */
export const geminiCli: Agent = {
  id: "gemini-cli",
  inputOf: (payload) => payload.llm_request ?? payload.tool_input,
  withInput: (payload, input) =>
    payload.llm_request === undefined ? { ...payload, tool_input: input } : { ...payload, llm_request: input },
  reads,
};

function reads(ended: Ended, { hookEvent, payload }: Handed): Does {
  const outcome = answerIn(ended);
  const output = part(outcome, "hookSpecificOutput");
  const shown = text(outcome.systemMessage);
  const context = text(output.additionalContext);
  const denies = outcome.decision === "deny" || outcome.decision === "block";
  const why = text(outcome.reason);
  if (outcome.continue === false && hookEvent.startsWith("Before"))
    return stopped("", { shown: text(outcome.stopReason) });
  switch (hookEvent) {
    case "BeforeTool": {
      const input = output.tool_input ?? payload.tool_input;
      if (denies) return stopped(why, { shown });
      return outcome.decision === "ask" ? asks(why, { input }) : goesOn({ input, shown });
    }
    case "AfterTool":
      return goesOn({ told: context, objected: denies, shown, ...(denies ? { result: why } : {}) });
    case "BeforeAgent":
      return denies ? stopped("", { shown: together(why, shown) }) : goesOn({ told: context, shown });
    case "AfterAgent":
      return denies && why !== "" ? stopped(why, { shown }) : goesOn({ shown });
    case "BeforeModel":
      if (denies) return stopped("", { shown: together(why, shown) });
      return goesOn({ input: output.llm_request ?? payload.llm_request, shown });
    case "AfterModel":
      return goesOn({ shown, ...(output.llm_response === undefined ? {} : { result: output.llm_response }) });
    case "SessionStart":
      return goesOn({ told: context, shown });
    default:
      return goesOn({ shown });
  }
}

/** JSON counts at any exit code, on standard error too when there is nothing else; of other text the exit code tells. */
function answerIn({ stdout, stderr, exitCode }: Ended) {
  const words = stdout.trim() || stderr.trim();
  const outcome = objectIn(words);
  if (outcome !== undefined) return outcome;
  if (exitCode === 0 || exitCode === 1 || words === "") return { systemMessage: words };
  return { decision: "deny", reason: words };
}
