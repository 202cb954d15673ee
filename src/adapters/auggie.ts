import { isObject } from "../event/json.ts";
import { once } from "../event/once.ts";
import type { Adapter, AgentHookEvent, Decoded, FittedDecision, Reply } from "./adapter.ts";
import {
  contextOnly,
  groupedEntry,
  hookEventName,
  nestedBlockOrTell,
  preToolUse,
  showUser,
  silent,
  specific,
  withContext,
} from "./claude-family.ts";
import { needText, type Payload, textAt, without } from "./payload.ts";
import { inVariable, mcpServers } from "./recipe.ts";
import { ourInput } from "./shell-input.ts";

/** A name of our own for events that have the same name in Auggie. */
const FAILED = "PostToolUse.tool_error";

const HOOK_EVENTS = once(
  () =>
    ({
      SessionStart: { as: "session:start", can: ["context"], decode, encode: contextOnly },
      PromptSubmit: {
        as: "user:prompt_submit",
        can: [],
        decode: decodePrompt,
        encode: endTurn,
        note: "Auggie is asked to stop; its documentation does not state that it does",
      },
      PreToolUse: { as: "tool:pre_execute", can: ["deny", "modify"], decode: decodeTool, encode: wordless },
      PostToolUse: { as: "tool:post_execute", can: ["feedback", "context"], decode: decodeTool, encode: feedback },
      [FAILED]: {
        as: "tool:error",
        can: ["feedback", "context"],
        decode: decodeTool,
        encode: feedback,
        installed: "never",
      },
      Stop: { as: "session:stop", can: ["deny"], decode, encode: nestedBlockOrTell },
      Notification: { as: "session:notification", can: [], decode: decodeNotification, encode: showUser },
      SessionEnd: { as: "session:end", can: [], decode, encode: silent },
    }) as const satisfies Record<string, AgentHookEvent>,
);

/** Auggie: Claude's answers with payloads of its own. */
export const auggie: Adapter = {
  id: "auggie",
  title: "Auggie",
  docs: "https://docs.augmentcode.com/cli/hooks",
  version: "0.36.0",
  program: "auggie",
  recognises: (payload) =>
    hookEventName(payload) !== undefined &&
    textAt(payload, "conversation_id") !== undefined &&
    Array.isArray(payload.workspace_roots) &&
    payload.cursor_version === undefined,
  hookEventOf,
  nameKeys: ["hook_event_name"],
  get hookEvents() {
    return HOOK_EVENTS();
  },
  seconds: 120,
  projectVariables: ["AUGMENT_PROJECT_DIR"],
  projectOf: firstRoot,
  recipe: {
    kind: "entries",
    files: { user: ".augment/settings.json", project: ".augment/settings.json" },
    script: ".augment/hooks/sluice.sh",
    entry: (wanted) => {
      const { at, value } = groupedEntry(wanted, { timeout: wanted.seconds * 1000 });
      // Without being asked, Auggie keeps the prompt to itself.
      const asked = wanted.hookEvent === "PromptSubmit" ? { metadata: { includeConversationData: true } } : {};
      return { at, value: { ...value, ...asked } };
    },
    mcp: mcpServers({ user: ".augment/settings.json" }),
    traces: [".augment"],
    projectDir: inVariable("AUGMENT_PROJECT_DIR"),
    afterwards: {
      project:
        "Auggie has to find `.augment/hooks/sluice.sh` from the folder that it was started in: start it in the project's.",
    },
  },
  canary: {
    hookEvent: "PreToolUse",
    payload: (command, cwd) => ({
      hook_event_name: "PreToolUse",
      conversation_id: "sluice-doctor",
      workspace_roots: [cwd],
      tool_name: "launch-process",
      tool_input: { command },
    }),
  },
  marks: ["AUGMENT_AGENT"],
  limits: [
    "`ask` and `allow` have no effect in Auggie: what needs approval is denied, and nothing is approved.",
    "A prompt cannot be stopped.",
    "In sub-agents only the hook events of tools reach hooks.",
    "A hook that crashes or takes too long lets the tool run.",
  ],
  quirks: [
    {
      behaviour: "exit code 2 stops a tool and nothing else",
      answer: "denials are JSON, inside the part that names their hook event",
    },
    {
      behaviour: "a failed tool comes as PostToolUse with `tool_error`",
      answer: "it is recognised, and fires tool:error",
    },
    {
      behaviour: "if several hooks change an input, the last change applies",
      answer: "Sluice is one hook, and settles its own",
    },
  ],
};

function hookEventOf(payload: Payload): string | undefined {
  const name = hookEventName(payload);
  return name === "PostToolUse" && failure(payload) !== undefined ? FAILED : name;
}

/** Sessions are conversations here, and the folder is the first root of the workspace. */
function decode(payload: Payload): Decoded {
  return {
    sessionId: textAt(payload, "conversation_id"),
    cwd: textAt(payload, "cwd") ?? firstRoot(payload),
    data: without(payload, "hook_event_name", "conversation_id", "cwd"),
  };
}

function decodeTool(payload: Payload): Decoded {
  const toolName = needText(payload, "tool_name");
  const { data, ...where } = decode(payload);
  const { tool_input: input, tool_output: result, tool_error: _, ...rest } = without(data, "tool_name");
  const error = failure(payload);
  return {
    ...where,
    toolName,
    data: {
      ...rest,
      tool_args: ourInput(toolName, input ?? {}),
      ...(result === undefined ? {} : { tool_result: result }),
      ...(error === undefined ? {} : { error }),
    },
  };
}

function decodePrompt(payload: Payload): Decoded {
  const { data, ...where } = decode(payload);
  const conversation = isObject(payload.conversation) ? payload.conversation : {};
  const prompt = textAt(payload, "user_prompt", "prompt") ?? textAt(conversation, "userPrompt", "user_prompt");
  return { ...where, data: prompt === undefined ? data : { ...data, prompt } };
}

function decodeNotification(payload: Payload): Decoded {
  const { data, ...where } = decode(payload);
  const message = textAt(payload, "notification_message", "message");
  return { ...where, data: message === undefined ? data : { ...data, message } };
}

function failure(payload: Payload): string | undefined {
  const { tool_error: error } = payload;
  return isObject(error) ? (textAt(error, "message") ?? JSON.stringify(error)) : textAt(payload, "tool_error");
}

function firstRoot({ workspace_roots: roots }: Payload): string | undefined {
  const [first]: readonly unknown[] = Array.isArray(roots) ? roots : [];
  return typeof first === "string" ? first : undefined;
}

/** Auggie reads no message for the model before a tool runs. */
function wordless(outcome: FittedDecision, payload: Payload): Reply {
  const reason = outcome.action === "deny" ? withContext(outcome) : outcome.reason;
  return preToolUse({ ...outcome, reason, context: "" }, payload);
}

/** The reason of a block is what the model gets to read after a tool. */
function feedback(outcome: FittedDecision, payload: Payload): Reply {
  const reason = [outcome.feedback, outcome.context].filter(Boolean).join("\n\n");
  return reason === "" ? {} : specific(outcome, payload, { decision: "block", reason });
}

function endTurn(outcome: FittedDecision): Reply {
  if (outcome.action !== "deny") return showUser(outcome);
  return { stdout: { continue: false, stopReason: outcome.reason }, stderr: outcome.reason };
}
