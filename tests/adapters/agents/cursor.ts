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
  const said = lastObjectIn(stdout);
  const why = together(said?.user_message, said?.agent_message);
  const words = text(said?.additional_context);
  // Longer ones are dropped.
  const told = words.length > 10_000 ? "" : words;
  const isGate = verdicts !== undefined;
  if (exitCode === 2 && (isGate || hookEvent === "beforeSubmitPrompt")) return stopped(stdout || stderr);
  if (isGate && (exitCode !== 0 || said === undefined)) return stopped("the hook broke");
  if (isGate && said?.permission !== undefined && !verdicts.includes(text(said.permission)))
    return stopped("the answer is not in order");
  switch (hookEvent) {
    case "preToolUse":
      if (said?.permission === "deny") return stopped(why);
      return goesOn({ input: isObject(said?.updated_input) ? said.updated_input : payload.tool_input, told });
    case "beforeShellExecution":
    case "beforeMCPExecution":
      if (said?.permission === "deny") return stopped(why);
      return said?.permission === "ask" ? asks(why) : goesOn({ approved: said?.permission === "allow" });
    case "beforeReadFile":
    case "beforeTabFileRead":
      return said?.permission === "deny" ? stopped("", { shown: text(said.user_message) }) : goesOn();
    case "subagentStart":
      if (said?.permission === "deny") return stopped("", { shown: text(said.user_message) });
      return said?.permission === "ask" ? asks(said.user_message) : goesOn();
    case "beforeSubmitPrompt":
      return said?.continue === false ? stopped("", { shown: text(said.user_message) }) : goesOn({ told });
    case "stop":
    case "subagentStop":
      return text(said?.followup_message) === "" ? goesOn() : stopped(said?.followup_message);
    case "sessionStart":
    case "postToolUse":
    case "postToolUseFailure":
      return goesOn({ told });
    case "preCompact":
      return goesOn({ shown: text(said?.user_message) });
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
