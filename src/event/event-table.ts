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

/** What one event of an agent allows. Patterns, docs, completion and the config schema all read this table. */
export interface EventSpec {
  /** Can a hook still stop what is about to happen? */
  readonly gate: boolean;
  /** A denial stops nothing here: it keeps the agent at work, so a failure must not be a denial. */
  readonly keepsWorking?: boolean;
  /** What a hook may change, if anything. */
  readonly modifies: "input" | "output" | "prompt" | null;
  /** Other spellings, accepted wherever an event is named and never stored. */
  readonly aliases: readonly string[];
  /** Names of another event that match this one too. */
  readonly alsoMatchedBy?: readonly string[];
  /** The event from which Sluice makes this one. */
  readonly derivedFrom?: "tool:pre_execute" | "tool:error";
  readonly data: GenericSchema;
  readonly when: string;
}

/** A row of the table. Its schema is made at first use, because most calls need none. */
export type Row = Omit<EventSpec, "data"> & { readonly data: () => GenericSchema };

/** An event that can still be stopped, and of which nothing can be changed. */
function gate<Schema extends GenericSchema>(data: () => Schema) {
  return { gate: true, modifies: null, data } as const;
}

/** An event that has happened, and of which nothing can be changed. */
function note<Schema extends GenericSchema>(data: () => Schema) {
  return { gate: false, modifies: null, data } as const;
}

const OPEN_GATE = gate(() => OpenData);
const OPEN_NOTE = note(() => OpenData);

/** Every event. */
export const ROWS = {
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
    alsoMatchedBy: ["PostToolUse", "post_tool_use"],
    data: () => ToolUseEvent,
    when: "a tool has failed; what a hook says is feedback",
  },
  "tool:post_batch": {
    ...OPEN_GATE,
    aliases: ["PostToolBatch"],
    when: "all tools of one turn have run; a denial ends the turn there",
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
  "llm:stream_start": { ...note(() => LlmData), aliases: [], when: "the language model begins to stream" },
  "llm:stream_end": { ...note(() => LlmData), aliases: [], when: "the language model has streamed its last token" },
  "llm:model_switch": {
    ...gate(() => ModelSwitchEvent),
    aliases: ["ModelSwitch", "MODEL_SWITCH", "PreModelSwitch"],
    when: "the session is about to use another model",
  },
  "llm:model_switched": {
    ...OPEN_NOTE,
    aliases: ["PostModelSwitch"],
    when: "the session uses another model from here on",
  },
  "llm:tool_selection": {
    ...note(() => LlmData),
    aliases: ["BeforeToolSelection"],
    when: "the agent chooses which tools the model may see",
  },
  "llm:thought": { ...OPEN_NOTE, aliases: ["afterAgentThought"], when: "the language model has thought aloud" },
  "session:start": {
    ...note(() => SessionEvent),
    aliases: ["SessionStart", "session_start"],
    when: "a session begins or resumes; hooks can add context",
  },
  "session:end": {
    ...note(() => SessionEvent),
    aliases: ["SessionEnd"],
    when: "the session closes; nothing can be stopped any more",
  },
  "session:message": { ...note(() => MessageData), aliases: [], when: "a message joins the conversation" },
  "session:stop": {
    ...OPEN_GATE,
    keepsWorking: true,
    aliases: ["Stop", "stop"],
    when: "the agent wants to stop; a denial keeps it working",
  },
  "session:checkpoint": {
    ...note(() => CheckpointEvent),
    aliases: ["Checkpoint", "CHECKPOINT"],
    when: "a state of the session was saved",
  },
  "session:error": {
    ...note(() => ErrorEvent),
    aliases: ["Error", "ERROR"],
    derivedFrom: "tool:error",
    when: "something in the session failed; every failed tool brings one",
  },
  "session:pre_compact": { ...OPEN_GATE, aliases: ["PreCompact"], when: "the conversation is about to be compacted" },
  "session:post_compact": { ...OPEN_NOTE, aliases: ["PostCompact"], when: "the conversation was compacted" },
  "session:notification": {
    ...note(() => NotificationEvent),
    aliases: ["Notification"],
    when: "the agent tells its user something",
  },
  "session:setup": { ...OPEN_NOTE, aliases: ["Setup"], when: "the agent prepares a workspace; hooks can add context" },
  "session:cwd_changed": {
    ...OPEN_NOTE,
    aliases: ["CwdChanged"],
    when: "the session works in another folder from here on",
  },
  "session:directory_added": {
    ...OPEN_NOTE,
    aliases: ["DirectoryAdded"],
    when: "the session may work in one more folder",
  },
  "session:display": { ...OPEN_NOTE, aliases: ["MessageDisplay"], when: "a part of an answer appears on the screen" },
  "subagent:start": { ...OPEN_GATE, aliases: ["SubagentStart"], when: "a sub-agent is about to start" },
  "subagent:stop": {
    ...OPEN_GATE,
    keepsWorking: true,
    aliases: ["SubagentStop"],
    when: "a sub-agent wants to stop; a denial keeps it working",
  },
  "subagent:idle": {
    ...OPEN_GATE,
    keepsWorking: true,
    aliases: ["TeammateIdle"],
    when: "a teammate has nothing to do; a denial keeps it working",
  },
  "task:created": { ...OPEN_GATE, aliases: ["TaskCreated", "TodoCreated"], when: "a task is about to join the list" },
  "task:start": { ...OPEN_NOTE, aliases: ["PreTaskExec"], when: "work on a task begins" },
  "task:completed": {
    ...OPEN_GATE,
    aliases: ["TaskCompleted", "TodoCompleted"],
    when: "a task is about to count as done; a denial keeps it open",
  },
  "permission:check": {
    gate: true,
    modifies: "input",
    aliases: ["PermissionRequest"],
    data: () => PermissionData,
    when: "it is being decided whether a tool may run",
  },
  "permission:prompt": { ...note(() => PermissionData), aliases: [], when: "the user is being asked for permission" },
  "permission:granted": { ...note(() => PermissionData), aliases: [], when: "permission was given" },
  "permission:denied": { ...note(() => PermissionData), aliases: ["PermissionDenied"], when: "permission was refused" },
  "user:prompt_submit": {
    gate: true,
    modifies: "prompt",
    aliases: ["UserPromptSubmit", "user_prompt_submit"],
    data: () => PromptData,
    when: "the user has sent a prompt and the agent has not seen it yet",
  },
  "user:prompt_expand": {
    ...gate(() => PromptData),
    aliases: ["UserPromptExpansion"],
    when: "a slash command or a template of the user is about to become a prompt",
  },
  "user:interrupt": { ...OPEN_NOTE, aliases: [], when: "the user has interrupted the agent" },
  "memory:update": {
    ...gate(() => MemoryUpdateEvent),
    aliases: ["MemoryUpdate", "MEMORY_UPDATE"],
    derivedFrom: "tool:pre_execute",
    when: "a file that agents read as memory is changing; asked before a tool writes one, and a denial denies the write",
  },
  "memory:loaded": {
    ...note(() => FileData),
    aliases: ["InstructionsLoaded"],
    when: "the agent has read a file as memory",
  },
  "config:change": { ...gate(() => FileData), aliases: ["ConfigChange"], when: "settings of the agent are changing" },
  "mcp:elicitation": { ...OPEN_GATE, aliases: ["Elicitation"], when: "an MCP server asks the user for something" },
  "mcp:elicitation_result": {
    ...OPEN_GATE,
    aliases: ["ElicitationResult"],
    when: "the user's answer is about to go to an MCP server",
  },
  "worktree:create": { ...OPEN_GATE, aliases: ["WorktreeCreate"], when: "a worktree is about to be made for an agent" },
  "worktree:remove": { ...OPEN_NOTE, aliases: ["WorktreeRemove"], when: "a worktree of an agent goes away" },
  "file:changed": { ...note(() => FileData), aliases: ["FileChanged"], when: "a file of the project changed" },
} as const satisfies Record<string, Row>;
