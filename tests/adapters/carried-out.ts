import type { Adapter, Moment } from "../../src/adapters/adapter.ts";
import { readCall } from "../../src/adapters/read-call.ts";
import type { HookEvent } from "../../src/event/event.ts";
import { answer, type Happened, type Printed } from "../../src/decide/answer.ts";
import type { Agent, Does } from "./agents/agent.ts";
import { agentNamed } from "./agents/index.ts";
import { decisionOf, type Saying } from "./decisions.ts";
import type { Sent } from "./payloads.ts";

/** One decision on its whole way: what was printed, and what the agent did with it. */
export interface Carried {
  readonly event: HookEvent;
  readonly moment: Moment;
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
  const call = { text: JSON.stringify(sent.payload), agent: adapter.id, moment: sent.moment };
  const read = readCall(call);
  if (read.kind !== "event") throw new Error(`${sent.name} is ${read.kind}`);
  const happened: Happened[] = [];
  const printed = await answer(call, {
    decide: async (event) => {
      if (saying instanceof Error) throw saying;
      return { decision: decisionOf(event, saying), told, root: "/home/dev/project" };
    },
    remember: (one) => {
      happened.push(one);
      return { id: "c0ffee" };
    },
  });
  const [first] = happened;
  const does = await agent.reads(printed, { moment: ownName(adapter, sent), payload: sent.payload });
  const again = JSON.stringify(agent.withInput(sent.payload, does.input));
  const after = does.input === undefined ? undefined : readCall({ ...call, text: again });
  return {
    event: read.event,
    moment: read.native.moment,
    agent,
    sent,
    printed,
    notes: first?.kind === "decided" ? first.notes : [],
    does,
    after: after?.kind === "event" ? after.event : undefined,
  };
}

/** The agent's own name of the moment, without what the adapter adds to tell moments apart. */
function ownName(adapter: Adapter, { payload, moment }: Sent): string {
  const { hook_event_name, agent_action_name, hookName, hook } = payload;
  const event = adapter.id === "amp" ? payload.event : undefined;
  const name = hook_event_name ?? agent_action_name ?? hookName ?? hook ?? event ?? moment ?? adapter.momentOf(payload);
  return String(name);
}
