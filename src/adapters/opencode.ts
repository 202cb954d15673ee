import { isObject } from "../event/json.ts";
import { once } from "../event/once.ts";
import type { Adapter, AgentHookEvent, Power } from "./adapter.ts";
import { callSluice, type ShimCall, type ShimHookEvent } from "./call-sluice.ts";
import {
  answer,
  beyondParameters,
  decodeCommand,
  decodeError,
  decodeEvent,
  decodeHook,
  decodePermission,
  decodePrompt,
  decodeRequest,
  decodeText,
  decodeTool,
  denyOnly,
  eventIn,
  moreContext,
  newArguments,
  newParameters,
  newPrompt,
  newResult,
  newText,
  status,
} from "./opencode-wire.ts";
import { objectAt, type Payload, textAt } from "./payload.ts";
import { inVariable, PLUGIN_PROJECT_DIR, type Wanted } from "./recipe.ts";

/** What the plugin is asked about: it waits for the answer. */
const HOOKS = once(
  () =>
    ({
      "tool.execute.before": row("tool:pre_execute", ["deny", "modify"], newArguments, decodeTool),
      "tool.execute.after": row("tool:post_execute", ["context", "output"], newResult, decodeTool),
      "chat.message": row("user:prompt_submit", ["deny", "modify", "context"], newPrompt, decodePrompt),
      "command.execute.before": row("user:prompt_expand", ["deny"], denyOnly, decodeCommand),
      "permission.ask": row("permission:check", ["deny", "ask", "approve"], status, decodePermission, {
        installed: "never",
        note: "OpenCode declares it and never calls it",
      }),
      "chat.params": row("llm:pre_request", ["deny", "modify"], newParameters, decodeRequest, {
        installed: "if matched",
        refuses: beyondParameters,
      }),
      "experimental.text.complete": row("llm:post_response", ["output"], newText, decodeText, {
        installed: "if matched",
      }),
      "experimental.session.compacting": row("session:pre_compact", ["context"], moreContext, decodeHook),
    }) as const satisfies Record<string, AgentHookEvent>,
);

/** Events that the plugin only receives, on OpenCode's bus of events. */
const EVENTS = once(
  () =>
    ({
      "session.created": reported("session:start"),
      "session.created.child": {
        ...reported("subagent:start"),
        installed: "never",
        note: "it comes as session.created",
      },
      "session.idle": { ...reported("session:stop"), note: "the turn has ended; nothing keeps it working" },
      "session.error": { ...reported("session:error"), decode: decodeError },
      "session.compacted": reported("session:post_compact"),
      "session.deleted": reported("session:end"),
      "file.edited": { ...reported("file:changed"), installed: "if matched" },
      "file.watcher.updated": {
        ...reported("file:changed"),
        installed: "never",
        note: "file.edited fires for it as well",
      },
      "permission.asked": { ...reported("permission:prompt"), installed: "if matched" },
      "permission.replied": { ...reported("permission:granted"), installed: "if matched" },
      "permission.replied.reject": {
        ...reported("permission:denied"),
        installed: "never",
        note: "it comes as permission.replied",
      },
      "tui.toast.show": { ...reported("session:notification"), installed: "if matched" },
    }) as const satisfies Record<string, AgentHookEvent>,
);

const HOOK_EVENTS = once(() => ({ ...HOOKS(), ...EVENTS() }));

/** OpenCode: a plugin inside the agent, which throws to deny and changes things where they lie. */
export const opencode: Adapter = {
  id: "opencode",
  title: "OpenCode",
  fileKeys: ["content", "newString", "oldString", "filePath"],
  docs: "https://opencode.ai/docs/plugins",
  version: "1.18.18",
  proven: { version: "1.18.33", date: "2026-11-18" },
  program: "opencode",
  recognises: (payload) => typeof payload.hook === "string" && isObject(payload.input),
  hookEventOf,
  nameKeys: ["hook"],
  get hookEvents() {
    return HOOK_EVENTS();
  },
  seconds: 120,
  waited: [
    { version: "1.18.18", event: "tool:pre_execute", seconds: 120.1, came: "the plugin stopped the tool" },
    { version: "1.18.18", event: "user:prompt_submit", seconds: 120.4, came: "the plugin stopped the prompt" },
  ],
  recipe: {
    kind: "files",
    files: (scope, wanted, call) => [
      {
        path: scope === "user" ? ".config/opencode/plugin/sluice.js" : ".opencode/plugin/sluice.js",
        text: opencodeShim({ words: call, scope }, among(wanted, HOOKS()), among(wanted, EVENTS())),
      },
    ],
    mcp: {
      files: { user: ".config/opencode/opencode.json", project: "opencode.json" },
      at: ["mcp"],
      server: (words) => ({ type: "local", command: words, enabled: true }),
    },
    traces: [".config/opencode", ".local/share/opencode"],
    projectDir: inVariable(PLUGIN_PROJECT_DIR),
    afterwards: {
      user: "OpenCode loads plugins when it starts: start it again.",
      project: "OpenCode loads plugins when it starts: start it again.",
    },
  },
  transcripts: () => import("./transcripts/opencode.ts"),
  canary: {
    hookEvent: "tool.execute.before",
    payload: (command, cwd) => ({
      hook: "tool.execute.before",
      input: { tool: "bash", sessionID: "sluice-doctor", callID: "canary" },
      output: { args: { command } },
      cwd,
    }),
  },
  escapes: { flags: ["--pure"], variables: ["OPENCODE_CONFIG_DIR", "OPENCODE_PURE"], machine: ["/etc/opencode"] },
  marks: ["OPENCODE"],
  limits: [
    "A denied call is an error that the model reads; a denied prompt ends a run without a terminal.",
    "The user cannot be asked: `ask` is a denial.",
    "A tool that fails is not reported to hooks.",
    "MCP tools are named after their server without a mark (`server_tool`), so `@mcp` does not know them: name them.",
    "The end of a turn and compaction cannot be stopped.",
    "A plugin file that cannot be loaded is left out, and tools run: `sluice doctor` reads it.",
  ],
  judgesRewritten: true,
  quirks: [
    {
      behaviour: "new arguments are ignored when they replace the old object",
      answer: "the plugin changes the old object in place",
      fixture: "opencode/tool.execute.before.json",
    },
    {
      behaviour: "a hook that hangs blocks the run for ever",
      answer: "the plugin stops waiting, and the call is denied",
    },
    {
      behaviour: "the data of a request to the model contains the provider's key",
      answer: "the plugin leaves it out, and so does the event",
      fixture: "opencode/chat.params.json",
    },
  ],
};

function row(
  as: AgentHookEvent["as"],
  can: readonly Power[],
  encode: AgentHookEvent["encode"],
  decode: AgentHookEvent["decode"],
  more: Partial<AgentHookEvent> = {},
): AgentHookEvent {
  return { as, can, decode, encode, ...more };
}

function reported(as: AgentHookEvent["as"]): AgentHookEvent {
  return { as, can: [], decode: decodeEvent, encode: () => answer() };
}

function hookEventOf(payload: Payload): string | undefined {
  const hook = textAt(payload, "hook");
  if (hook !== "event") return hook;
  const { type, properties } = eventIn(payload);
  if (type === "session.created" && textAt(objectAt(properties, "info"), "parentID") !== undefined)
    return `${type}.child`;
  return type === "permission.replied" && /reject/.test(String(properties.reply ?? properties.response))
    ? `${type}.reject`
    : type;
}

/** Only what can be denied is blocked if Sluice does not answer. */
function among(
  wanted: readonly Wanted[],
  rows: Readonly<Record<string, AgentHookEvent>>,
): Record<string, ShimHookEvent> {
  return Object.fromEntries(
    wanted.flatMap(({ hookEvent, gate, seconds }) => {
      const row = Object.hasOwn(rows, hookEvent) ? rows[hookEvent] : undefined;
      return row === undefined ? [] : [[hookEvent, { gate: gate && row.can.includes("deny"), seconds }]];
    }),
  );
}

/** A plugin that calls Sluice at these hooks and reports these events to it, and knows nothing else about them. */
function opencodeShim(
  call: ShimCall,
  hooks: Readonly<Record<string, ShimHookEvent>>,
  events: Readonly<Record<string, ShimHookEvent>>,
): string {
  return `// Asks \`sluice run opencode\`; written by \`sluice install\`, taken away by \`sluice uninstall\`.
${callSluice(call)}
const HOOKS = ${JSON.stringify(hooks, null, 2)};
const EVENTS = ${JSON.stringify(events, null, 2)};

${"export const"} Sluice = async ({ directory }) => {
  const asked = Object.entries(HOOKS).map(([hook, hookEvent]) => [
    hook,
    async (input, output) => {
      const answer = await answerOf({ hook, input: withoutKeys(hook, input), output, cwd: directory }, hookEvent);
      if (answer.action === "deny" && hookEvent.gate) throw new Error(answer.reason);
      for (const [key, value] of Object.entries(answer.output ?? {})) output[key] = become(output[key], value);
    },
  ]);
  const event = async ({ event }) => {
    const hookEvent = Object.hasOwn(EVENTS, event.type) ? EVENTS[event.type] : undefined;
    if (hookEvent) answerOf({ hook: "event", input: { event }, cwd: directory }, hookEvent).catch(() => {});
  };
  return { ...Object.fromEntries(asked), event };
};

/** OpenCode reads changes only in the object that it passed to the hook; it ignores a new object. */
function become(target, source) {
  if (!holds(target) || !holds(source) || Array.isArray(target) !== Array.isArray(source)) return source;
  for (const key of Object.keys(target)) if (!Object.hasOwn(source, key)) delete target[key];
  for (const [key, value] of Object.entries(source)) target[key] = become(target[key], value);
  if (Array.isArray(target)) target.length = source.length;
  return target;
}

function holds(value) {
  return typeof value === "object" && value !== null;
}

/** A provider's and a model's settings hold keys, which stay there. */
function withoutKeys(hook, input) {
  if (hook !== "chat.params") return input;
  const { provider, model, ...rest } = input;
  return { ...rest, model: { id: model?.id, providerID: model?.providerID } };
}
`;
}
