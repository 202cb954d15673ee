import { aggregate, joined } from "../../decision/aggregate.ts";
import type { Decision } from "../../decision/decision.ts";
import { withModifiable } from "../../decision/modification.ts";
import { type HookResult, STRICTNESS } from "../../decision/result.ts";
import { milliseconds } from "../../event/clock.ts";
import type { HookEvent } from "../../event/event.ts";
import type { StateHome } from "../../fs/state-dir.ts";
import { Hook } from "../../hook/hook.ts";
import { errorText, Problem } from "../../problem/problem.ts";
import { bindSession } from "./binding.ts";
import { gate, type IntentVerdict } from "./gate.ts";
import { intentCall, selectedId } from "./handshake.ts";
import { selectForSession } from "./select-for-session.ts";

/** Under which rules intents are checked. */
export interface Governed extends StateHome {
  readonly root: string;
  readonly mode: "off" | "advise" | "enforce";
  readonly onUnknown: "allow" | "ask" | "deny";
  /** A person can be asked. */
  readonly canAsk: boolean;
}

/** Adds to what hooks said what intents have to say about the same call; a session that selects an intent is bound to it. */
export function withIntents(decision: Decision, governed: Governed): Decision {
  const { event, input } = decision;
  if (event.type !== "tool:pre_execute") return decision;
  const call = input === undefined ? event : withModifiable(event, input);
  const began = milliseconds();
  const verdict = gate(call, { ...governed, approved: decision.approved });
  const isSelection = verdict.kind === "selects";
  if (verdict.kind === "passes" || (governed.mode === "off" && !isSelection)) return decision;
  const add = (spoken: Spoken) => {
    const result = resultOf(spoken, governed.mode, milliseconds() - began);
    return joined(decision, aggregate({ event, results: [result] }));
  };
  const whole = add(verdict);
  if (!isSelection || STRICTNESS[whole.action] >= STRICTNESS.ask) return whole;
  const why = unbound(event, verdict.intent.id, governed);
  return why === undefined ? whole : add({ kind: "refuses", code: "HOOK_ERROR", reason: why });
}

/** Binds the session of a call that was asked about and is approved, where it selects an intent; throws when it cannot be. */
export function bindApproved({ event, input }: Decision, root: string, where: StateHome = {}): void {
  const call = intentCall(input === undefined ? event : withModifiable(event, input));
  if (call?.tool === "select_active_intent") selectForSession(root, event, selectedId(call), where);
}

function unbound(event: HookEvent, intentId: string, governed: Governed): string | undefined {
  try {
    bindSession(governed.root, event, intentId, governed);
    return undefined;
  } catch (error) {
    const fix = error instanceof Problem && error.fix !== undefined ? ` ${error.fix}` : "";
    return `HOOK_ERROR: the session could not be bound to ${intentId}: ${errorText(error)}${fix}`;
  }
}

type Spoken = Exclude<IntentVerdict, { readonly kind: "passes" }>;

/** Intents give a result like a hook's, so that traces and people see it beside the others. */
function resultOf(verdict: Spoken, mode: Governed["mode"], durationMs: number): HookResult {
  const ran = { success: true, timedOut: false, exitCode: 0, stdout: "", stderr: "", durationMs };
  const about = { hook: HOOK, ...ran, duration: durationMs / 1000 };
  switch (verdict.kind) {
    case "selects":
      return { ...about, action: "continue", shouldContinue: true, context: verdict.context };
    case "asks":
    case "refuses": {
      const { code, reason } = verdict;
      const action = verdict.kind === "asks" ? "ask" : "deny";
      if (mode !== "enforce")
        return {
          ...about,
          action: "continue",
          shouldContinue: true,
          wouldBe: action,
          reason,
          context: `${ADVICE}${reason}`,
        };
      return { ...about, action, shouldContinue: action !== "deny", reason, code };
    }
  }
}

const ADVICE = "Intents are only advised here. This would have been stopped: ";
const HOOK = Hook.fromJSON(
  { name: "intents", event: "tool:pre_execute", type: "inline", rules: "tool exists -> continue()" },
  { layer: "managed", place: { file: "built in" }, index: 0 },
);
