import { isObject } from "../event/json.ts";
import { once } from "../event/once.ts";
import type { Adapter, AgentHookEvent, Decoded, FittedDecision, OwnPlugin, Reply } from "./adapter.ts";
import {
  dated,
  decode,
  decodeTool,
  hookEvent,
  hookEventName,
  keepsTranscriptsIn,
  objectionAndResult,
  promptHookEvent,
  showUser,
  silent,
  toolHookEvent,
  withContext,
} from "./claude-family.ts";
import { changedOutside, objectAt, type Payload, textAt } from "./payload.ts";
import { inReplacedVariable, mcpServers } from "./recipe.ts";
import { theirInput } from "./shell-input.ts";

const FAILED = "AfterTool.error";

const HOOK_EVENTS = once(() =>
  dated({
    SessionStart: hookEvent("session:start", ["context"], contextOnly),
    SessionEnd: hookEvent("session:end", [], silent),
    BeforeAgent: promptHookEvent("user:prompt_submit", ["deny", "context"], denyOrContext),
    AfterAgent: hookEvent("session:stop", ["deny"], denyOrTell, { note: "nothing ends a hook that denies every time" }),
    BeforeTool: toolHookEvent("tool:pre_execute", ["deny", "ask", "modify"], beforeTool),
    AfterTool: toolHookEvent("tool:post_execute", ["feedback", "context", "output"], afterTool, {
      note: "an objection takes the place of the result",
    }),
    [FAILED]: {
      ...toolHookEvent("tool:error", ["context"], contextOnly, { installed: "never" }),
      decode: decodeFailed,
      note: "it comes as AfterTool, with an error in the result",
    },
    BeforeModel: {
      ...hookEvent("llm:pre_request", ["deny", "modify"], beforeModel, {
        installed: "if matched",
        refuses: beyondRequest,
      }),
      decode: decodeModel,
    },
    BeforeToolSelection: {
      ...hookEvent("llm:tool_selection", [], silent, { installed: "if matched" }),
      decode: decodeModel,
    },
    AfterModel: {
      ...hookEvent("llm:post_response", ["output"], afterModel, { installed: "if matched" }),
      decode: decodeModel,
      note: "it fires for every piece of a streamed answer",
    },
    PreCompress: hookEvent("session:pre_compact", [], silent, {
      installed: "if matched",
      note: "it fires before every turn of the model, whether or not anything is compressed",
    }),
    Notification: hookEvent("session:notification", [], silent),
  } as const satisfies Record<string, AgentHookEvent>),
);

const EXTENSION = ".gemini/extensions/sluice";
const ENABLEMENT = ".gemini/extensions/extension-enablement.json";

/** Each override is a folder, `!` before it switches off, a star after it includes what is below; the last one that fits decides. */
const findExtension: OwnPlugin["find"] = (read, { home, root }) => {
  const folder = `${home}/${EXTENSION}`;
  if (read(`${folder}/gemini-extension.json`) === undefined) return undefined;
  const { overrides = [] } = Object(Object(read(`${home}/${ENABLEMENT}`)).sluice);
  const fits = (rule: string) => {
    const base = rule.replace(/^!/, "").replace(/\/?\*?$/, "");
    return root === base || (rule.endsWith("*") && root.startsWith(`${base}/`));
  };
  const last = [overrides].flat().map(String).findLast(fits);
  return { folder, isOn: last === undefined || !last.startsWith("!") };
};

/** Gemini CLI: denials are on the top level of the answer, and times are milliseconds. */
export const geminiCli: Adapter = {
  id: "gemini-cli",
  title: "Gemini CLI",
  fileKeys: ["content", "new_string", "old_string", "file_path"],
  docs: "https://geminicli.com/docs/hooks/reference",
  version: "0.61.0",
  proven: { version: "0.61.0", date: "2026-11-19" },
  program: "gemini",
  transcripts: () => import("./transcripts/gemini-cli.ts"),
  recognises: (payload) => {
    const name = hookEventName(payload) ?? "";
    if (!Object.hasOwn(HOOK_EVENTS(), name)) return false;
    return OWN_NAMES.test(name) || keepsTranscriptsIn(payload, ".gemini");
  },
  hookEventOf: (payload) => {
    const name = hookEventName(payload);
    return name === "AfterTool" && errorIn(payload) !== undefined ? FAILED : name;
  },
  nameKeys: ["hook_event_name"],
  get hookEvents() {
    return HOOK_EVENTS();
  },
  seconds: 120,
  // It ends the shell of the line, and continues when its pipes are closed.
  waited: [
    { version: "0.61.0", event: "tool:pre_execute", seconds: 120, came: "the tool ran" },
    { version: "0.61.0", event: "user:prompt_submit", seconds: 120, came: "the prompt was processed" },
    { version: "0.61.0", event: "session:end", seconds: 120, came: "the run ended" },
  ],
  projectVariables: ["GEMINI_PROJECT_DIR"],
  messageKey: "systemMessage",
  unattended: { flags: ["-p", "--prompt"], isByInput: true, protocols: ["--acp", "--experimental-acp"] },
  recipe: {
    kind: "entries",
    files: { user: ".gemini/settings.json", project: ".gemini/settings.json" },
    entry: ({ hookEvent, command, seconds, matcher }) => ({
      at: ["hooks", hookEvent],
      value: {
        ...(matcher === undefined ? {} : { matcher }),
        hooks: [{ type: "command", command, name: "sluice", timeout: seconds * 1000 }],
      },
    }),
    mcp: mcpServers({ user: ".gemini/settings.json", project: ".gemini/settings.json" }),
    traces: [".gemini"],
    projectDir: inReplacedVariable("GEMINI_PROJECT_DIR"),
    trust: {
      scopes: ["user", "project"],
      file: ".gemini/trustedFolders.json",
      form: "folder levels",
      isAsked: { file: ".gemini/settings.json", at: ["security", "folderTrust", "enabled"], unset: true },
      step: "Start `gemini` in this folder and trust it, or run `/permissions` in it.",
    },
    afterwards: {
      user: "Start `gemini` in each project and trust the folder: Gemini CLI runs no hook, not even your own, in others.",
      project:
        "Start `gemini` in this folder and trust it: Gemini CLI runs no hook in others. It warns once about a project's new ones.",
    },
  },
  canary: {
    hookEvent: "BeforeTool",
    payload: (command, cwd) => ({
      session_id: "sluice-doctor",
      cwd,
      hook_event_name: "BeforeTool",
      timestamp: "2026-01-01T00:00:00.000Z",
      tool_name: "run_shell_command",
      tool_input: { command },
    }),
  },
  escapes: {
    words: ["hooks disable"],
    variables: ["GEMINI_CLI_HOME", "GEMINI_CLI_SYSTEM_SETTINGS_PATH"],
    files: { user: [".gemini/trustedFolders.json", ".gemini/.env"], project: [".gemini/.env"] },
    machine: ["/etc/gemini-cli", "/Library/Application Support/GeminiCli"],
  },
  ownPlugin: {
    folder: EXTENSION,
    lists: [ENABLEMENT, ".gemini/extension_integrity.json"],
    variable: "extensionPath",
    enables: "gemini extensions enable sluice",
    removes: "gemini extensions uninstall sluice",
    find: findExtension,
  },
  marks: ["GEMINI_CLI"],
  limits: [
    "In a folder that Gemini CLI does not trust no hook runs, not even your own.",
    "A hook that crashes or takes too long lets the call pass; Sluice answers before the time limit.",
    "A message for the model before a tool runs is not accepted; it comes with a denial only.",
    "Without a terminal, or with `-p`, an `ask` is a denial: 0.61.0 would wait for ever. Only on Linux Sluice can see how it was started.",
    "`hooksConfig` in its settings can switch hooks off.",
  ],
  judgesRewritten: true,
  quirks: [
    {
      behaviour: "a denial inside hookSpecificOutput is not read, and the tool runs",
      answer: "`decision` and `reason` are on the top level",
      fixture: "gemini-cli/BeforeTool.run_shell_command.json",
    },
    {
      behaviour: "`tool_input` replaces the whole input, although the manual states that it is merged",
      answer: "the whole input is sent, changed or not",
      fixture: "gemini-cli/BeforeTool.write_file.json",
    },
    {
      behaviour: "exit code 2 without any output lets the tool run",
      answer: "a denial always has its reason, as JSON and on standard error",
    },
    {
      behaviour: "the dialog of an `ask` does not show its `reason`",
      answer: "the reason is sent as `systemMessage` too, which the dialog shows",
    },
    {
      behaviour: "a failed tool does not have a hook event of its own",
      answer: "an AfterTool whose result has an error is tool:error",
      fixture: "gemini-cli/AfterTool.read_file.json",
    },
  ],
};

/** `ask` makes Gemini CLI ask its user; a changed input can go with it. */
function beforeTool(outcome: FittedDecision, payload: Payload): Reply {
  const { action, reason, input } = outcome;
  const changed = input === undefined ? undefined : theirInput(payload.tool_input, input);
  const output = changed === undefined ? {} : inside(payload, { tool_input: changed });
  if (action === "deny") return deny(outcome);
  // Its dialog shows `systemMessage` and drops `reason`.
  if (action === "ask") {
    const text = withContext(outcome);
    return { stdout: { decision: "ask", reason: text, systemMessage: text, ...output }, stderr: reason };
  }
  // Nothing of it reaches the model before the tool runs; its user sees it.
  const told = Object(showUser(outcome).stdout);
  return changed === undefined ? showUser(outcome) : { stdout: { ...output, ...told } };
}

/** A denied result is replaced by its reason, so the reason has both: the objection, and the result or another one. */
function afterTool(outcome: FittedDecision, payload: Payload): Reply {
  const { output, feedback } = outcome;
  const { stdout } = contextOnly(outcome, payload);
  if (output === undefined && feedback === undefined) return stdout === undefined ? {} : { stdout };
  const reason = objectionAndResult(feedback, textOf(output ?? payload.tool_response ?? ""));
  return { stdout: { decision: "deny", reason, ...Object(stdout) } };
}

/** Nothing but the request itself can be another one. */
function beyondRequest({ input }: FittedDecision, payload: Payload): string | undefined {
  const { timestamp: _, ...data } = decodeModel(payload).data;
  const others = changedOutside(["llm_request", "llm_model", "timestamp"], data, input);
  const isWhole = isObject(input) && isObject(input.llm_request) && others.length === 0;
  return isWhole ? undefined : "Gemini CLI takes another `llm_request`, and nothing else";
}

function beforeModel(outcome: FittedDecision, payload: Payload): Reply {
  if (outcome.action === "deny") return deny(outcome);
  if (!isObject(outcome.input)) return {};
  const request = objectAt(outcome.input, "llm_request");
  const model = textAt(outcome.input, "llm_model");
  const was = objectAt(payload, "llm_request").model;
  const llm_request = model === undefined || model === was ? request : { ...request, model };
  return { stdout: inside(payload, { llm_request }) };
}

function afterModel({ output }: FittedDecision, payload: Payload): Reply {
  return isObject(output) ? { stdout: inside(payload, { llm_response: output.llm_response }) } : {};
}

function denyOrContext(outcome: FittedDecision, payload: Payload): Reply {
  return outcome.action === "deny" ? deny(outcome) : contextOnly(outcome, payload);
}

function denyOrTell(outcome: FittedDecision): Reply {
  return outcome.action === "deny" ? deny(outcome) : showUser(outcome);
}

function deny(outcome: FittedDecision): Reply {
  const reason = withContext(outcome);
  return { stdout: { decision: "deny", reason }, stderr: reason };
}

function contextOnly({ context }: FittedDecision, payload: Payload): Reply {
  return context === "" ? {} : { stdout: inside(payload, { additionalContext: context }) };
}

function inside(payload: Payload, output: object): object {
  return { hookSpecificOutput: { hookEventName: hookEventName(payload), ...output } };
}

/** The model reads text, never an empty one; of a result in Gemini's own shape that is `llmContent`. */
function textOf(output: unknown): string {
  const told = isObject(output) && "llmContent" in output ? output.llmContent : output;
  return (typeof told === "string" ? told : JSON.stringify(told)) || "(empty)";
}

function decodeFailed(payload: Payload): Decoded {
  const { data, ...rest } = decodeTool(payload);
  return { ...rest, data: { ...data, error: errorIn(payload) } };
}

function decodeModel(payload: Payload): Decoded {
  const { data, ...rest } = decode(payload);
  const usage = objectAt(objectAt(payload, "llm_response"), "usageMetadata");
  const tokens = usage.totalTokenCount === undefined ? {} : { llm_tokens: usage.totalTokenCount };
  return { ...rest, data: { ...data, llm_model: textAt(objectAt(payload, "llm_request"), "model"), ...tokens } };
}

function errorIn(payload: Payload): string | undefined {
  const error = objectAt(payload, "tool_response").error;
  if (error === undefined || error === null) return undefined;
  return typeof error === "string" ? error : (textAt(Object(error), "message") ?? JSON.stringify(error));
}

const OWN_NAMES = /^(?:(?:Before|After)[A-Z]|PreCompress$)/;
