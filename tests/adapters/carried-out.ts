import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Adapter, AgentHookEvent } from "../../src/adapters/adapter.ts";
import { type Fitted, fitDecision } from "../../src/adapters/fit.ts";
import { readCall } from "../../src/adapters/read-call.ts";
import { answer, type DecideCall, type Printed } from "../../src/decide/answer.ts";
import type { HookEvent } from "../../src/event/event.ts";
import type { Agent, Does, Handed } from "./agents/agent.ts";
import { agentNamed } from "./agents/index.ts";
import { decisionOf, type Saying } from "./decisions.ts";
import type { Sent } from "./payloads.ts";

/** A process that brings calls, and keeps what it records in a folder of its own. */
export const CALLER = {
  cwd: tmpdir(),
  env: { XDG_STATE_HOME: mkdtempSync(join(tmpdir(), "sluice-carried-")) },
};

/** Decides as hooks that say this would. */
export function sayingOnly(outcome: Saying): DecideCall {
  return async (event) => ({ decision: decisionOf(event, outcome), told: [], record: { id: "c0ffee" } });
}

/** One decision on its whole way: what was printed, and what the agent did with it. */
export interface Carried {
  readonly event: HookEvent;
  readonly hookEvent: AgentHookEvent;
  readonly agent: Agent;
  readonly sent: Sent;
  readonly printed: Printed;
  readonly notes: readonly string[];
  readonly does: Does;
  /** The event that the agent would report about the input which it goes on with. */
  readonly after: HookEvent | undefined;
}

/** Lets hooks say this about a payload, prints it as the command does, and hands it to a model of the agent. */
export async function carriedOut(
  adapter: Adapter,
  sent: Sent,
  saying: Saying | Error,
  { told = [], agent = agentNamed(adapter.id) }: { told?: readonly string[]; agent?: Agent } = {},
): Promise<Carried> {
  const call = { text: JSON.stringify(sent.payload), agent: adapter.id, hookEvent: sent.hookEvent };
  const read = readCall(call);
  if (read.kind !== "event") throw new Error(`${sent.name} is ${read.kind}`);
  let fitted: Fitted | undefined;
  const printed = await answer(call, CALLER, async (event, { hookEvent, payload }) => {
    if (saying instanceof Error) throw saying;
    const decision = decisionOf(event, saying);
    fitted = fitDecision(decision, hookEvent, adapter.title, payload);
    return { decision, told, fitted, record: { id: "c0ffee" } };
  });
  const does = await done(agent, printed, { hookEvent: ownName(adapter, sent), payload: sent.payload });
  const again = JSON.stringify(agent.withInput(sent.payload, does.input));
  const after = does.input === undefined ? undefined : readCall({ ...call, text: again });
  return {
    event: read.event,
    hookEvent: read.native.hookEvent,
    agent,
    sent,
    printed,
    notes: fitted?.notes ?? [],
    does,
    after: after?.kind === "event" ? after.event : undefined,
  };
}

/** What the agent does with what was printed about a call. */
export function does(adapter: Adapter, sent: Sent, printed: Printed): Promise<Does> {
  return done(agentNamed(adapter.id), printed, { hookEvent: ownName(adapter, sent), payload: sent.payload });
}

/** What an agent does with an answer. Many decisions print the same, and some agents start a process to read it: once is enough. */
function done(agent: Agent, printed: Printed, handed: Handed): Promise<Does> {
  // What is very long is printed once, and makes a key that takes longer than an answer.
  if (printed.stdout.length + printed.stderr.length > LONG) return Promise.resolve(agent.reads(printed, handed));
  const key = JSON.stringify([agent.id, printed, handed]);
  const known = DONE.get(key) ?? Promise.resolve(agent.reads(printed, handed));
  DONE.set(key, known);
  return known;
}

const DONE = new Map<string, Promise<Does>>();
const LONG = 100_000;

/** The agent's own name of the hook event, without what the adapter adds to tell hook events apart. */
function ownName(adapter: Adapter, { payload, hookEvent }: Sent): string {
  const { hook_event_name, agent_action_name, hookName, hook } = payload;
  const event = adapter.id === "amp" ? payload.event : undefined;
  const name =
    hook_event_name ?? agent_action_name ?? hookName ?? hook ?? event ?? hookEvent ?? adapter.hookEventOf(payload);
  return String(name);
}
