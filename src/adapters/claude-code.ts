import { once } from "../event/once.ts";
import type { Adapter, AgentHookEvent, FittedDecision, OwnPlugin, Reply } from "./adapter.ts";
import {
  blockOrContext,
  blockOrTell,
  contextOnly,
  decode,
  decodeStopFailure,
  denialAsContext,
  exitTwo,
  groupedEntry,
  hookEvent,
  hookEventName,
  onlyApproved,
  permissionRequest,
  postToolUse,
  preToolUse,
  promptHookEvent,
  shellCanary,
  showUser,
  silent,
  specific,
  toolHookEvent,
  withContext,
} from "./claude-family.ts";
import { type Payload, textAt } from "./payload.ts";
import { DEPTH_HEADER, inVariable, mcpServers, type Post, type Wanted } from "./recipe.ts";

const SUBAGENT_NOTE = "a denied sub-agent is asked to stop at once; Claude Code starts it all the same";

/** Options that start a session without Claude Code's own questions, or that allow a switch to it. */
const SKIPPING = ["--dangerously-skip-permissions", "--allow-dangerously-skip-permissions"];

const HOOK_EVENTS = once(
  () =>
    ({
      SessionStart: hookEvent("session:start", ["context"], contextOnly),
      Setup: hookEvent("session:setup", ["context"], contextOnly, { installed: "if matched" }),
      InstructionsLoaded: hookEvent("memory:loaded", [], silent, { installed: "if matched" }),
      UserPromptSubmit: promptHookEvent("user:prompt_submit", ["deny", "context"], blockOrContext, { seconds: 60 }),
      UserPromptExpansion: promptHookEvent("user:prompt_expand", ["deny", "context"], blockOrContext),
      PreToolUse: toolHookEvent("tool:pre_execute", ["deny", "ask", "modify", "approve", "context"], preToolUse),
      PermissionRequest: toolHookEvent("permission:check", ["deny", "ask", "modify", "approve"], permissionRequest, {
        refuses: onlyApproved,
        isBesideDialog: true,
        note: "its dialog is shown meanwhile, and the first answer applies",
      }),
      PermissionDenied: toolHookEvent("permission:denied", [], silent, { installed: "if matched" }),
      PostToolUse: toolHookEvent("tool:post_execute", ["feedback", "context", "output"], postToolUse),
      PostToolUseFailure: toolHookEvent("tool:error", ["context"], contextOnly),
      PostToolBatch: hookEvent("tool:post_batch", ["deny", "context"], batch, { installed: "if matched" }),
      Stop: hookEvent("session:stop", ["deny"], blockOrTell, {
        note: "after eight denials in a row the turn ends anyway",
      }),
      StopFailure: { ...hookEvent("session:error", [], silent), decode: decodeStopFailure },
      SubagentStart: hookEvent("subagent:start", ["context"], subagentStart, { note: SUBAGENT_NOTE }),
      SubagentStop: hookEvent("subagent:stop", ["deny"], blockOrTell),
      TeammateIdle: hookEvent("subagent:idle", ["deny"], exitTwo, { installed: "if matched" }),
      TaskCreated: hookEvent("task:created", ["deny"], exitTwo, { installed: "if matched" }),
      TaskCompleted: hookEvent("task:completed", ["deny"], exitTwo, { installed: "if matched" }),
      PreCompact: hookEvent("session:pre_compact", ["deny"], exitTwo),
      PostCompact: hookEvent("session:post_compact", [], silent),
      PreModelSwitch: { ...hookEvent("llm:model_switch", ["deny", "ask"], modelSwitch), decode: decodeModelSwitch },
      PostModelSwitch: {
        ...hookEvent("llm:model_switched", ["context"], contextOnly, { installed: "if matched" }),
        decode: decodeModelSwitch,
      },
      Notification: hookEvent("session:notification", ["context"], contextOnly),
      Elicitation: hookEvent("mcp:elicitation", ["deny"], decline),
      ElicitationResult: hookEvent("mcp:elicitation_result", ["deny"], decline),
      ConfigChange: hookEvent("config:change", ["deny"], exitTwo, { note: "changes by policy are not stopped" }),
      WorktreeCreate: hookEvent("worktree:create", ["deny"], exitTwo, {
        installed: "never",
        note: "a hook here has to make the worktree itself, so none is installed",
      }),
      WorktreeRemove: hookEvent("worktree:remove", [], silent, { installed: "if matched" }),
      CwdChanged: hookEvent("session:cwd_changed", [], silent, { installed: "if matched" }),
      FileChanged: hookEvent("file:changed", [], silent, {
        installed: "never",
        note: "Claude Code watches only the files that a matcher names",
      }),
      DirectoryAdded: hookEvent("session:directory_added", [], silent, { installed: "if matched" }),
      MessageDisplay: hookEvent("session:display", [], silent, { installed: "if matched" }),
      SessionEnd: hookEvent("session:end", [], silent, { seconds: 60 }),
    }) as const satisfies Record<string, AgentHookEvent>,
);

const PLUGINS = ".claude/plugins/installed_plugins.json";

/** The list names each plugin with its copies; the settings that are read last switch it on or off. */
const findPlugin: OwnPlugin["find"] = (read, { home, root }) => {
  const copies = Object(Object(Object(read(`${home}/${PLUGINS}`)).plugins)["sluice@sluice"]);
  const copy = Object.values(copies)
    .map(Object)
    .find(({ scope = "user", projectPath }) => scope === "user" || projectPath === root);
  if (typeof copy?.installPath !== "string") return undefined;
  const switches = [home, root, root].map((base, at) => `${base}/.claude/settings${at === 2 ? ".local" : ""}.json`);
  const stated = switches.map((path) => Object(Object(read(path)).enabledPlugins)["sluice@sluice"]);
  return { folder: copy.installPath, isOn: stated.findLast((one) => typeof one === "boolean") === true };
};

/** Claude Code: the wire of which many others are dialects. */
export const claudeCode: Adapter = {
  id: "claude-code",
  title: "Claude Code",
  fileKeys: ["content", "new_string", "old_string", "file_path", "notebook_path", "new_source"],
  docs: "https://code.claude.com/docs/en/hooks",
  version: "2.1.325",
  proven: { version: "2.1.327", date: "2026-11-19" },
  program: "claude",
  transcripts: () => import("./transcripts/claude-code.ts"),
  recognises: (payload) => hookEventName(payload) !== undefined,
  hookEventOf: hookEventName,
  nameKeys: ["hook_event_name"],
  get hookEvents() {
    return HOOK_EVENTS();
  },
  messageKey: "systemMessage",
  // With `-p` it denies by itself, and passes the reason to the model. In `bypassPermissions`, and in `plan` of a session that
  // was started in it, a question is dropped and the call runs if the call also touches a file that Claude Code itself protects.
  unattended: {
    askingModes: ["default", "acceptEdits", "auto"],
    modeFlags: [...SKIPPING, "bypassPermissions", "--permission-mode=bypassPermissions"],
    flags: ["-p", "--print"],
    protocols: ["--permission-prompt-tool", "--input-format"],
  },
  seconds: 120,
  waited: [
    { version: "2.1.325", event: "tool:pre_execute", seconds: 120.4, came: "the tool was stopped" },
    { version: "2.1.325", event: "user:prompt_submit", seconds: 61.6, came: "the prompt was stopped" },
    { version: "2.1.325", event: "session:end", seconds: 61.6, came: "the run ended" },
  ],
  projectVariables: ["CLAUDE_PROJECT_DIR"],
  recipe: {
    kind: "entries",
    files: { user: ".claude/settings.json", project: ".claude/settings.json" },
    entry: (wanted) =>
      wanted.post === undefined
        ? groupedEntry(wanted, wanted.gate ? { onFailure: "block" } : {})
        : postedEntry(wanted, wanted.post),
    // What comes with every tool. Without a daemon these calls are blocked; the next prompt or stop starts one.
    http: { posts: ["PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure"] },
    mcp: mcpServers({ user: ".claude.json", project: ".mcp.json" }, { type: "stdio" }, "${CLAUDE_PROJECT_DIR:-.}"),
    traces: [".claude", ".claude.json"],
    projectDir: inVariable("CLAUDE_PROJECT_DIR"),
    windowsShells: ["bash", "cmd"],
    afterwards: {
      project:
        "Claude Code runs a project's hooks once you have trusted the folder in its own dialog, and asks you about its MCP server `sluice`.",
    },
  },
  canary: shellCanary("Bash"),
  escapes: {
    flags: ["--bare", "--safe-mode", "--setting-sources", ...SKIPPING],
    words: ["disableAllHooks"],
    variables: ["CLAUDE_CONFIG_DIR", "CLAUDE_CODE_SIMPLE"],
    files: { user: [".claude/settings.local.json", ".claude.json"], project: [".claude/settings.local.json"] },
    machine: ["/etc/claude-code", "/Library/Application Support/ClaudeCode"],
  },
  plugins: { registry: PLUGINS, switches: "enabledPlugins" },
  ownPlugin: {
    folder: ".claude/plugins/cache/sluice",
    lists: [PLUGINS, ".claude/plugins/known_marketplaces.json"],
    variable: "CLAUDE_PLUGIN_ROOT",
    enables: "claude plugin enable sluice@sluice",
    removes: "claude plugin uninstall sluice@sluice",
    find: findPlugin,
  },
  marks: ["CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION"],
  limits: [
    "In the modes `bypassPermissions`, `plan` and `dontAsk`, and in any mode that is not known, `ask` is a denial with the id for a single approval: Claude Code can drop the question there and run the call.",
    "Since version 2.1.220 Claude Code asks where one of its own `ask` rules matches, also if a hook answers `allow`.",
    "A file that a prompt mentions with @ is read without a hook.",
    "A denied sub-agent starts all the same; it is asked to stop at once.",
    "`disableAllHooks` in its settings, or a policy that allows managed hooks only, switches Sluice off.",
  ],
  judgesRewritten: true,
  quirks: [
    {
      behaviour: "an answer without the name of its own hook event is dropped, and the tool runs",
      answer: "`hookEventName` is the hook event that the payload or the command line names",
      fixture: "claude-code/PreToolUse.Bash.json",
    },
    {
      behaviour: "a finished background agent comes back as a prompt of the user",
      answer: "it is an ordinary prompt; its text begins with <task-notification>",
      fixture: "claude-code/UserPromptSubmit.task-notification.json",
    },
    {
      behaviour: "another result is taken only in the tool's own shape",
      answer: "hooks see that shape and change it",
      fixture: "claude-code/PostToolUse.Bash.json",
    },
  ],
};

/** One entry of the settings that posts to the daemon; a failure there is a denial. */
function postedEntry({ hookEvent, seconds, matcher }: Wanted, { url, secret }: Post): { at: string[]; value: object } {
  const headers = { Authorization: `Bearer ${secret}`, [DEPTH_HEADER]: "$SLUICE_DEPTH" };
  const hook = {
    type: "http",
    url,
    headers,
    allowedEnvVars: ["SLUICE_DEPTH"],
    timeout: seconds,
    onFailure: "block",
  };
  return { at: ["hooks", hookEvent], value: { ...(matcher === undefined ? {} : { matcher }), hooks: [hook] } };
}

/** A denial can only end the turn here; its reason reaches the user. */
function batch(outcome: FittedDecision, payload: Payload): Reply {
  return outcome.action === "deny" ? exitTwo(outcome) : contextOnly(outcome, payload);
}

function subagentStart(outcome: FittedDecision, payload: Payload): Reply {
  if (outcome.action !== "deny") return contextOnly(outcome, payload);
  const { stdout } = denialAsContext(outcome, payload);
  return { stdout: { continue: false, stopReason: outcome.reason, ...Object(stdout) }, stderr: outcome.reason };
}

function modelSwitch(outcome: FittedDecision, payload: Payload): Reply {
  const { action } = outcome;
  if (action !== "deny" && action !== "ask") return showUser(outcome);
  return specific(outcome, payload, { permissionDecision: action, permissionDecisionReason: withContext(outcome) });
}

/** The answer itself has no field for a message, so it is shown to the user. */
function decline(outcome: FittedDecision, payload: Payload): Reply {
  if (outcome.action !== "deny") return {};
  const { stdout, ...rest } = specific(outcome, payload, { action: "decline" });
  return { ...rest, stdout: { systemMessage: withContext(outcome), ...Object(stdout) } };
}

function decodeModelSwitch(payload: Payload) {
  const { data, ...where } = decode(payload);
  return {
    ...where,
    data: { ...data, old_model: textAt(payload, "from_model"), new_model: textAt(payload, "to_model") },
  };
}
