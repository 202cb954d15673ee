import type { Adapter } from "../../adapters/adapter.ts";
import { fitDecision } from "../../adapters/fit.ts";
import type { SentCall } from "../../decide/sent-calls.ts";
import type { Decision } from "../../decision/decision.ts";
import { type Action, STRICTNESS } from "../../decision/result.ts";
import type { Io } from "../io.ts";
import { paintFor } from "./terminal-text.ts";

/** A call with the decision about it. */
interface DecidedCall extends SentCall {
  readonly decision: Decision;
}

/** What was decided about the call of each agent, for `--json`. Empty for an event that is not from an agent. */
export function agentVerdicts(calls: readonly DecidedCall[]): { readonly agents?: readonly object[] } {
  const agents = calls.flatMap(({ agents: senders, event, decision }) =>
    senders.map((adapter) => ({
      agent: adapter.id,
      tool: event.toolName,
      action: decision.action,
      told: toldTo(adapter, decision),
      reasons: decision.reasons,
    })),
  );
  return agents.length === 0 ? {} : { agents };
}

/** One line with the action for each agent, if the agents' calls are not decided alike. */
export function agentsDiffer(calls: readonly DecidedCall[], io: Io): string[] {
  if (new Set(calls.map(({ decision }) => decision.action)).size < 2) return [];
  const byStrictness = [...calls].sort(
    (one, other) => STRICTNESS[other.decision.action] - STRICTNESS[one.decision.action],
  );
  const parts = byStrictness.map(
    ({ agents, decision }) => `${decision.action} for ${agents.map(({ title }) => title).join(", ")}`,
  );
  return ["", paintFor(io).warn(`Agents differ: ${parts.join("; ")}.`)];
}

/** What an agent can carry out of a decision about its shell call: some can only deny where others ask. */
function toldTo({ canary, hookEvents, title }: Adapter, decision: Decision): Action {
  const own = canary && hookEvents[canary.hookEvent];
  const payload = canary?.payload("", decision.event.cwd ?? "") ?? {};
  return own === undefined ? decision.action : fitDecision(decision, own, title, payload).outcome.action;
}
