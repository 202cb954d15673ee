import type { EventName } from "./catalogue.ts";

/** What every event is made of; the class that users hold adds behaviour to it. */
export interface EventFacts {
  readonly type: EventName;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly toolName: string | undefined;
  readonly sessionId: string | undefined;
  readonly cwd: string | undefined;
  readonly agent: string | undefined;
}

/**
 * Agents and tools spell the same things differently; lookups accept all spellings.
 * Left: what is asked for. Right: where it may lie in an event's data, best first.
 */
export const FIELD_SPELLINGS = {
  tool_args: ["tool_args", "tool_input", "args"],
  tool_result: ["tool_result", "tool_response", "result"],
  tool_name: ["tool_name", "tool"],
  session_id: ["session_id", "sessionId"],
  llm_model: ["llm_model", "model", "new_model"],
  llm_tokens: ["llm_tokens", "tokens"],
  perm_level: ["perm_level", "level"],
  prompt: ["prompt", "user_input"],
  error: ["error", "error_message"],
} as const satisfies Record<string, readonly string[]>;

export type FieldName = keyof typeof FIELD_SPELLINGS;

/** A field of the event's data under whichever spelling it came. */
export function dataField(event: EventFacts, name: FieldName): unknown {
  const { data } = event;
  for (const spelling of FIELD_SPELLINGS[name]) {
    if (Object.hasOwn(data, spelling) && data[spelling] !== undefined) return data[spelling];
  }
  return undefined;
}

/** Which spelling of a field this event's data uses; the canonical one when it has none. */
export function dataKey(event: EventFacts, name: FieldName): string {
  const spelling = FIELD_SPELLINGS[name].find((key) => Object.hasOwn(event.data, key));
  return spelling ?? FIELD_SPELLINGS[name][0];
}
