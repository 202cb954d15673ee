import { once } from "../event/once.ts";
import type { Adapter, AgentHookEvent } from "./adapter.ts";
import {
  blockOrContext,
  blockOrTell,
  contextOnly,
  dated,
  decodeStopFailure,
  denialAsContext,
  exitTwo,
  groupedEntry,
  hookEvent,
  hookEventName,
  keepsTranscriptsIn,
  permissionRequest,
  postToolUseSaidTwice,
  promptHookEvent,
  shellCanary,
  showUser,
  silent,
  toolHookEvent,
  wordlessPreToolUse,
} from "./claude-family.ts";
import { type Payload, textAt } from "./payload.ts";
import { inReplacedVariable, mcpServers } from "./recipe.ts";

const TODO_NOTE =
  "a denial has an effect in the phase `validation`; in the phase `postWrite` the list is written already";

const HOOK_EVENTS = once(() =>
  dated({
    SessionStart: hookEvent("session:start", ["context"], contextOnly, { note: "not sent by `qwen -p` 0.15.10" }),
    InstructionsLoaded: hookEvent("memory:loaded", [], silent, { installed: "if matched" }),
    UserPromptSubmit: promptHookEvent("user:prompt_submit", ["deny", "context"], blockOrContext, {
      note: "sent again, without a prompt, whenever results of tools go back to the model; it is not reported to hooks as a prompt",
    }),
    "UserPromptSubmit.continued": hookEvent("session:message", [], silent, {
      installed: "never",
      note: "it comes as UserPromptSubmit with an empty prompt: results of tools go back to the model",
    }),
    UserPromptExpansion: promptHookEvent("user:prompt_expand", ["deny", "context"], blockOrContext),
    // 0.15.10 ignores `updatedInput` and runs the original, and no payload contains the version: so there is no `modify`.
    PreToolUse: toolHookEvent("tool:pre_execute", ["deny", "ask", "approve"], wordlessPreToolUse, {
      note: "messages for the model are dropped here; without a terminal Qwen Code denies what would be asked",
    }),
    PermissionRequest: toolHookEvent("permission:check", ["deny", "ask", "approve"], permissionRequest),
    PermissionDenied: toolHookEvent("permission:denied", [], silent, { installed: "if matched" }),
    PostToolUse: toolHookEvent("tool:post_execute", ["feedback", "context"], postToolUseSaidTwice, {
      note: "an objection is sent twice: 0.15.10 does not read the reason of a block here",
    }),
    PostToolUseFailure: toolHookEvent("tool:error", ["context"], contextOnly),
    PostToolBatch: hookEvent("tool:post_batch", ["deny", "context"], blockOrContext, { installed: "if matched" }),
    Stop: hookEvent("session:stop", ["deny"], blockOrTell),
    StopFailure: hookEvent("session:error", [], silent, { decode: decodeStopFailure }),
    SubagentStart: hookEvent("subagent:start", [], denialAsContext, {
      note: "a denied sub-agent starts all the same, and 0.15.10 drops the message for it",
    }),
    SubagentStop: hookEvent("subagent:stop", ["deny"], blockOrTell),
    TodoCreated: hookEvent("task:created", ["deny"], blockOrTell, { installed: "if matched", note: TODO_NOTE }),
    TodoCompleted: hookEvent("task:completed", ["deny"], blockOrTell, { installed: "if matched", note: TODO_NOTE }),
    PreCompact: hookEvent("session:pre_compact", [], exitTwo),
    PostCompact: hookEvent("session:post_compact", [], silent),
    Notification: hookEvent("session:notification", [], showUser),
    MessageDisplay: hookEvent("session:display", [], silent, { installed: "if matched" }),
    SessionDelete: hookEvent("session:end", [], silent, {
      installed: "never",
      note: "a stored session is removed; its own end came long before",
    }),
    SessionEnd: hookEvent("session:end", [], silent, { note: "not sent by `qwen -p` 0.15.10" }),
  } as const satisfies Record<string, AgentHookEvent>),
);

/** Qwen Code: Claude's wire with the time of every hook event. */
export const qwenCode: Adapter = {
  id: "qwen-code",
  title: "Qwen Code",
  fileKeys: ["content", "new_string", "old_string", "file_path"],
  docs: "https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks/",
  version: "0.24.4",
  proven: { version: "0.24.4", date: "2026-11-18" },
  program: "qwen",
  transcripts: () => import("./transcripts/qwen-code.ts"),
  recognises,
  hookEventOf: (payload) => {
    const name = hookEventName(payload);
    return name === "UserPromptSubmit" && payload.prompt === "" ? "UserPromptSubmit.continued" : name;
  },
  nameKeys: ["hook_event_name"],
  get hookEvents() {
    return HOOK_EVENTS();
  },
  // With 600 seconds in their settings both versions waited 60.7 and 60.8.
  seconds: 60,
  waited: [
    { version: "0.15.10", event: "tool:pre_execute", seconds: 59.9, came: "the tool ran" },
    { version: "0.15.10", event: "user:prompt_submit", seconds: 60.5, came: "the prompt was stopped" },
    { version: "0.24.4", event: "tool:pre_execute", seconds: 60.5, came: "the tool ran" },
    { version: "0.24.4", event: "user:prompt_submit", seconds: 60.8, came: "the prompt was stopped" },
  ],
  projectVariables: ["QWEN_PROJECT_DIR"],
  recipe: {
    kind: "entries",
    files: { user: ".qwen/settings.json", project: ".qwen/settings.json" },
    // Commands have their time in milliseconds here, other kinds of hooks in seconds.
    entry: (wanted) => groupedEntry(wanted, { timeout: wanted.seconds * 1000 }),
    mcp: mcpServers({ user: ".qwen/settings.json", project: ".qwen/settings.json" }),
    http: { keepsCommands: "its HTTP hooks let a tool run when the server does not answer" },
    traces: [".qwen"],
    projectDir: inReplacedVariable("QWEN_PROJECT_DIR"),
    trust: {
      scopes: ["project"],
      file: ".qwen/trustedFolders.json",
      form: "folder levels",
      isAsked: { file: ".qwen/settings.json", at: ["security", "folderTrust", "enabled"], unset: false },
      step: "Start `qwen` in this folder and trust it, or run `/permissions` in it.",
    },
    afterwards: {
      project: "Qwen Code runs a project's hooks only in a folder that you have trusted in its own dialog.",
    },
  },
  messageKey: "systemMessage",
  unattended: { flags: ["-p", "--prompt"], isByInput: true, protocols: ["--acp", "--experimental-acp"] },
  canary: shellCanary("run_shell_command", { timestamp: "2026-01-01T00:00:00.000Z" }),
  escapes: { words: ["disableAllHooks"], variables: ["QWEN_HOME"] },
  marks: ["QWEN_CODE"],
  limits: [
    "A changed input becomes a denial: 0.15.10 ignores the change and runs the original.",
    "A hook that crashes or takes too long lets the tool run, after 60 seconds at most, whatever the settings say.",
    "The message of a hook does not replace the result; it is added to it.",
    "`disableAllHooks` in its settings switches Sluice off.",
  ],
  quirks: [
    {
      behaviour: "`updatedInput` is ignored, and the original input runs",
      answer: "a changed input is denied, with the change in the reason",
      fixture: "qwen-code/PreToolUse.run_shell_command.json",
    },
    {
      behaviour: "exit code 2 without text on standard error lets the tool run",
      answer: "a denial is JSON with exit code 0, or has text on standard error",
      fixture: "qwen-code/PreToolUse.write_file.json",
    },
    {
      behaviour: "a prompt is submitted again before every request to the model",
      answer: "hooks match it each time",
      fixture: "qwen-code/UserPromptSubmit.json",
    },
    {
      behaviour: "the first stop of a session already reports that a hook keeps it working",
      answer: "`stop_hook_active` is handed on as it comes",
      fixture: "qwen-code/Stop.json",
    },
  ],
};

/** No other agent of the family sends both the time and the permission mode; without a mode it is recognised by the transcript. */
function recognises(payload: Payload): boolean {
  if (hookEventName(payload) === undefined || textAt(payload, "timestamp") === undefined) return false;
  return textAt(payload, "permission_mode") !== undefined || keepsTranscriptsIn(payload, ".qwen");
}
