import { HookExecutor } from "../../src/engine/executor.ts";
import type { HookEvent } from "../../src/event/event.ts";
import { Hook } from "../../src/hook/hook.ts";
import { type Hooks, hooksFrom } from "../../src/programs/hooks.ts";
import { HookRegistry } from "../../src/registry/registry.ts";

/** Hooks of a program in a test, and every event they were asked about. */
export interface Hooked {
  readonly hooks: Hooks;
  readonly heard: HookEvent[];
}

/** Real hooks, run by a real executor. */
export function hooked(specs: readonly object[], onAsk?: Hooks["onAsk"]): Hooked {
  const registry = new HookRegistry();
  registry.loadHooks(specs.map((spec) => Hook.fromJSON(spec)));
  const heard: HookEvent[] = [];
  const executor = new HookExecutor({ registry, trace: { decision: ({ event }) => heard.push(event) } });
  return { hooks: hooksFrom({ executor, sessionId: "s1", onAsk }), heard };
}

/** A hook that answers with this, whatever happens. */
export function answers(event: string, answer: object): object {
  return { event, command: `cat > /dev/null; echo '${JSON.stringify(answer)}'` };
}

/** A hook that says no in its own words. */
export function denies(event: string, reason: string): object {
  return { event, command: `echo "${reason}"; exit 1` };
}

/** The names of the events, in the order in which they were heard. */
export function namesOf(heard: readonly HookEvent[]): string[] {
  return heard.map(({ type }) => type);
}
