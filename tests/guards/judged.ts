import { HookEvent, HookExecutor, HookRegistry } from "../../src/index.ts";
import { guardHooks } from "../../src/policies/guards/guard-hooks.ts";
import type { GuardCall, Preset } from "../../src/policies/guards/index.ts";

/** What a preset says about a call, and which guards say it. */
export interface Judged {
  readonly action: string;
  readonly by: readonly string[];
  readonly reasons: readonly string[];
}

/** Takes a call through all guards of a preset, in a project that is not there. */
export function judged(preset: Preset, call: string | GuardCall, cwd = "/home/ada/project"): Promise<Judged> {
  return judgedEvent(preset, eventOf(call, cwd));
}

/** The same for several calls, one after the other: the time of one is not counted for another. */
export async function judgedEach<Call extends string | GuardCall>(
  preset: Preset,
  calls: readonly Call[],
): Promise<(Judged & { readonly call: Call })[]> {
  const said: (Judged & { readonly call: Call })[] = [];
  for (const call of calls) said.push({ call, ...(await judged(preset, call)) });
  return said;
}

/** The event behind a call, to be read once for several presets. */
export function eventOf(call: string | GuardCall, cwd = "/home/ada/project"): HookEvent {
  const { tool, args } = typeof call === "string" ? { tool: "bash", args: { command: call } } : call;
  return HookEvent.toolPreExecute(tool, args, { cwd });
}

/** The same for an event. */
export async function judgedEvent(preset: Preset, event: HookEvent): Promise<Judged> {
  const { action, results, reasons } = await executorFor(preset).decide(event);
  const speaking = results.filter((result) => result.action !== "continue" && result.action === action);
  return { action, reasons, by: speaking.map(({ hook }) => hook.name.replace(/^guard:/, "")) };
}

/** The same for calls that several presets are asked about, or one preset several times: each is read once. */
export function judgedOnce(): (preset: Preset, call: string | GuardCall) => Promise<Judged> {
  const read = new Map<string, { readonly event: HookEvent; readonly said: Map<Preset, Promise<Judged>> }>();
  return (preset, call) => {
    const key = JSON.stringify(call);
    const { event, said } = read.get(key) ?? { event: eventOf(call), said: new Map<Preset, Promise<Judged>>() };
    read.set(key, { event, said });
    const known = said.get(preset) ?? judgedEvent(preset, event);
    said.set(preset, known);
    return known;
  };
}

function executorFor(preset: Preset): HookExecutor {
  const known = EXECUTORS.get(preset);
  if (known !== undefined) return known;
  const registry = new HookRegistry();
  registry.loadHooks(guardHooks(preset));
  const executor = new HookExecutor({ registry });
  EXECUTORS.set(preset, executor);
  return executor;
}

const EXECUTORS = new Map<Preset, HookExecutor>();
