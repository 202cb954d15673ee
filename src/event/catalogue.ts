import type { GenericSchema } from "valibot";
import {
  CheckpointEvent,
  ErrorEvent,
  FileData,
  LlmData,
  MemoryUpdateEvent,
  MessageData,
  ModelSwitchEvent,
  NotificationEvent,
  OpenData,
  PermissionData,
  PromptData,
  SessionEvent,
  ToolUseEvent,
} from "./data.ts";

/** What one moment of an agent's life allows. Patterns, docs, completion and the config schema all read this table. */
export interface EventSpec {
  /** Can a hook still stop what is about to happen? */
  readonly gate: boolean;
  /** What a hook may change, if anything. */
  readonly modifies: "input" | "output" | "prompt" | null;
  /** Other spellings, accepted wherever an event is named and never stored. */
  readonly aliases: readonly string[];
  /** Spellings that listen to this event as well, although they name another one. */
  readonly alsoHeardAs?: readonly string[];
  /** Read when somebody asks: most calls never look at a schema. */
  readonly data: GenericSchema;
  readonly when: string;
}

/** Every event there is: the first thing to read. */
export const EVENTS = {
  "tool:pre_execute": {
    gate: true,
    modifies: "input",
    aliases: ["PreToolUse", "pre_tool_use"],
    get data() {
      return ToolUseEvent;
    },
    when: "a tool is about to run",
  },
  "tool:post_execute": {
    gate: false,
    modifies: "output",
    aliases: ["PostToolUse", "post_tool_use"],
    get data() {
      return ToolUseEvent;
    },
    when: "a tool has run and succeeded; what a hook says is feedback",
  },
  "tool:error": {
    gate: false,
    modifies: null,
    aliases: ["PostToolUseFailure"],
    alsoHeardAs: ["PostToolUse", "post_tool_use"],
    get data() {
      return ToolUseEvent;
    },
    when: "a tool has failed; what a hook says is feedback",
  },
  "llm:pre_request": {
    gate: true,
    modifies: "input",
    aliases: [],
    get data() {
      return LlmData;
    },
    when: "a request is about to go to the language model",
  },
  "llm:post_response": {
    gate: false,
    modifies: "output",
    aliases: [],
    get data() {
      return LlmData;
    },
    when: "the language model has answered",
  },
  "llm:stream_start": {
    gate: false,
    modifies: null,
    aliases: [],
    get data() {
      return LlmData;
    },
    when: "the language model begins to stream",
  },
  "llm:stream_end": {
    gate: false,
    modifies: null,
    aliases: [],
    get data() {
      return LlmData;
    },
    when: "the language model has streamed its last token",
  },
  "llm:model_switch": {
    gate: true,
    modifies: null,
    aliases: ["ModelSwitch", "MODEL_SWITCH"],
    get data() {
      return ModelSwitchEvent;
    },
    when: "the session is about to use another model",
  },
  "session:start": {
    gate: false,
    modifies: null,
    aliases: ["SessionStart", "session_start"],
    get data() {
      return SessionEvent;
    },
    when: "a session begins or resumes; hooks can add context",
  },
  "session:end": {
    gate: false,
    modifies: null,
    aliases: ["SessionEnd"],
    get data() {
      return SessionEvent;
    },
    when: "the session closes; nothing can be stopped any more",
  },
  "session:message": {
    gate: false,
    modifies: null,
    aliases: [],
    get data() {
      return MessageData;
    },
    when: "a message joins the conversation",
  },
  "session:stop": {
    gate: true,
    modifies: null,
    aliases: ["Stop", "stop"],
    get data() {
      return OpenData;
    },
    when: "the agent wants to stop; a denial keeps it working",
  },
  "session:checkpoint": {
    gate: false,
    modifies: null,
    aliases: ["Checkpoint", "CHECKPOINT"],
    get data() {
      return CheckpointEvent;
    },
    when: "a state of the session was saved",
  },
  "session:error": {
    gate: false,
    modifies: null,
    aliases: ["Error", "ERROR"],
    get data() {
      return ErrorEvent;
    },
    when: "something in the session failed",
  },
  "session:pre_compact": {
    gate: true,
    modifies: null,
    aliases: ["PreCompact"],
    get data() {
      return OpenData;
    },
    when: "the conversation is about to be compacted",
  },
  "session:post_compact": {
    gate: false,
    modifies: null,
    aliases: ["PostCompact"],
    get data() {
      return OpenData;
    },
    when: "the conversation was compacted",
  },
  "session:notification": {
    gate: false,
    modifies: null,
    aliases: ["Notification"],
    get data() {
      return NotificationEvent;
    },
    when: "the agent tells its user something",
  },
  "subagent:start": {
    gate: true,
    modifies: null,
    aliases: ["SubagentStart"],
    get data() {
      return OpenData;
    },
    when: "a sub-agent is about to start",
  },
  "subagent:stop": {
    gate: true,
    modifies: null,
    aliases: ["SubagentStop"],
    get data() {
      return OpenData;
    },
    when: "a sub-agent wants to stop; a denial keeps it working",
  },
  "permission:check": {
    gate: true,
    modifies: "input",
    aliases: ["PermissionRequest"],
    get data() {
      return PermissionData;
    },
    when: "it is being decided whether a tool may run",
  },
  "permission:prompt": {
    gate: false,
    modifies: null,
    aliases: [],
    get data() {
      return PermissionData;
    },
    when: "the user is being asked for permission",
  },
  "permission:granted": {
    gate: false,
    modifies: null,
    aliases: [],
    get data() {
      return PermissionData;
    },
    when: "permission was given",
  },
  "permission:denied": {
    gate: false,
    modifies: null,
    aliases: ["PermissionDenied"],
    get data() {
      return PermissionData;
    },
    when: "permission was refused",
  },
  "user:prompt_submit": {
    gate: true,
    modifies: "prompt",
    aliases: ["UserPromptSubmit", "user_prompt_submit"],
    get data() {
      return PromptData;
    },
    when: "the user has sent a prompt and the agent has not seen it yet",
  },
  "user:interrupt": {
    gate: false,
    modifies: null,
    aliases: [],
    get data() {
      return OpenData;
    },
    when: "the user has interrupted the agent",
  },
  "memory:update": {
    gate: true,
    modifies: null,
    aliases: ["MemoryUpdate", "MEMORY_UPDATE"],
    get data() {
      return MemoryUpdateEvent;
    },
    when: "a file that agents read as memory is changing",
  },
  "file:changed": {
    gate: false,
    modifies: null,
    aliases: ["FileChanged"],
    get data() {
      return FileData;
    },
    when: "a file of the project changed",
  },
} as const satisfies Record<string, EventSpec>;

/** A canonical event name, such as `tool:pre_execute`. */
export type EventName = keyof typeof EVENTS;
/** Another spelling of an event name, such as `PreToolUse`. */
export type Alias = (typeof EVENTS)[EventName]["aliases"][number];

/** Every canonical name, in the order of the table. */
export const EVENT_NAMES = Object.keys(EVENTS) as readonly EventName[];

/** The row of an event, with every optional column in sight. */
export function eventSpec(name: EventName): EventSpec {
  return EVENTS[name];
}

/** The event that a canonical name or an alias names; `undefined` when none does. */
export function eventNamed(name: string): EventName | undefined {
  return NAMED.get(name);
}

/** Every event that a listener on this name hears: `PostToolUse` hears failures too. */
export function eventsHeardAs(name: string): readonly EventName[] {
  return HEARD_AS.get(name) ?? [];
}

/** Canonical names and aliases, for suggestions and completion. */
export function eventSpellings(): readonly string[] {
  return [...HEARD_AS.keys()];
}

type UpperSnake<T extends string> = T extends `${infer Category}:${infer Event}`
  ? `${Uppercase<Category>}_${Uppercase<Event>}`
  : never;

/** Constants for the canonical names: `EventType.TOOL_PRE_EXECUTE` is `"tool:pre_execute"`. */
export const EventType = Object.freeze(
  Object.fromEntries(EVENT_NAMES.map((name) => [name.replace(":", "_").toUpperCase(), name])),
) as { readonly [Name in EventName as UpperSnake<Name>]: Name };

const NAMED = new Map<string, EventName>();
const HEARD_AS = new Map<string, EventName[]>();
for (const name of EVENT_NAMES) {
  const { aliases, alsoHeardAs = [] } = eventSpec(name);
  for (const spelling of [name, ...aliases]) NAMED.set(spelling, name);
  for (const spelling of [name, ...aliases, ...alsoHeardAs])
    HEARD_AS.set(spelling, [...(HEARD_AS.get(spelling) ?? []), name]);
}
