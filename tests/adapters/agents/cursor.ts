import type { Payload } from "../../../src/adapters/payload.ts";
import {
  type Agent,
  asks,
  type Does,
  type Ended,
  goesOn,
  type Handed,
  isObject,
  objectIn,
  stopped,
  TOOL_INPUT,
  text,
  together,
} from "./agent.ts";

/** Cursor's own package of hooks, 1.0.32, as it reads; its gates are installed so that they shut when a hook breaks. */
export const cursor: Agent = { id: "cursor", ...TOOL_INPUT, reads };

function reads({ stdout, stderr, exitCode }: Ended, { hookEvent, payload }: Handed): Does {
  const verdicts = VERDICTS[hookEvent];
  const outcome = lastObjectIn(stdout);
  const why = together(outcome?.user_message, outcome?.agent_message);
  const words = text(outcome?.additional_context);
  // Longer ones are dropped.
  const told = words.length > 10_000 ? "" : words;
  const isGate = verdicts !== undefined;
  if (exitCode === 2 && (isGate || hookEvent === "beforeSubmitPrompt")) return stopped(stdout || stderr);
  if (isGate && (exitCode !== 0 || outcome === undefined)) return stopped("the hook broke");
  if (isGate && outcome?.permission !== undefined && !verdicts.includes(text(outcome.permission)))
    return stopped("the answer is not in order");
  switch (hookEvent) {
    case "preToolUse":
      if (outcome?.permission === "deny") return stopped(why);
      return goesOn({ input: isObject(outcome?.updated_input) ? outcome.updated_input : payload.tool_input, told });
    case "beforeShellExecution":
    case "beforeMCPExecution":
      if (outcome?.permission === "deny") return stopped(why);
      return outcome?.permission === "ask" ? asks(why) : goesOn({ approved: outcome?.permission === "allow" });
    case "beforeReadFile":
    case "beforeTabFileRead":
      return outcome?.permission === "deny" ? stopped("", { shown: text(outcome.user_message) }) : goesOn();
    case "subagentStart":
      if (outcome?.permission === "deny") return stopped("", { shown: text(outcome.user_message) });
      return outcome?.permission === "ask" ? asks(outcome.user_message) : goesOn();
    case "beforeSubmitPrompt":
      return outcome?.continue === false ? stopped("", { shown: text(outcome.user_message) }) : goesOn({ told });
    case "stop":
    case "subagentStop":
      return text(outcome?.followup_message) === "" ? goesOn() : stopped(outcome?.followup_message);
    case "sessionStart":
    case "postToolUse":
    case "postToolUseFailure":
      return goesOn({ told });
    case "preCompact":
      return goesOn({ shown: text(outcome?.user_message) });
    default:
      return goesOn();
  }
}

/** There may be noise before it. */
function lastObjectIn(stdout: string): Payload | undefined {
  const whole = objectIn(stdout);
  if (whole !== undefined) return whole;
  const lines = stdout.trim().split("\n");
  return objectIn(lines.at(-1) ?? "");
}

const VERDICTS: Readonly<Record<string, readonly string[]>> = {
  preToolUse: ["allow", "deny", "ask"],
  beforeShellExecution: ["allow", "deny", "ask"],
  beforeMCPExecution: ["allow", "deny", "ask"],
  beforeReadFile: ["allow", "deny"],
  beforeTabFileRead: ["allow", "deny"],
  subagentStart: ["allow", "deny", "ask"],
};
