import type { EventInit } from "../event/event.ts";
import type { Hooks } from "./hooks.ts";

/** The words of a session's beginning, as often as they are asked for, until the model has been told. */
export interface SessionStarts {
  /** The SDK has said by itself that the session starts. */
  heard(sessionId: string): void;
  /** What the hooks say about the beginning of this session; they run once. */
  contexts(event: Omit<EventInit, "type">, options: Parameters<Hooks["decide"]>[1]): Promise<readonly string[]>;
  /** The model has been told. */
  told(sessionId: string): void;
}

/**
 * Starts sessions at their first prompt. The SDK hands its callbacks over after Claude has begun, so that `SessionStart` comes to
 * them only after `/clear` and a compaction, and never for a new or resumed session.
 */
export function sessionStarts(hooks: Hooks): SessionStarts {
  const untold = new Map<string, readonly string[]>();
  return {
    heard: (sessionId) => void untold.set(sessionId, []),
    told: (sessionId) => void untold.set(sessionId, []),
    async contexts({ sessionId = "", data, ...event }, options) {
      const known = untold.get(sessionId);
      if (known) return known;
      untold.set(sessionId, []);
      const { prompt: _, ...rest }: Record<string, unknown> = { ...data };
      const { contexts } = await hooks.decide({ ...event, sessionId, type: "session:start", data: rest }, options);
      untold.set(sessionId, contexts);
      return contexts;
    },
  };
}
