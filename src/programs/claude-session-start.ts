import type { EventInit } from "../event/event.ts";
import type { Hooks } from "./hooks.ts";

/** What hooks say about the beginning of sessions, until the model has it. */
export interface SessionStarts {
  /** The SDK has said by itself that the session starts. */
  started(sessionId: string): void;
  /** What the hooks say about the beginning of this session; they run once. */
  contexts(event: Omit<EventInit, "type">, options: Parameters<Hooks["decide"]>[1]): Promise<readonly string[]>;
  /** The model has it. */
  delivered(sessionId: string): void;
}

/**
 * Starts sessions at their first prompt. The SDK hands its callbacks over after Claude has begun, so that `SessionStart` comes to
 * them only after `/clear` and a compaction, and never for a new or resumed session.
 */
export function sessionStarts(hooks: Hooks): SessionStarts {
  const waiting = new Map<string, readonly string[]>();
  return {
    started: (sessionId) => void waiting.set(sessionId, []),
    delivered: (sessionId) => void waiting.set(sessionId, []),
    async contexts({ sessionId = "", data, ...event }, options) {
      const known = waiting.get(sessionId);
      if (known) return known;
      waiting.set(sessionId, []);
      const { prompt: _, ...rest }: Record<string, unknown> = { ...data };
      const { contexts } = await hooks.decide({ ...event, sessionId, type: "session:start", data: rest }, options);
      waiting.set(sessionId, contexts);
      return contexts;
    },
  };
}
