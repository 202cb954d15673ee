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
  part,
  stopped,
  TOOL_INPUT,
  text,
  together,
} from "./agent.ts";

/** Codex 0.166.0, as it was seen to behave: one thing that it does not know, and the whole answer is void. */
export const codex: Agent = { id: "codex", ...TOOL_INPUT, reads };

function reads(ended: Ended, { hookEvent, payload }: Handed): Does {
  const untouched = goesOn(hookEvent === "PreToolUse" ? { input: payload.tool_input } : {});
  const reading = READS[hookEvent];
  if (reading === undefined) return untouched;
  if (ended.exitCode === 2) return ended.stderr.trim() === "" ? untouched : blocked(hookEvent, ended.stderr);
  if (ended.exitCode !== 0) return untouched;
  const stdout = ended.stdout.trim();
  if (stdout === "") return hookEvent === "PermissionRequest" ? asks("") : untouched;
  if (!stdout.startsWith("{")) return reading.plain ? goesOn({ told: stdout }) : untouched;
  const outcome = objectIn(stdout);
  const output = part(outcome, "hookSpecificOutput");
  if (outcome === undefined || !isKnown(outcome, reading, hookEvent)) return untouched;
  const shown = text(outcome.systemMessage);
  const context = text(output.additionalContext);
  const blocks = outcome.decision === "block";

  switch (hookEvent) {
    case "PreToolUse": {
      if (outcome.continue === false || outcome.stopReason !== undefined || outcome.suppressOutput !== undefined)
        return untouched;
      if (blocks)
        return text(outcome.reason).trim() === "" ? untouched : stopped(together(outcome.reason, context), { shown });
      if (outcome.decision !== undefined) return untouched;
      const { permissionDecision: verdict, permissionDecisionReason: why, updatedInput: input } = output;
      if (verdict === "deny") return text(why).trim() === "" ? untouched : stopped(together(why, context), { shown });
      if (verdict === undefined)
        return input === undefined ? goesOn({ ...untouched, told: context, shown }) : untouched;
      if (verdict !== "allow" || input === undefined) return untouched;
      const needsText = typeof part(payload, "tool_input").command === "string";
      if (needsText && typeof Object(input).command !== "string") return untouched;
      return goesOn({ input, told: context, shown });
    }
    case "PermissionRequest": {
      const { behavior, message, ...others } = part(output, "decision");
      if (Object.keys(others).length > 0 || outcome.continue === false || outcome.suppressOutput !== undefined)
        return asks("");
      if (behavior === "deny") return stopped(message, { shown });
      return behavior === "allow" ? goesOn({ approved: true, shown }) : asks("", { shown });
    }
    case "PostToolUse":
      if (blocks && text(outcome.reason).trim() === "") return untouched;
      return goesOn({ told: context, objected: blocks, shown, ...(blocks ? { result: outcome.reason } : {}) });
    case "UserPromptSubmit":
      if (outcome.continue === false) return stopped("", { shown: together(outcome.stopReason, shown) });
      if (blocks)
        return text(outcome.reason).trim() === "" ? untouched : stopped("", { shown: together(outcome.reason, shown) });
      return goesOn({ told: context, shown });
    case "Stop":
    case "SubagentStop":
      return blocks && text(outcome.reason).trim() !== "" ? stopped(outcome.reason, { shown }) : goesOn({ shown });
    case "PreCompact":
      return outcome.continue === false
        ? stopped("", { shown: together(outcome.stopReason, shown) })
        : goesOn({ shown });
    default:
      return goesOn({ told: context, shown });
  }
}

function blocked(hookEvent: string, stderr: string): Does {
  switch (hookEvent) {
    case "PostToolUse":
      return goesOn({ result: stderr });
    case "UserPromptSubmit":
      return stopped("", { shown: stderr });
    case "PreToolUse":
    case "PermissionRequest":
    case "Stop":
    case "SubagentStop":
      return stopped(stderr);
    default:
      return goesOn();
  }
}

interface Reading {
  readonly keys: readonly string[];
  readonly specific?: readonly string[];
  /** Text that is no JSON is context. */
  readonly plain?: true;
}

function isKnown(outcome: Payload, { keys, specific }: Reading, hookEvent: string): boolean {
  const known = [...EVERYWHERE, ...keys, ...(specific === undefined ? [] : ["hookSpecificOutput"])];
  if (!Object.keys(outcome).every((key) => known.includes(key))) return false;
  const output = outcome.hookSpecificOutput;
  if (output === undefined) return true;
  if (!isObject(output) || output.hookEventName !== hookEvent) return false;
  const { permissionDecision: verdict } = output;
  return (
    Object.keys(output).every((key) => key === "hookEventName" || specific?.includes(key)) &&
    [undefined, "allow", "deny", "ask"].includes(verdict as string | undefined)
  );
}

const EVERYWHERE = ["continue", "stopReason", "suppressOutput", "systemMessage"];
const READS: Readonly<Record<string, Reading>> = {
  SessionStart: { keys: [], specific: ["additionalContext"], plain: true },
  SubagentStart: { keys: [], specific: ["additionalContext"], plain: true },
  UserPromptSubmit: { keys: ["decision", "reason"], specific: ["additionalContext"], plain: true },
  PreToolUse: {
    keys: ["decision", "reason"],
    specific: ["permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext"],
  },
  PermissionRequest: { keys: [], specific: ["decision"] },
  PostToolUse: { keys: ["decision", "reason"], specific: ["additionalContext", "updatedMCPToolOutput"] },
  Stop: { keys: ["decision", "reason"] },
  SubagentStop: { keys: ["decision", "reason"] },
  PreCompact: { keys: [] },
  PostCompact: { keys: [] },
  Interrupt: { keys: [] },
};
