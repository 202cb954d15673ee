import { once } from "../event/once.ts";
import type { Adapter, AgentHookEvent } from "./adapter.ts";
import { hookEventName, keepsTranscriptsIn, silent } from "./claude-family.ts";
import {
  decode,
  decodeError,
  decodeTool,
  denialAsContext,
  dropped,
  gate,
  keepWorking,
  ofAnotherShape,
  permission,
  result,
  words,
} from "./copilot-wire.ts";
import { type Payload, textAt } from "./payload.ts";
import { aroundFile, mcpServers, type Wanted } from "./recipe.ts";

const HOOK_EVENTS = once(
  () =>
    ({
      sessionStart: { as: "session:start", can: ["context"], decode, encode: words },
      userPromptSubmitted: {
        as: "user:prompt_submit",
        can: [],
        decode,
        encode: dropped,
        note: "what a hook answers is dropped",
      },
      userPromptTransformed: { as: "user:prompt_expand", can: [], decode, encode: silent, installed: "if matched" },
      preToolUse: {
        as: "tool:pre_execute",
        can: ["deny", "ask", "modify", "approve"],
        decode: decodeTool,
        encode: gate,
        refuses: ofAnotherShape,
      },
      permissionRequest: {
        as: "permission:check",
        can: ["deny", "ask", "approve"],
        decode: decodeTool,
        encode: permission,
      },
      postToolUse: {
        as: "tool:post_execute",
        can: ["context", "output"],
        decode: decodeTool,
        encode: result,
        maxContext: 10 * 1024,
      },
      postToolUseFailure: { as: "tool:error", can: ["context"], decode: decodeTool, encode: words },
      agentStop: {
        as: "session:stop",
        can: ["deny"],
        decode,
        encode: keepWorking,
        note: "after eight denials in a row the turn ends anyway",
      },
      subagentStart: {
        as: "subagent:start",
        can: ["context"],
        decode,
        encode: denialAsContext,
        note: "a denied sub-agent is asked to stop at once; Copilot starts it all the same",
      },
      subagentStop: { as: "subagent:stop", can: ["deny"], decode, encode: keepWorking },
      preCompact: { as: "session:pre_compact", can: [], decode, encode: silent },
      errorOccurred: { as: "session:error", can: [], decode: decodeError, encode: silent },
      notification: { as: "session:notification", can: ["context"], decode, encode: words },
      sessionEnd: { as: "session:end", can: [], decode, encode: silent },
    }) as const satisfies Record<string, AgentHookEvent>,
);

const BOTH_SPELLINGS = once(() => ({ ...HOOK_EVENTS(), ...pascalCase(HOOK_EVENTS()) }));

const RENAMED: Readonly<Record<string, string>> = { userPromptSubmitted: "UserPromptSubmit", agentStop: "Stop" };
const FILES = { user: ".copilot/hooks/sluice.json", project: ".github/hooks/sluice.json" };
const SHARED =
  "VS Code reads the same folder and runs these hooks too; they answer it in its own format, so it needs no others.";

/** GitHub Copilot CLI, and its agent in the cloud: the way a hook event is spelled chooses how its payload is. */
export const copilot: Adapter = {
  id: "copilot",
  title: "Copilot CLI",
  fileKeys: ["file_text", "new_str", "old_str", "path"],
  docs: "https://docs.github.com/en/copilot/reference/hooks-configuration",
  version: "1.0.102",
  proven: { version: "1.0.102", date: "2026-11-18" },
  program: "copilot",
  recognises,
  hookEventOf,
  nameKeys: ["hookName", "hook_event_name"],
  get hookEvents() {
    return BOTH_SPELLINGS();
  },
  seconds: 120,
  waited: [
    { version: "1.0.102", event: "tool:pre_execute", seconds: 120.4, came: "the tool ran" },
    { version: "1.0.102", event: "user:prompt_submit", seconds: 120.9, came: "the prompt was processed" },
    { version: "1.0.102", event: "session:end", seconds: 120.4, came: "the run ended" },
  ],
  unattended: { flags: ["-p", "--prompt"], isByInput: true, protocols: ["--acp", "--headless", "--server"] },
  recipe: {
    kind: "files",
    files: (scope, wanted) => [{ path: FILES[scope], text: hookFile(wanted) }],
    mcp: mcpServers({ user: ".copilot/mcp-config.json" }, { type: "local", tools: ["*"] }),
    http: {
      keepsCommands:
        "its HTTP hooks let a tool run when the server does not answer, and accept no address of this machine",
    },
    // The folder alone is not a sign of Copilot: VS Code reads hooks from it too.
    traces: [".copilot/config.json", ".copilot/settings.json", ".copilot/session-state", ".copilot/logs"],
    projectDir: aroundFile(".github/hooks/sluice.json"),
    statesHookEvent: true,
    anyExitDenies: true,
    trust: {
      scopes: ["project"],
      file: ".copilot/config.json",
      form: { listsUnder: ["trusted_folders", "trustedFolders"] },
      step: "Start `copilot` in this folder and trust it for future sessions, or run `sluice install copilot --scope user`.",
    },
    afterwards: {
      user: SHARED,
      project:
        `${SHARED} Copilot runs a project's hooks only in a folder that you trust; its agent in the cloud runs them ` +
        "once they are on the default branch, and finds Sluice where its setup steps install the project's packages.",
    },
  },
  alsoReads: [".claude/settings.json"],
  canary: {
    hookEvent: "preToolUse",
    payload: (command, cwd) => ({
      sessionId: "sluice-doctor",
      timestamp: 0,
      cwd,
      toolName: "bash",
      toolArgs: { command },
    }),
  },
  escapes: {
    words: ["disableAllHooks"],
    variables: ["COPILOT_HOME"],
    machine: ["/etc/github-copilot"],
    files: {
      user: [".copilot/settings.json"],
      project: [".github/copilot/settings.json", ".github/copilot/settings.local.json"],
    },
  },
  limits: [
    "A prompt cannot be stopped or changed: what a hook answers there is dropped.",
    "A hook that takes too long lets the tool run; one that crashes before a tool stops it.",
    "The sub-agent `general-purpose` reaches hooks neither when it starts nor when it stops.",
    "In the cloud no user can be asked: what needs approval is denied.",
    "`disableAllHooks` in its settings switches Sluice off.",
  ],
  judgesRewritten: true,
  quirks: [
    {
      behaviour: "payloads do not name their hook event",
      answer: "it is on the command line; without it, the fields decide",
      fixture: "copilot/preToolUse.json",
    },
    {
      behaviour: "a permission request has its input under another name than the call itself",
      answer: "both are read",
      fixture: "copilot/permissionRequest.json",
    },
    {
      behaviour: "standard error of exit code 2 is dropped",
      answer: "denials are JSON with exit code 0",
      fixture: "copilot/preToolUse.json",
    },
    {
      behaviour: "hooks of a project were not run where its folder was not known to be trusted",
      answer: "`sluice install copilot --scope user` works everywhere",
    },
  ],
};

/** One dialect has a session in camelCase; the other has the time and, unlike its relatives, no transcript of others. */
function recognises(payload: Payload): boolean {
  const { hook_event_name: name, clineVersion, cursor_version } = payload;
  if (clineVersion !== undefined || cursor_version !== undefined) return false;
  if (textAt(payload, "sessionId") !== undefined) return name === undefined && hookEventOf(payload) !== undefined;
  if (typeof name !== "string" || textAt(payload, "timestamp") === undefined) return false;
  const isAlone = payload.transcript_path === undefined && payload.permission_mode === undefined;
  return Object.hasOwn(copilot.hookEvents, name) && (isAlone || keepsTranscriptsIn(payload, ".copilot"));
}

function hookEventOf(payload: Payload): string | undefined {
  const named = hookEventName(payload) ?? textAt(payload, "hookName");
  if (named !== undefined) return named;
  return TELLING.find(([keys]) => keys.every((key) => payload[key] !== undefined))?.[1];
}

/** Which fields belong to which hook event, the most specific ones first. */
const TELLING: readonly (readonly [keys: readonly string[], hookEvent: keyof ReturnType<typeof HOOK_EVENTS>])[] = [
  [["toolName", "toolResult"], "postToolUse"],
  [["toolName", "error"], "postToolUseFailure"],
  [["toolName"], "preToolUse"],
  [["transformedPrompt"], "userPromptTransformed"],
  [["error"], "errorOccurred"],
  [["notification_type"], "notification"],
  [["agentName", "response"], "subagentStop"],
  [["agentName", "stopReason"], "subagentStop"],
  [["agentName", "agentId"], "subagentStop"],
  [["agentName"], "subagentStart"],
  [["stopReason"], "agentStop"],
  [["trigger"], "preCompact"],
  [["source"], "sessionStart"],
  [["reason"], "sessionEnd"],
  [["prompt"], "userPromptSubmitted"],
];

/** The same hook events under the names of the other dialect, which is read and never asked for. */
function pascalCase(hookEvents: Readonly<Record<string, AgentHookEvent>>): Record<string, AgentHookEvent> {
  return Object.fromEntries(
    Object.entries(hookEvents).map(([name, row]) => [
      RENAMED[name] ?? name.charAt(0).toUpperCase() + name.slice(1),
      { ...row, installed: "never" },
    ]),
  );
}

function hookFile(wanted: readonly Wanted[]): string {
  const hooks = Object.fromEntries(
    wanted.map(({ hookEvent, command, windows = command, seconds, matcher }) => {
      const told = matcher === undefined ? {} : { matcher };
      return [
        hookEvent,
        [{ type: "command", bash: command, powershell: `& ${windows}`, timeoutSec: seconds, ...told }],
      ];
    }),
  );
  return `${JSON.stringify({ version: 1, hooks }, null, 2)}\n`;
}
