import type { Alias } from "./catalogue.ts";

/** A tool is about to run. */
export const PRE_TOOL_USE = "PreToolUse" satisfies Alias;
/** A tool has run, or has failed. */
export const POST_TOOL_USE = "PostToolUse" satisfies Alias;
/** A session begins. */
export const SESSION_START = "SessionStart" satisfies Alias;
/** A session closes. */
export const SESSION_END = "SessionEnd" satisfies Alias;
/** The agent tells its user something. */
export const NOTIFICATION = "Notification" satisfies Alias;
/** The agent wants to stop. */
export const STOP = "Stop" satisfies Alias;
/** A sub-agent wants to stop. */
export const SUBAGENT_STOP = "SubagentStop" satisfies Alias;
/** Something in the session failed. */
export const ERROR = "Error" satisfies Alias;
/** A state of the session was saved. */
export const CHECKPOINT = "Checkpoint" satisfies Alias;
/** The session is about to use another model. */
export const MODEL_SWITCH = "ModelSwitch" satisfies Alias;
/** A file that agents read as memory is changing. */
export const MEMORY_UPDATE = "MemoryUpdate" satisfies Alias;
