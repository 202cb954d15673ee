import type { Adapter } from "../adapters/adapter.ts";
import { ADAPTERS, adapterNamed } from "../adapters/index.ts";
import { type Action, STRICTNESS } from "../decision/result.ts";
import type { EventName } from "../event/catalogue.ts";
import { HookEvent } from "../event/event.ts";
import { homeDir } from "../fs/home-dir.ts";
import type { Hook } from "../hook/hook.ts";
import { isPureKind } from "../hook/schema.ts";
import { installedAgents } from "../install/targets.ts";
import { isGuardHook } from "../policies/guards/guard-hooks.ts";
import type { ProcessEnvironment } from "./project.ts";

/** One call that a bare command line can mean, with the agents that send it like this. */
export interface SentCall {
  readonly agents: readonly Adapter[];
  readonly event: HookEvent;
}

/** A bare command line as agents send it. */
export interface SentCalls {
  readonly calls: readonly SentCall[];
  /** Whether Sluice is installed for these agents here. If it is installed for none, they are all that Sluice knows. */
  readonly isInstalled: boolean;
}

/** Where installed agents are looked for, and where the command line would run. */
export interface SentFrom {
  readonly root: string;
  readonly env: ProcessEnvironment;
  readonly cwd: string;
  readonly sessionId?: string | undefined;
  /** The one agent that is meant, by its id. */
  readonly agent?: string | undefined;
  /** The event; `tool:pre_execute` if left out. */
  readonly type?: EventName | undefined;
}

/**
 * The calls that a bare command line means: one for each installed agent, in that agent's own format. If Sluice is not installed
 * for any agent here, the calls of all known agents.
 */
export function sentCalls(command: string, from: SentFrom): SentCalls {
  const { root, env, agent } = from;
  const named = agent === undefined ? undefined : adapterNamed(agent);
  const installed = named ? [named] : installedAgents({ home: homeDir(env), root });
  const able = installed.filter(({ canary }) => canary !== undefined);
  const calls = (able.length > 0 ? able : ADAPTERS).flatMap((adapter) => {
    const event = shellCall(adapter, command, from);
    return event === undefined ? [] : [{ agents: [adapter], event }];
  });
  return { calls, isInstalled: able.length > 0 };
}

/** A shell call as an agent sends it. Ids and modes of a running session are unknown here and left out. */
function shellCall({ id, canary, hookEvents }: Adapter, command: string, from: SentFrom): HookEvent | undefined {
  const { cwd, sessionId, type = "tool:pre_execute" } = from;
  const own = canary && hookEvents[canary.hookEvent];
  if (canary === undefined || own === undefined) return undefined;
  const { toolName, data } = own.decode(canary.payload(command, cwd));
  return new HookEvent({ type, agent: id, toolName, data: { tool_args: data.tool_args }, cwd, sessionId });
}

/**
 * Merges calls about which these hooks cannot decide differently. Hooks that start programs run once for each set of hooks that
 * match; for installed agents, once for each name of the tool.
 */
export function distinctCalls({ calls, isInstalled }: SentCalls, hooks: readonly Hook[]): SentCall[] {
  const own = hooks.filter((hook) => !isGuardHook(hook) && calls.some(({ event }) => hook.matches(event)));
  const rules = own
    .flatMap(({ parts }) => parts.filter(({ type }) => isPureKind(type)))
    .map((part) => JSON.stringify(part));
  const hasPrograms = own.some(({ parts }) => parts.some(({ type }) => !isPureKind(type)));
  const asksAgent = rules.some((text) => text.includes("agent"));
  const asksTool = !hasPrograms || isInstalled || rules.some((text) => text.includes("tool"));
  return merged(calls, ({ agents, event }) => [
    asksAgent ? agents[0]?.id : "",
    asksTool ? [event.toolName, event.data.tool_args] : "",
    own.filter((hook) => hook.matches(event)).map(({ name }) => name),
  ]);
}

/** Merges calls that have the same key. The first one of each stays. */
export function merged<Call extends SentCall>(calls: readonly Call[], keyOf: (call: Call) => unknown): Call[] {
  const found = new Map<string, Call>();
  for (const call of calls) {
    const key = JSON.stringify(keyOf(call));
    const same = found.get(key);
    found.set(key, same === undefined ? call : { ...same, agents: [...same.agents, ...call.agents] });
  }
  return [...found.values()];
}

/** The call with the strictest decision; the first one if several are equally strict. */
export function strictest<Call>(calls: readonly [Call, ...Call[]], actionOf: (call: Call) => Action): Call {
  return calls.reduce((one, other) => (STRICTNESS[actionOf(other)] > STRICTNESS[actionOf(one)] ? other : one));
}

/** Which agents send a call, for a person: `as Claude Code and Codex send it`. Empty for an event that is not from an agent. */
export function senders({ agents }: Pick<SentCall, "agents">, { calls, isInstalled }: SentCalls): string {
  if (agents.length === 0) return "";
  const all = calls.reduce((sum, call) => sum + call.agents.length, 0);
  if (!isInstalled && agents.length === all) return "as any agent sends it";
  const titles = agents.map(({ title }) => title);
  const last = titles.pop();
  return titles.length === 0 ? `as ${last} sends it` : `as ${titles.join(", ")} and ${last} send it`;
}
