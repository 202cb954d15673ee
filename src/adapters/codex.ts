import { isObject } from "../event/json.ts";
import { once } from "../event/once.ts";
import type { Adapter, AgentHookEvent, FittedDecision, Reply } from "./adapter.ts";
import {
  additionalContext,
  blockOrContext,
  blockOrTell,
  contextOnly,
  denialAsContext,
  groupedEntry,
  hookEvent,
  hookEventName,
  keepsTranscriptsIn,
  objectionAndResult,
  permissionRequest,
  promptHookEvent,
  shellCanary,
  showUser,
  silent,
  specific,
  toolHookEvent,
  withContext,
} from "./claude-family.ts";
import { objectAt, type Payload, textAt } from "./payload.ts";
import { aroundFile } from "./recipe.ts";
import { theirInput } from "./shell-input.ts";

const HOOK_EVENTS = once(
  () =>
    ({
      SessionStart: hookEvent("session:start", ["context"], contextOnly),
      UserPromptSubmit: promptHookEvent("user:prompt_submit", ["deny", "context"], blockOrContext),
      PreToolUse: toolHookEvent("tool:pre_execute", ["deny", "modify", "context"], preToolUse, {
        refuses: losesCommand,
      }),
      PermissionRequest: toolHookEvent("permission:check", ["deny", "ask", "approve"], permissionRequest, {
        note: "`codex exec` never asks, so it never comes here",
      }),
      PostToolUse: toolHookEvent("tool:post_execute", ["feedback", "context", "output"], postToolUse, {
        note: "a command that failed comes here too; its result is text without an exit code; an objection comes with the result",
      }),
      Stop: hookEvent("session:stop", ["deny"], stop, { note: "nothing ends a row of denials but the user" }),
      SubagentStart: hookEvent("subagent:start", ["context"], denialAsContext, {
        note: "a denied sub-agent is asked to stop at once; Codex starts it all the same",
      }),
      SubagentStop: hookEvent("subagent:stop", ["deny"], stop),
      PreCompact: hookEvent("session:pre_compact", ["deny"], preCompact, { note: "a denial ends the turn with it" }),
      PostCompact: hookEvent("session:post_compact", [], showUser),
      Interrupt: hookEvent("user:interrupt", [], showUser, { installed: "if matched" }),
      PreModelRequest: hookEvent("llm:pre_request", [], silent, {
        installed: "never",
        note: "Codex does not read the answer of a command here, and calls it for every request",
      }),
      SessionEnd: hookEvent("session:end", [], silent, { seconds: 3 }),
    }) as const satisfies Record<string, AgentHookEvent>,
);

/** Codex: Claude's wire under a strict schema, where one unknown key makes an answer void. */
export const codex: Adapter = {
  id: "codex",
  title: "Codex",
  fileKeys: [],
  docs: "https://developers.openai.com/codex/hooks",
  version: "0.166.0",
  proven: { version: "0.169.0", date: "2026-11-19" },
  program: "codex",
  transcripts: () => import("./transcripts/codex.ts"),
  recognises,
  hookEventOf: hookEventName,
  nameKeys: ["hook_event_name"],
  get hookEvents() {
    return HOOK_EVENTS();
  },
  messageKey: "systemMessage",
  seconds: 120,
  waited: [
    { version: "0.166.0", event: "tool:pre_execute", seconds: 120.3, came: "the tool ran" },
    { version: "0.166.0", event: "user:prompt_submit", seconds: 120.1, came: "the prompt was processed" },
    { version: "0.166.0", event: "session:end", seconds: 3.3, came: "the run ended" },
  ],
  recipe: {
    kind: "entries",
    files: { user: ".codex/hooks.json", project: ".codex/hooks.json" },
    tables: { user: ".codex/config.toml", project: ".codex/config.toml" },
    entry: groupedEntry,
    mcp: {
      files: { user: ".codex/config.toml", project: ".codex/config.toml" },
      at: ["mcp_servers"],
      server: ([command, ...args]) => ({ command, args }),
    },
    traces: [".codex"],
    projectDir: aroundFile(".codex"),
    anyShell: true,
    windowsShells: ["cmd"],
    trust: {
      scopes: ["user", "project"],
      file: ".codex/config.toml",
      form: "hook hashes",
      step: "Open `/hooks` in Codex and trust them.",
    },
    afterwards: {
      user: review(""),
      project: review(" It reads a project's hooks only after you have trusted the project."),
    },
  },
  canary: shellCanary("Bash", {
    turn_id: "sluice-doctor",
    model: "none",
    permission_mode: "default",
    tool_use_id: "canary",
  }),
  escapes: {
    flags: ["--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox", "--yolo"],
    words: ["hooks=false", "hooks={}", "disable hooks"],
    variables: ["CODEX_HOME"],
    machine: ["/etc/codex"],
  },
  marks: ["CODEX_SANDBOX", "CODEX_THREAD_ID", "CODEX_CI"],
  limits: [
    "Hooks that were not reviewed in `/hooks`, or changed since, are skipped without a message.",
    "A hook that crashes or takes too long lets the tool run.",
    "Codex cannot ask the user before a tool runs: what needs approval is denied.",
    "Input that is typed into a running command, and waiting for it, reach no hook.",
    "A patch that is applied through the shell is reported before it runs and not afterwards.",
    "`cwd` is the folder of the call, so a call that works elsewhere finds the hooks of the project there.",
  ],
  judgesRewritten: true,
  quirks: [
    {
      behaviour: "a denial without a reason, with an unknown key, or with exit code 1 has no effect, and the tool runs",
      answer: "the answer has known keys only and always a reason, and the exit code is 0",
      fixture: "codex/PreToolUse.Bash.json",
    },
    {
      behaviour: "`cwd` is the folder that the call names, not that of the session",
      answer: "paths of a call are read from there",
      fixture: "codex/PostToolUse.Bash.json",
    },
    {
      behaviour: "a patch comes as `command`, like a line for the shell",
      answer: "they are distinguished by the name of the tool",
      fixture: "codex/PreToolUse.apply_patch.json",
    },
    {
      behaviour: "the end of a session has neither turn nor model",
      answer: "it is recognised by the folder of the transcript",
      fixture: "codex/SessionEnd.other.json",
    },
  ],
};

/**
 * Only Codex sends a turn together with a model; without a turn it is recognised by the transcript, which only Codex may leave
 * empty.
 */
function recognises(payload: Payload): boolean {
  if (hookEventName(payload) === undefined) return false;
  const hasTurn = textAt(payload, "turn_id") !== undefined && textAt(payload, "model") !== undefined;
  const transcript = textAt(payload, "transcript_path") ?? "";
  return (
    hasTurn ||
    payload.transcript_path === null ||
    keepsTranscriptsIn(payload, ".codex") ||
    /(^|[\\/])rollout-[^\\/]*\.jsonl$/.test(transcript)
  );
}

/**
 * Codex accepts another input only together with `allow`. That approves nothing at this hook event, where Codex has no
 * approval and refuses a bare `allow`; it is what makes the new input count.
 */
function preToolUse(outcome: FittedDecision, payload: Payload): Reply {
  if (outcome.action === "deny")
    return specific(outcome, payload, {
      permissionDecision: "deny",
      permissionDecisionReason: outcome.reason,
      ...additionalContext(outcome),
    });
  if (outcome.input === undefined) return contextOnly(outcome, payload);
  const updatedInput = theirInput(payload.tool_input, outcome.input);
  return specific(outcome, payload, { permissionDecision: "allow", updatedInput, ...additionalContext(outcome) });
}

/** A shell call or a patch without its text would be void, and the original would run. */
function losesCommand(outcome: FittedDecision, payload: Payload): string | undefined {
  const input = theirInput(payload.tool_input, outcome.input);
  const needsText = typeof objectAt(payload, "tool_input").command === "string";
  const keeps = isObject(input) && (!needsText || typeof input.command === "string");
  return keeps ? undefined : "Codex accepts no other input without `command`";
}

/** A block replaces the result with its reason, so the reason has both: the objection, and the result or another one. */
function postToolUse(outcome: FittedDecision, payload: Payload): Reply {
  const { output, feedback } = outcome;
  const reply = contextOnly(outcome, payload);
  if (output === undefined && feedback === undefined) return reply;
  const result = output ?? payload.tool_response ?? "";
  const text = typeof result === "string" ? result : JSON.stringify(result);
  return { stdout: { decision: "block", reason: objectionAndResult(feedback, text), ...Object(reply.stdout) } };
}

/** Here Codex treats an answer that is not JSON as a failure, so there is always an answer. */
function stop(outcome: FittedDecision): Reply {
  return { stdout: {}, ...blockOrTell(outcome) };
}

function preCompact(outcome: FittedDecision): Reply {
  if (outcome.action !== "deny") return showUser(outcome);
  return { stdout: { continue: false, stopReason: withContext(outcome) }, stderr: outcome.reason };
}

function review(more: string): string {
  return (
    "Open `/hooks` in Codex and trust the new hooks: until then, and after every change, Codex skips them without a " +
    `word.${more} A run without a terminal can pass \`--dangerously-bypass-hook-trust\`.`
  );
}
