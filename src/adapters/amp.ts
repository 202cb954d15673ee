import { once } from "../event/once.ts";
import type { Adapter, AgentHookEvent, Decoded, FittedDecision, Reply } from "./adapter.ts";
import { callSluice, type ShimCall, type ShimHookEvent } from "./call-sluice.ts";
import { withContext } from "./claude-family.ts";
import { needObject, needText, objectAt, type Payload, textAt, without } from "./payload.ts";
import { inVariable, mcpServers, PLUGIN_PROJECT_DIR } from "./recipe.ts";
import { ourInput, theirInput } from "./shell-input.ts";

const STATUS = { installed: "never", note: "it comes with a status of its own" } as const;

const HOOK_EVENTS = once(
  () =>
    ({
      "session.start": { as: "session:start", can: [], decode, encode: silent },
      "agent.start": {
        as: "user:prompt_submit",
        can: ["context"],
        decode: decodePrompt,
        encode: startedTurn,
        note: "Amp continues with a denied prompt; the model is asked not to act on it",
      },
      "tool.call": {
        as: "tool:pre_execute",
        can: ["deny", "ask", "modify", "approve"],
        decode: decodeTool,
        encode: decided,
      },
      "tool.result": { as: "tool:post_execute", can: ["context", "output"], decode: decodeTool, encode: newResult },
      "tool.result.error": { as: "tool:error", can: ["context"], decode: decodeTool, encode: newResult, ...STATUS },
      "agent.end": { as: "session:stop", can: ["deny"], decode, encode: goOn },
      "agent.end.error": { as: "session:error", can: [], decode: decodeError, encode: silent, ...STATUS },
      "agent.end.cancelled": { as: "user:interrupt", can: [], decode, encode: silent, ...STATUS },
    }) as const satisfies Record<string, AgentHookEvent>,
);

/** Amp: a plugin that hands its events over; what Sluice answers is what Amp itself reads. */
export const amp: Adapter = {
  id: "amp",
  title: "Amp",
  docs: "https://ampcode.com/manual/plugin-api",
  version: "2026-11",
  program: "amp",
  recognises: (payload) => payload.agent === "amp" && typeof payload.event === "string",
  hookEventOf: (payload) => {
    const event = textAt(payload, "event");
    const ended = `${event}.${event === "tool.result" && payload.status === "cancelled" ? "error" : payload.status}`;
    return Object.hasOwn(HOOK_EVENTS(), ended) ? ended : event;
  },
  nameKeys: ["event"],
  get hookEvents() {
    return HOOK_EVENTS();
  },
  seconds: 120,
  recipe: {
    kind: "files",
    files: (scope, wanted, call) => {
      const hookEvents = wanted.map(({ hookEvent, seconds }) => [
        hookEvent,
        { gate: hookEvent === "tool.call", seconds },
      ]);
      const path = scope === "user" ? ".config/amp/plugins/sluice.ts" : ".amp/plugins/sluice.ts";
      return [{ path, text: ampShim({ words: call, scope }, Object.fromEntries(hookEvents)) }];
    },
    mcp: {
      ...mcpServers({ user: ".config/amp/settings.json", project: ".amp/settings.json" }),
      at: ["amp.mcpServers"],
    },
    traces: [".config/amp", ".amp"],
    projectDir: inVariable(PLUGIN_PROJECT_DIR),
    afterwards: {
      user: "Run `plugins: reload` in Amp's palette, or start Amp again; older versions load plugins only with PLUGINS=all.",
      project: "Run `plugins: reload` in Amp's palette, or start Amp again.",
    },
  },
  canary: {
    hookEvent: "tool.call",
    payload: (command, cwd) => ({
      agent: "amp",
      event: "tool.call",
      cwd,
      tool: "Bash",
      toolUseID: "canary",
      input: { cmd: command },
    }),
  },
  escapes: { flags: ["--settings-file"], variables: ["PLUGINS", "AMP_SETTINGS_FILE"] },
  limits: [
    "A prompt cannot be stopped: the model is asked not to act on it.",
    "Amp wants a decision about every call, so a plugin cannot keep silent: what no hook objects to is allowed.",
    "A message for the model before a tool runs is not accepted; it comes with a denial only.",
    "Where no user can be asked, `ask` is a denial.",
    "Amp calls its plugins experimental: their names may change with any version.",
  ],
  quirks: [
    {
      behaviour: "the text of the command is in `cmd`",
      answer: "hooks see it in `command`, and a changed one goes back as `cmd`",
    },
  ],
};

function decided(outcome: FittedDecision, payload: Payload): Reply {
  const message = withContext(outcome);
  const input = outcome.input === undefined ? undefined : theirInput(payload.input, outcome.input);
  switch (outcome.action) {
    case "deny":
      return { stdout: { action: "reject-and-continue", message }, stderr: message, exitCode: 2 };
    case "ask":
      return { stdout: { action: "ask", message, ...(input === undefined ? {} : { input }) } };
    case "modify":
    case "continue":
      return { stdout: input === undefined ? { action: "allow" } : { action: "modify", input } };
  }
}

function startedTurn(outcome: FittedDecision): Reply {
  const words = outcome.action === "deny" ? `Do not act on this message: ${withContext(outcome)}` : outcome.context;
  return { stdout: words === "" ? {} : { message: { content: words, display: outcome.action === "deny" } } };
}

function newResult({ output, context }: FittedDecision, payload: Payload): Reply {
  if (output === undefined && context === "") return { stdout: {} };
  const { status = "done", error } = payload;
  const result = output ?? payload.output ?? "";
  if (status !== "done" && typeof error === "string")
    return { stdout: { status, error: appended(error, context), output: payload.output } };
  return { stdout: { status, output: context === "" ? result : appended(result, context) } };
}

/** A result is a text or a list of blocks; anything else becomes text if a message is added to it. */
function appended(result: unknown, context: string): unknown {
  if (Array.isArray(result)) return [...result, { type: "text", text: context }];
  return `${typeof result === "string" ? result : JSON.stringify(result)}\n\n${context}`;
}

function goOn(outcome: FittedDecision): Reply {
  return { stdout: outcome.action === "deny" ? { action: "continue", userMessage: withContext(outcome) } : {} };
}

function silent(): Reply {
  return { stdout: {} };
}

function decode(payload: Payload): Decoded {
  return {
    sessionId: textAt(objectAt(payload, "thread"), "id"),
    cwd: textAt(payload, "cwd"),
    data: without(payload, "agent", "event", "thread", "cwd"),
  };
}

function decodePrompt(payload: Payload): Decoded {
  return { ...decode(payload), data: { prompt: textAt(payload, "message") ?? "", id: payload.id } };
}

function decodeTool(payload: Payload): Decoded {
  const toolName = needText(payload, "tool");
  const { data, ...where } = decode(payload);
  const { input: _, output, toolUseID, ...rest } = without(data, "tool");
  return {
    ...where,
    toolName,
    data: {
      ...rest,
      tool_use_id: toolUseID,
      tool_args: ourInput(toolName, payload.input === undefined ? {} : needObject(payload, "input")),
      ...(output === undefined ? {} : { tool_result: output }),
    },
  };
}

function decodeError(payload: Payload): Decoded {
  const { data, ...where } = decode(payload);
  return {
    ...where,
    data: { ...data, error_type: "error", error_message: textAt(payload, "error") ?? "the turn failed" },
  };
}

/** A plugin that hands Amp's events to Sluice and Sluice's answers to Amp. */
function ampShim(call: ShimCall, hookEvents: Readonly<Record<string, ShimHookEvent>>): string {
  return `// @i-know-the-amp-plugin-api-is-wip-and-very-experimental-right-now
// Asks \`sluice run amp\`; written by \`sluice install\`, taken away by \`sluice uninstall\`.
${callSluice(call)}
const HOOK_EVENTS = ${JSON.stringify(hookEvents, null, 2)};

${"export default"} function (amp) {
  for (const [event, hookEvent] of Object.entries(HOOK_EVENTS))
    amp.on(event, (sent, ctx) => (event === "tool.call" ? decided(sent, ctx, hookEvent) : answered(event, sent, hookEvent)));
}

/** Amp waits for a decision about every call; whatever goes wrong here is a refusal. */
async function decided(sent, ctx, hookEvent) {
  try {
    const answer = await answerOf(payloadOf("tool.call", sent), hookEvent);
    if (answer.action !== "ask") return answer;
    const yes = await ctx.ui.confirm({ title: "Allow " + sent.tool + "?", message: answer.message, confirmButtonText: "Allow" });
    if (yes !== true) return refused(answer.message);
    return answer.input ? { action: "modify", input: answer.input } : { action: "allow" };
  } catch (error) {
    return refused(error.message);
  }
}

async function answered(event, sent, hookEvent) {
  const answer = await answerOf(payloadOf(event, sent), hookEvent).catch(() => ({}));
  return Object.keys(answer).length === 0 ? undefined : answer;
}

function payloadOf(event, sent) {
  return { agent: "amp", event, cwd: process.cwd(), ...sent };
}

function refused(message) {
  return { action: "reject-and-continue", message };
}
`;
}
