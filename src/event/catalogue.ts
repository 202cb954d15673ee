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
  readonly data: GenericSchema;
  readonly when: string;
}

/** A row as it is written down; its schema is made when somebody asks, because most calls never look at one. */
type Row = Omit<EventSpec, "data"> & { readonly data: () => GenericSchema };

/** Every event there is: the first thing to read. */
const ROWS = {
  "tool:pre_execute": {
    gate: true,
    modifies: "input",
    aliases: ["PreToolUse", "pre_tool_use"],
    data: () => ToolUseEvent,
    when: "a tool is about to run",
  },
  "tool:post_execute": {
    gate: false,
    modifies: "output",
    aliases: ["PostToolUse", "post_tool_use"],
    data: () => ToolUseEvent,
    when: "a tool has run and succeeded; what a hook says is feedback",
  },
  "tool:error": {
    gate: false,
    modifies: null,
    aliases: ["PostToolUseFailure"],
    alsoHeardAs: ["PostToolUse", "post_tool_use"],
    data: () => ToolUseEvent,
    when: "a tool has failed; what a hook says is feedback",
  },
  "llm:pre_request": {
    gate: true,
    modifies: "input",
    aliases: [],
    data: () => LlmData,
    when: "a request is about to go to the language model",
  },
  "llm:post_response": {
    gate: false,
    modifies: "output",
    aliases: [],
    data: () => LlmData,
    when: "the language model has answered",
  },
  "llm:stream_start": {
    gate: false,
    modifies: null,
    aliases: [],
    data: () => LlmData,
    when: "the language model begins to stream",
  },
  "llm:stream_end": {
    gate: false,
    modifies: null,
    aliases: [],
    data: () => LlmData,
    when: "the language model has streamed its last token",
  },
  "llm:model_switch": {
    gate: true,
    modifies: null,
    aliases: ["ModelSwitch", "MODEL_SWITCH"],
    data: () => ModelSwitchEvent,
    when: "the session is about to use another model",
  },
  "session:start": {
    gate: false,
    modifies: null,
    aliases: ["SessionStart", "session_start"],
    data: () => SessionEvent,
    when: "a session begins or resumes; hooks can add context",
  },
  "session:end": {
    gate: false,
    modifies: null,
    aliases: ["SessionEnd"],
    data: () => SessionEvent,
    when: "the session closes; nothing can be stopped any more",
  },
  "session:message": {
    gate: false,
    modifies: null,
    aliases: [],
    data: () => MessageData,
    when: "a message joins the conversation",
  },
  "session:stop": {
    gate: true,
    modifies: null,
    aliases: ["Stop", "stop"],
    data: () => OpenData,
    when: "the agent wants to stop; a denial keeps it working",
  },
  "session:checkpoint": {
    gate: false,
    modifies: null,
    aliases: ["Checkpoint", "CHECKPOINT"],
    data: () => CheckpointEvent,
    when: "a state of the session was saved",
  },
  "session:error": {
    gate: false,
    modifies: null,
    aliases: ["Error", "ERROR"],
    data: () => ErrorEvent,
    when: "something in the session failed",
  },
  "session:pre_compact": {
    gate: true,
    modifies: null,
    aliases: ["PreCompact"],
    data: () => OpenData,
    when: "the conversation is about to be compacted",
  },
  "session:post_compact": {
    gate: false,
    modifies: null,
    aliases: ["PostCompact"],
    data: () => OpenData,
    when: "the conversation was compacted",
  },
  "session:notification": {
    gate: false,
    modifies: null,
    aliases: ["Notification"],
    data: () => NotificationEvent,
    when: "the agent tells its user something",
  },
  "subagent:start": {
    gate: true,
    modifies: null,
    aliases: ["SubagentStart"],
    data: () => OpenData,
    when: "a sub-agent is about to start",
  },
  "subagent:stop": {
    gate: true,
    modifies: null,
    aliases: ["SubagentStop"],
    data: () => OpenData,
    when: "a sub-agent wants to stop; a denial keeps it working",
  },
  "permission:check": {
    gate: true,
    modifies: "input",
    aliases: ["PermissionRequest"],
    data: () => PermissionData,
    when: "it is being decided whether a tool may run",
  },
  "permission:prompt": {
    gate: false,
    modifies: null,
    aliases: [],
    data: () => PermissionData,
    when: "the user is being asked for permission",
  },
  "permission:granted": {
    gate: false,
    modifies: null,
    aliases: [],
    data: () => PermissionData,
    when: "permission was given",
  },
  "permission:denied": {
    gate: false,
    modifies: null,
    aliases: ["PermissionDenied"],
    data: () => PermissionData,
    when: "permission was refused",
  },
  "user:prompt_submit": {
    gate: true,
    modifies: "prompt",
    aliases: ["UserPromptSubmit", "user_prompt_submit"],
    data: () => PromptData,
    when: "the user has sent a prompt and the agent has not seen it yet",
  },
  "user:interrupt": {
    gate: false,
    modifies: null,
    aliases: [],
    data: () => OpenData,
    when: "the user has interrupted the agent",
  },
  "memory:update": {
    gate: true,
    modifies: null,
    aliases: ["MemoryUpdate", "MEMORY_UPDATE"],
    data: () => MemoryUpdateEvent,
    when: "a file that agents read as memory is changing",
  },
  "file:changed": {
    gate: false,
    modifies: null,
    aliases: ["FileChanged"],
    data: () => FileData,
    when: "a file of the project changed",
  },
} as const satisfies Record<string, Row>;

/** The same table for everybody: whoever reads `data` gets the schema itself. */
export const EVENTS = /* @__PURE__ */ withSchemas();

type Events = {
  readonly [Name in EventName]: {
    readonly [Column in keyof (typeof ROWS)[Name]]: Column extends "data"
      ? ReturnType<(typeof ROWS)[Name]["data"]>
      : (typeof ROWS)[Name][Column];
  } & { readonly name: Name };
};

function withSchemas(): Events {
  const rows = Object.entries<Row>(ROWS).map(([name, row]) => {
    const withSchema = {
      name,
      ...row,
      get data() {
        return row.data();
      },
    };
    return [name, Object.freeze(withSchema)];
  });
  return Object.freeze(Object.fromEntries(rows)) as Events;
}

/** A canonical event name, such as `tool:pre_execute`. */
export type EventName = keyof typeof ROWS;
/** Another spelling of an event name, such as `PreToolUse`. */
export type Alias = (typeof ROWS)[EventName]["aliases"][number];

/** Every canonical name, in the order of the table. */
export const EVENT_NAMES = Object.keys(ROWS) as readonly EventName[];

/** What an event allows, without its schema. */
export function eventSpec(name: EventName): Omit<EventSpec, "data"> {
  return ROWS[name];
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
export const EventType = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.fromEntries(
    /* @__PURE__ */ EVENT_NAMES.map((name) => [name.replace(":", "_").toUpperCase(), name]),
  ),
) as { readonly [Name in EventName as UpperSnake<Name>]: Name };

const NAMED = new Map<string, EventName>();
const HEARD_AS = new Map<string, EventName[]>();
for (const name of EVENT_NAMES) {
  const { aliases, alsoHeardAs = [] } = eventSpec(name);
  for (const spelling of [name, ...aliases]) NAMED.set(spelling, name);
  for (const spelling of [name, ...aliases, ...alsoHeardAs])
    HEARD_AS.set(spelling, [...(HEARD_AS.get(spelling) ?? []), name]);
}
