import type { Decision } from "../../src/decision/decision.ts";

/** What a front made of a call. */
export interface Verdict {
  readonly action: "deny" | "ask" | "continue" | "modify";
  readonly reason: string;
  readonly input?: unknown;
}

/** What Claude Code is told, as a verdict. */
export function ofClaude(text: string): Verdict {
  const { hookSpecificOutput = {} } = JSON.parse(text || "{}") as { hookSpecificOutput?: Record<string, unknown> };
  const { permissionDecision, permissionDecisionReason = "", updatedInput } = hookSpecificOutput;
  const action = permissionDecision ?? (updatedInput === undefined ? "continue" : "modify");
  return verdict(action as Verdict["action"], [String(permissionDecisionReason)], updatedInput);
}

export function ofDecision({ action, reasons, input }: Decision): Verdict {
  return verdict(action, reasons, input);
}

export function verdict(action: Verdict["action"], reasons: readonly string[], input?: unknown): Verdict {
  return { action, reason: reasons.join("; "), ...(input === undefined ? {} : { input }) };
}
