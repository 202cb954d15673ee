import type * as v from "valibot";
import { asWire, checked, errorData } from "../decide/checked-data.ts";
import { aggregate } from "../decision/aggregate.ts";
import type { Decision } from "../decision/decision.ts";
import { EVENTS } from "../event/catalogue.ts";
import type {
  CheckpointEvent,
  ErrorEvent,
  MemoryUpdateEvent,
  ModelSwitchEvent,
  NotificationEvent,
} from "../event/data.ts";
import { HookEvent } from "../event/event.ts";
import type { HooksManager } from "./hooks-manager.ts";
import { type Session, sessionIdOf } from "./session.ts";

/** Fires the events of a session's life; each method returns the decision, so that a denied step can be refused. */
export class SessionLifecycleHooks {
  readonly #manager: HooksManager | undefined;

  constructor(manager?: HooksManager | null) {
    this.#manager = manager ?? undefined;
  }

  onSessionStart(session: Session, profile: string | null = null, config: object | null = null): Promise<Decision> {
    return this.#fire(session, "session:start", () => ({ event_type: "start", profile, config: config ?? {} }));
  }

  onSessionEnd(
    session: Session,
    durationMs: number | null = null,
    exitReason: string | null = null,
  ): Promise<Decision> {
    const data = { event_type: "end", duration_ms: durationMs, exit_reason: exitReason };
    return this.#fire(session, "session:end", () => data);
  }

  onError(
    session: Session,
    error: unknown,
    tool: string | null = null,
    more: More<typeof ErrorEvent> = {},
  ): Promise<Decision> {
    return this.#fire(session, "session:error", () => errorData(error, { ...asWire(more), tool }));
  }

  onCheckpoint(session: Session, checkpointId: string, more: More<typeof CheckpointEvent> = {}): Promise<Decision> {
    return this.#fire(session, "session:checkpoint", () => ({ ...asWire(more), checkpoint_id: checkpointId }));
  }

  /** Asked before the switch: a denial means that the old model stays. */
  onModelSwitch(
    session: Session,
    oldModel: string | null,
    newModel: string,
    more: More<typeof ModelSwitchEvent> = {},
  ): Promise<Decision> {
    const models = { old_model: oldModel ?? null, new_model: newModel };
    return this.#fire(session, "llm:model_switch", () => ({ ...asWire(more), ...models }));
  }

  onMemoryUpdate(
    session: Session,
    filePath: string,
    updateType: MemoryUpdateEvent["update_type"] = "modified",
    more: More<typeof MemoryUpdateEvent> = {},
  ): Promise<Decision> {
    const update = { file_path: filePath, update_type: updateType };
    return this.#fire(session, "memory:update", () => ({ ...asWire(more), ...update }));
  }

  /** Asked before it starts; a name alone will do. */
  onSubagentStart(session: Session, subagent: string | object = {}): Promise<Decision> {
    return this.#fire(session, "subagent:start", () => aboutSubagent(subagent));
  }

  /** A denial keeps it working. */
  onSubagentStop(session: Session, subagent: string | object = {}): Promise<Decision> {
    return this.#fire(session, "subagent:stop", () => aboutSubagent(subagent));
  }

  /** Asked before the agent sees it; `decision.input` is what hooks made of the prompt. */
  onUserPrompt(session: Session, prompt: string, more: object = {}): Promise<Decision> {
    return this.#fire(session, "user:prompt_submit", () => ({ ...asWire(more), prompt }));
  }

  onNotification(session: Session, message: string, more: More<typeof NotificationEvent> = {}): Promise<Decision> {
    return this.#fire(session, "session:notification", () => ({ ...asWire(more), message }));
  }

  /** A denial keeps the agent working. */
  onStop(session: Session, more: object = {}): Promise<Decision> {
    return this.#fire(session, "session:stop", () => asWire(more));
  }

  onMessage(session: Session, role: string, content: unknown): Promise<Decision> {
    return this.#fire(session, "session:message", () => ({ role, content }));
  }

  onInterrupt(session: Session, more: object = {}): Promise<Decision> {
    return this.#fire(session, "user:interrupt", () => asWire(more));
  }

  async #fire(session: Session, type: AgentHookEvent, data: () => object): Promise<Decision> {
    const manager = this.#manager;
    if (manager === undefined) return aggregate({ event: new HookEvent({ type }), results: [] });
    const schema: v.GenericSchema<unknown, object> = EVENTS[type].data;
    return manager.decide(session, type, checked(schema, type, { ...data(), session_id: sessionIdOf(session) }));
  }
}

/** Fields of the data besides those that have their own argument, in the wire's spelling or in camelCase. */
type More<Schema extends v.GenericSchema> = Partial<v.InferInput<Schema>>;

type AgentHookEvent = keyof typeof EVENTS;

function aboutSubagent(subagent: string | object): object {
  return typeof subagent === "string" ? { agent_type: subagent } : asWire(subagent);
}
