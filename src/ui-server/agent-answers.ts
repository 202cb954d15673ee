import type { Adapter, AgentHookEvent, Reply } from "../adapters/adapter.ts";
import { fitDecision } from "../adapters/fit.ts";
import { ADAPTERS } from "../adapters/index.ts";
import type { Payload } from "../adapters/payload.ts";
import type { Decision } from "../decision/decision.ts";
import type { Trial } from "./read-trial.ts";
import type { TriedAnswer } from "./wire.ts";

/** What each agent would be told about a decision, in its own words. */
export function agentAnswers(decision: Decision, trial: Trial, cwd: string): TriedAnswer[] {
  return ADAPTERS.map((adapter) => answerOf(adapter, decision, trial, cwd)).sort((one, other) =>
    one.title.localeCompare(other.title),
  );
}

function answerOf(adapter: Adapter, decision: Decision, trial: Trial, cwd: string): TriedAnswer {
  const { id: agent, title } = adapter;
  const call = callOf(adapter, decision, trial, cwd);
  if (call === undefined) return { agent, title, notes: [`${title} tells nothing about ${decision.event.type}.`] };
  const { said, notes } = fitDecision(decision, call.hookEvent, title, call.payload);
  const reply = replyOf(call, said);
  return {
    agent,
    title,
    hookEvent: call.name,
    action: said.action,
    ...(reply !== undefined && printed(reply)),
    notes: reply === undefined ? [...notes, "Its answer repeats its own payload: paste one to see it."] : notes,
  };
}

/** One call as an agent makes it. */
interface AgentSide {
  readonly name: string;
  readonly hookEvent: AgentHookEvent;
  readonly payload: Payload;
}

/** The agent's own payload where one was pasted, else the shell call that it would report. */
function callOf(adapter: Adapter, { event }: Decision, { native }: Trial, cwd: string): AgentSide | undefined {
  if (native?.adapter.id === adapter.id) return native;
  const { canary, hookEvents } = adapter;
  const { command } = Object(event.data.tool_args) as { readonly command?: unknown };
  const own = canary && hookEvents[canary.hookEvent];
  if (canary !== undefined && own?.as === event.type && typeof command === "string")
    return { name: canary.hookEvent, hookEvent: own, payload: canary.payload(command, cwd) };
  const found = Object.entries(hookEvents).find(([, { as }]) => as === event.type);
  return found && { name: found[0], hookEvent: found[1], payload: {} };
}

/** An answer that repeats parts of a payload cannot be made without one. */
function replyOf({ hookEvent, payload }: AgentSide, said: Parameters<AgentHookEvent["encode"]>[0]): Reply | undefined {
  try {
    return hookEvent.encode(said, payload);
  } catch {
    return undefined;
  }
}

function printed({
  stdout = "",
  stderr = "",
  exitCode = 0,
}: Reply): Pick<TriedAnswer, "stdout" | "stderr" | "exitCode"> {
  return { stdout: typeof stdout === "string" ? stdout : JSON.stringify(stdout), stderr, exitCode };
}
