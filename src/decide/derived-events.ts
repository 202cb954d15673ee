import type { Decision } from "../decision/decision.ts";
import type { HookExecutor } from "../engine/executor.ts";
import type { EventName } from "../event/catalogue.ts";
import { MemoryUpdateEvent } from "../event/data.ts";
import { errorText, HookEvent } from "../event/event.ts";
import { attachRoot, dataField, rootOfEvent } from "../event/field.ts";
import type { WorkBudget } from "../event/work-budget.ts";
import { checked, errorData } from "./checked-data.ts";
import { memoryWrites } from "./memory-writes.ts";

/** What is known about a call besides itself. */
export interface DerivedContext {
  readonly executor: HookExecutor;
  readonly signal?: AbortSignal | undefined;
  /** What is left of the work that the call may cost. */
  readonly budget?: WorkBudget | undefined;
  /** The project; the executor's folder when left out. */
  readonly root?: string | undefined;
  /** Files that count as memory besides the usual ones. */
  readonly memoryPatterns?: readonly string[] | undefined;
  /** What the tool threw, where the event is its failure. */
  readonly failure?: { readonly thrown: unknown } | undefined;
}

/** Decides every event that follows from this one and that a hook matches; ends at the first denial. */
export async function decideDerived(call: HookEvent, context: DerivedContext): Promise<Decision[]> {
  const { executor, signal, budget } = context;
  const said: Decision[] = [];
  for (const event of await derivedEvents(call, context)) {
    const decision = await executor.decide(event, { signal, budget });
    said.push(decision);
    if (decision.action === "deny") break;
  }
  return said;
}

/** The events that follow from this one, where a hook matches them. */
export async function derivedEvents(call: HookEvent, context: DerivedContext): Promise<HookEvent[]> {
  if (call.type === "tool:pre_execute" && isMatched("memory:update", call, context))
    return memoryUpdates(call, context);
  if (call.type === "tool:error" && isMatched("session:error", call, context)) return [sessionError(call, context)];
  return [];
}

function isMatched(name: EventName, { toolName }: HookEvent, { executor }: DerivedContext): boolean {
  return executor.registry.isMatched(name, toolName);
}

async function memoryUpdates(
  call: HookEvent,
  { executor, root, memoryPatterns }: DerivedContext,
): Promise<HookEvent[]> {
  const folder = root ?? executor.workingDir ?? call.cwd ?? process.cwd();
  const writes = await memoryWrites(call, { root: folder, ...(memoryPatterns && { patterns: memoryPatterns }) });
  return writes.map((write) => {
    const data = { ...write, session_id: call.sessionId, pending: true };
    return following(call, "memory:update", checked(MemoryUpdateEvent, "memory:update", data));
  });
}

function sessionError(call: HookEvent, { failure }: DerivedContext): HookEvent {
  const about = { tool: call.toolName, session_id: call.sessionId };
  const told = dataField(call, "error");
  const data =
    failure === undefined ? errorData(new ToolFailure(errorText(told)), about) : errorData(failure.thrown, about);
  return following(call, "session:error", failure === undefined ? { ...data, stack_trace: null } : data);
}

/** An agent reports a failed tool as a text; it does not have an error class. */
class ToolFailure extends Error {
  override readonly name = "ToolError";
}

function following(call: HookEvent, type: EventName, data: object): HookEvent {
  const { toolName, sessionId, cwd, agent } = call;
  const event = new HookEvent({ type, data, toolName, sessionId, cwd, agent });
  attachRoot(event, rootOfEvent(call));
  return event;
}
