import * as v from "valibot";

const text = v.string();
const optionalText = v.optional(v.nullable(text));
const optionalNumber = v.optional(v.nullable(v.number()));
const anything = v.optional(v.unknown());
const now = () => new Date().toISOString();
/** Wire timestamps are JSON-safe: ISO 8601 text, never a Date object. */
const timestamp = v.optional(v.pipe(text, v.isoTimestamp()), now);

/** A tool call before, after or at its failure; agents add what they like. */
export const ToolUseEvent = v.looseObject({
  tool_args: v.optional(v.unknown()),
  tool_result: anything,
  error: optionalText,
  duration_ms: optionalNumber,
  session_id: optionalText,
});

/** The beginning or the end of a session. */
export const SessionEvent = v.looseObject({
  session_id: optionalText,
  event_type: v.optional(v.picklist(["start", "end"])),
  profile: optionalText,
  config: v.optional(v.nullable(v.record(text, v.unknown()))),
  duration_ms: optionalNumber,
  exit_reason: optionalText,
});

/** Something the agent wants its user to notice. */
export const NotificationEvent = v.looseObject({
  message: text,
  title: optionalText,
  session_id: optionalText,
  timestamp,
});

/** An error in a tool or in the session itself. */
export const ErrorEvent = v.looseObject({
  error_type: text,
  error_message: text,
  tool: optionalText,
  session_id: optionalText,
  stack_trace: optionalText,
  severity: v.optional(v.picklist(["warning", "error", "critical"]), "error"),
  timestamp,
});

/** A saved state of the session. */
export const CheckpointEvent = v.looseObject({
  checkpoint_id: v.pipe(text, v.minLength(1)),
  session_id: text,
  checkpoint_type: v.optional(v.picklist(["auto", "manual", "periodic"]), "auto"),
  message_count: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
  duration_since_last_ms: optionalNumber,
  storage_path: optionalText,
  timestamp,
});

/** A change of the language model in use. */
export const ModelSwitchEvent = v.looseObject({
  old_model: v.nullable(text),
  new_model: v.pipe(text, v.minLength(1)),
  reason: optionalText,
  session_id: optionalText,
  profile: optionalText,
  triggered_by: v.optional(v.picklist(["user", "automatic", "fallback"]), "user"),
  timestamp,
});

/** A change of a file that agents read as their memory. */
export const MemoryUpdateEvent = v.looseObject({
  file_path: v.pipe(text, v.minLength(1)),
  update_type: v.optional(v.picklist(["created", "modified", "deleted"]), "modified"),
  session_id: optionalText,
  content_size: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0)))),
  previous_hash: optionalText,
  new_hash: optionalText,
  timestamp,
});

/** A request to a language model, or its answer. */
export const LlmData = v.looseObject({ llm_model: optionalText, llm_tokens: anything });
/** One message of the conversation. */
export const MessageData = v.looseObject({ role: optionalText, content: anything });
/** A question of permission. */
export const PermissionData = v.looseObject({ tool_args: anything, perm_level: optionalText, perm_rule: optionalText });
/** What the user wrote. */
export const PromptData = v.looseObject({ prompt: text });
/** A file that changed. */
export const FileData = v.looseObject({ file_path: optionalText });
/** Whatever an agent sends; nothing is required. */
export const OpenData = v.looseObject({});
