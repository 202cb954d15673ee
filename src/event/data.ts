import * as v from "valibot";

/** A tool call before, after or at its failure; agents add what they like. */
export const ToolUseEvent = built(() =>
  v.looseObject({
    tool: maybe(name()),
    args: v.optional(v.unknown()),
    tool_args: v.optional(v.unknown()),
    result: v.optional(v.unknown()),
    tool_result: v.optional(v.unknown()),
    error: maybe(text()),
    duration_ms: maybe(milliseconds()),
    session_id: maybe(name()),
  }),
);
/** The data of a tool call, checked. */
export type ToolUseEvent = v.InferOutput<typeof ToolUseEvent>;

/** The beginning or the end of a session. */
export const SessionEvent = built(() =>
  v.looseObject({
    session_id: maybe(name()),
    event_type: v.optional(v.picklist(["start", "end"])),
    profile: maybe(name()),
    config: maybe(v.record(v.string(), v.unknown())),
    duration_ms: maybe(milliseconds()),
    exit_reason: maybe(text()),
  }),
);
/** The data of a session's beginning or end, checked. */
export type SessionEvent = v.InferOutput<typeof SessionEvent>;

/** Something the agent wants its user to notice. */
export const NotificationEvent = built(() =>
  v.looseObject({ message: text(), title: maybe(name()), session_id: maybe(name()), timestamp: timestamp() }),
);
/** The data of a notification, checked. */
export type NotificationEvent = v.InferOutput<typeof NotificationEvent>;

/** An error in a tool or in the session itself. */
export const ErrorEvent = built(() =>
  v.looseObject({
    error_type: name(),
    error_message: text(),
    tool: orNull(name()),
    session_id: orNull(name()),
    stack_trace: orNull(text()),
    severity: v.optional(v.picklist(["warning", "error", "critical"]), "error"),
    timestamp: timestamp(),
  }),
);
/** The data of an error, checked. */
export type ErrorEvent = v.InferOutput<typeof ErrorEvent>;

/** A saved state of the session. */
export const CheckpointEvent = built(() =>
  v.looseObject({
    checkpoint_id: named(name()),
    session_id: named(name()),
    checkpoint_type: v.optional(v.picklist(["auto", "manual", "periodic"]), "auto"),
    message_count: v.optional(count(), 0),
    duration_since_last_ms: orNull(milliseconds()),
    storage_path: orNull(path()),
    timestamp: timestamp(),
  }),
);
/** The data of a checkpoint, checked. */
export type CheckpointEvent = v.InferOutput<typeof CheckpointEvent>;

/** A change of the language model in use. */
export const ModelSwitchEvent = built(() =>
  v.looseObject({
    old_model: v.nullable(name()),
    new_model: named(name()),
    reason: orNull(text()),
    session_id: orNull(name()),
    profile: orNull(name()),
    triggered_by: v.optional(v.picklist(["user", "automatic", "fallback"]), "user"),
    timestamp: timestamp(),
  }),
);
/** The data of a model switch, checked. */
export type ModelSwitchEvent = v.InferOutput<typeof ModelSwitchEvent>;

/** A change of a file that agents read as their memory. */
export const MemoryUpdateEvent = built(() =>
  v.looseObject({
    file_path: named(path()),
    update_type: v.optional(v.picklist(["created", "modified", "deleted"]), "modified"),
    session_id: orNull(name()),
    content_size: orNull(count()),
    previous_hash: orNull(name()),
    new_hash: orNull(name()),
    timestamp: timestamp(),
  }),
);
/** The data of a memory update, checked. */
export type MemoryUpdateEvent = v.InferOutput<typeof MemoryUpdateEvent>;

/** A request to a language model, or its answer. */
export const LlmData = built(() => v.looseObject({ llm_model: maybe(name()), llm_tokens: v.optional(v.unknown()) }));
/** One message of the conversation. */
export const MessageData = built(() => v.looseObject({ role: maybe(name()), content: v.optional(v.unknown()) }));
/** A question of permission. */
export const PermissionData = built(() =>
  v.looseObject({ tool_args: v.optional(v.unknown()), perm_level: maybe(name()), perm_rule: maybe(text()) }),
);
/** What the user wrote. */
export const PromptData = built(() => v.looseObject({ prompt: v.string() }));
/** A file that changed. */
export const FileData = built(() => v.looseObject({ file_path: maybe(path()) }));
/** Whatever an agent sends; nothing is required. */
export const OpenData = built(() => v.looseObject({}));

/** The most characters that a text of an event's data may have; the adapter that makes such data cuts longer ones. */
export const LONGEST = { name: 1_000, path: 32_767, text: 1_000_000 } as const;

/** Builds a schema when data is first checked with it: most runs of the command check none. */
function built<Schema extends v.GenericSchema>(build: () => Schema): v.LazySchema<Schema> {
  let schema: Schema | undefined;
  return v.lazy(() => {
    schema ??= build();
    return schema;
  });
}

const name = () => v.pipe(v.string(), v.maxLength(LONGEST.name));
const path = () => v.pipe(v.string(), v.maxLength(LONGEST.path));
const text = () => v.pipe(v.string(), v.maxLength(LONGEST.text));
const count = () => v.pipe(v.number(), v.integer(), v.minValue(0));
const milliseconds = () => v.pipe(v.number(), v.finite(), v.minValue(0));

function named<Schema extends v.GenericSchema<string>>(schema: Schema) {
  return v.pipe(schema, v.minLength(1));
}

/** Left out, or nothing. */
function maybe<Schema extends v.GenericSchema>(schema: Schema) {
  return v.optional(v.nullable(schema));
}

/** What is left out reads as `null`, so that hooks see every field. */
function orNull<Schema extends v.GenericSchema>(schema: Schema) {
  return v.optional(v.nullable(schema), null);
}

/** JSON-safe: ISO 8601 text; a `Date` becomes it, and what is left out is now. */
function timestamp() {
  const hookEvent = v.pipe(
    v.date(),
    v.transform((date) => date.toISOString()),
  );
  return v.optional(v.union([v.pipe(v.string(), v.isoTimestamp()), hookEvent]), () => new Date().toISOString());
}
