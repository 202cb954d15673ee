import type { Decision } from "../decision/decision.ts";
import type { HookExecutor } from "../engine/executor.ts";
import { MemoryUpdateEvent } from "../event/data.ts";
import { HookEvent } from "../event/event.ts";
import { checked } from "./checked-data.ts";
import { mayWrite, memoryWrites } from "./memory-writes.ts";

/** What a host knows besides the call. */
export interface MemoryGateOptions {
  /** Goes on, or throws where the hooks object. */
  readonly pass: (decision: Decision) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
  /** Files that count as memory besides the usual ones. */
  readonly patterns?: readonly string[] | undefined;
}

/** Whether anybody wants to see what this call writes into memory; where nobody does, that is all it costs. */
export function wantsMemory({ registry }: HookExecutor, call: HookEvent): boolean {
  return mayWrite(call) && registry.hooks.some((hook) => hook.enabled && hook.hears("memory:update", call.toolName));
}

/** Lets hooks on `memory:update` look at what a tool is about to write: a denial blocks the tool. */
export async function passMemory(
  executor: HookExecutor,
  call: HookEvent,
  { pass, signal, patterns = [] }: MemoryGateOptions,
): Promise<void> {
  const { toolName, sessionId, cwd, agent } = call;
  const root = executor.workingDir ?? cwd ?? process.cwd();
  for (const write of await memoryWrites(call, { root, patterns })) {
    const data = checked(MemoryUpdateEvent, "memory:update", { ...write, session_id: sessionId, pending: true });
    const event = new HookEvent({ type: "memory:update", data, toolName, sessionId, cwd, agent });
    await pass(await executor.decide(event, { signal }));
  }
}
