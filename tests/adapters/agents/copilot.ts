import type { Payload } from "../../../src/adapters/payload.ts";
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

/** Copilot CLI 1.0.102, as its manual says and as far as it was seen. */
export const copilot: Agent = {
  id: "copilot",
  inputOf: (payload) => payload[keyOf(payload)],
  withInput: (payload, input) => ({ ...payload, [keyOf(payload)]: input }),
  reads,
};

function reads({ stdout, stderr, exitCode }: Ended, { hookEvent, payload }: Handed): Does {
  const lines = stdout.split("\n").filter((line) => objectIn(line)?.type !== "progress");
  const outcome = exitCode === 0 ? (objectIn(lines.join("\n")) ?? {}) : {};
  const context = text(outcome.additionalContext);
  switch (`${hookEvent.charAt(0).toLowerCase()}${hookEvent.slice(1)}`) {
    case "preToolUse": {
      const { permissionDecision: verdict, permissionDecisionReason: why, modifiedArgs } = outcome;
      const input = modifiedArgs ?? payload[keyOf(payload)];
      if (exitCode !== 0) return stopped(`hook exited with code ${exitCode}`);
      if (verdict === "deny") return stopped(why);
      return verdict === "ask" ? asks(why, { input }) : goesOn({ input, approved: verdict === "allow" });
    }
    case "permissionRequest":
      if (exitCode === 2) return stopped("");
      if (outcome.behavior === "deny") return stopped(outcome.message);
      return outcome.behavior === "allow" ? goesOn({ approved: true }) : asks("");
    case "postToolUse": {
      const { textResultForLlm: result } = part(outcome, "modifiedResult");
      // More than ten kilobytes are not taken.
      const told = Buffer.byteLength(context) > 10 * 1024 ? "" : context;
      return goesOn({ told, ...(result === undefined ? {} : { result }) });
    }
    case "postToolUseFailure":
      return goesOn({ told: together(context, exitCode === 2 ? stderr : "") });
    case "agentStop":
    case "stop":
    case "subagentStop":
      return outcome.decision === "block" ? stopped(outcome.reason) : goesOn();
    case "sessionStart":
    case "subagentStart":
    case "notification":
      return goesOn({ told: context });
    default:
      return goesOn();
  }
}

function keyOf(payload: Payload): string {
  return ["toolArgs", "toolInput", "tool_input"].find((key) => payload[key] !== undefined) ?? "toolArgs";
}
