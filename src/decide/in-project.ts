import type { Decision } from "../decision/decision.ts";
import type { History } from "../engine/history.ts";
import { pastOf } from "../engine/history.ts";
import { milliseconds } from "../event/clock.ts";
import type { HookEvent } from "../event/event.ts";
import { attachRoot } from "../event/field.ts";
import type { Hook } from "../hook/hook.ts";
import { isPureKind } from "../hook/schema.ts";
import { HookRegistry } from "../registry/registry.ts";
import { attachRecent } from "../rule/recent.ts";
import { executorFor } from "./caller.ts";
import type { DecideContext, Decided } from "./context.ts";
import { decide } from "./decide.ts";
import { type Configuration, historyFor, type ProcessEnvironment } from "./project.ts";
import { VERSION } from "./version.ts";

/** Decides an event that a person fires at a project: every hook runs, and the `async` ones are waited for. */
export async function decideInProject(
  event: HookEvent,
  configuration: Configuration,
  { env, stopOnFailure = false }: { readonly env: ProcessEnvironment; readonly stopOnFailure?: boolean },
): Promise<Decided> {
  const registry = new HookRegistry();
  registry.loadHooks(configuration.hooks);
  const executor = executorFor(configuration, registry, await historyFor(configuration.hooks, env));
  const journal = { began: milliseconds(), waitsForBackground: true, isFired: true };
  return decide(event, { ...contextIn(configuration, env), executor, stopOnFailure, journal });
}

/** What the rules of a project come to about an event, without running, writing or binding anything. */
export interface RuledDecision {
  readonly decision: Decision;
  /** How long a second decision took: the first one loads what it needs. */
  readonly microseconds: number;
  /** The hooks that match the event and would have to run before the decision is known. */
  readonly notRun: readonly Hook[];
  /** Every hook that matches, with the event it matches: the one given, or one that is derived from it. */
  readonly matched: readonly { readonly hook: Hook; readonly event: HookEvent }[];
}

/** Decides by rules alone. */
export async function decideByRules(
  event: HookEvent,
  configuration: Configuration,
  env: ProcessEnvironment,
  /** A configuration that is not saved is not compared with what was enforced before. */
  isSaved = true,
): Promise<RuledDecision> {
  const { hooks } = configuration;
  attachRoot(event, configuration.root);
  const kept = await historyFor(hooks, env);
  const history: History = {
    record: () => {},
    count: (question) => kept?.count(question) ?? 0,
    began: (sessionId) => kept?.began?.(sessionId),
    flow: (sessionId) => kept?.flow?.(sessionId) ?? { untrusted: [], private: [] },
  };
  attachRecent(event, pastOf(event, history));
  const [all, rules] = [new HookRegistry(), new HookRegistry()];
  all.loadHooks(hooks);
  rules.loadHooks(hooks.filter(hasOnlyRules));
  const executor = executorFor(configuration, rules, history);
  const context = { ...contextIn(configuration, env), hasInventory: isSaved, executor, isDry: true };
  await decide(again(event), context);
  const second = again(event);
  const began = performance.now();
  const { decision } = await decide(second, context);
  const microseconds = Math.round((performance.now() - began) * 1000);
  const { derivedEvents } = await import("./derived-events.ts");
  const derived = await derivedEvents(event, { ...context, executor: executorFor(configuration, all, history) });
  const matched = [event, ...derived].flatMap((one) => all.getHooks(one).map((hook) => ({ hook, event: one })));
  // What only watches, or is not waited for, changes nothing.
  const isWaitedFor = ({ hook: { async, mode } }: { readonly hook: Hook }) => !async && mode !== "monitor";
  const open = decision.action === "deny" ? [] : matched.filter(isWaitedFor).map(({ hook }) => hook);
  return { decision, microseconds, notRun: open.filter((hook) => !hasOnlyRules(hook)), matched };
}

function contextIn(configuration: Configuration, env: ProcessEnvironment): Omit<DecideContext, "executor"> {
  return { root: configuration.root, env, project: configuration, hasInventory: true, canAsk: true, version: VERSION };
}

function hasOnlyRules({ parts }: Hook): boolean {
  return parts.every(({ type }) => isPureKind(type));
}

/** The same event as another object: nothing that was cached for the first one applies to it. */
function again(event: HookEvent): HookEvent {
  return event.withData({ ...event.data });
}
