import { shellWord } from "../effects/parse/value.ts";
import { isObject } from "../event/json.ts";
import { once } from "../event/once.ts";
import type { Adapter, AgentHookEvent, Decoded, FittedDecision, Power, Reply } from "./adapter.ts";
import { withContext } from "./claude-family.ts";
import { lostKeys, mcpToolName, needString, needText, objectAt, type Payload, textAt, without } from "./payload.ts";
import { aroundScript, mcpServers } from "./recipe.ts";
import { ourInput, theirInput } from "./shell-input.ts";

const DETACHED = "Cline's command does not wait for hooks here, and does not read an answer";
const SAME_FILE = { installed: "never" } as const;
const FAILED = { ...SAME_FILE, note: "it comes as the result of a tool, with an error" } as const;

/** A file's name is a hook event; the editor uses that name, the command uses another for the same file. */
const HOOK_EVENTS = once(
  () =>
    ({
      TaskStart: row("session:start", ["context"], contextOnly),
      TaskResume: row("session:start", ["context"], contextOnly),
      TaskCancel: row("user:interrupt"),
      TaskComplete: row("session:stop"),
      TaskError: failure(),
      UserPromptSubmit: row("user:prompt_submit", ["deny", "context"], cancel, { decode: decodePrompt }),
      PreToolUse: tool("tool:pre_execute", ["deny", "context"], cancel, "preToolUse"),
      PostToolUse: tool("tool:post_execute", ["context"], contextOnly, "postToolUse"),
      "PostToolUse.error": { ...tool("tool:error", ["context"], contextOnly, "postToolUse"), ...FAILED },
      SessionShutdown: row("session:end"),
      PreCompact: row("session:pre_compact", [], silent, { ...SAME_FILE, note: "Cline never calls it" }),
      Notification: row("session:notification", [], silent, { ...SAME_FILE, note: "Cline never calls it" }),
      agent_start: row("session:start", [], silent, { ...SAME_FILE, note: DETACHED }),
      agent_resume: row("session:start", [], silent, { ...SAME_FILE, note: DETACHED }),
      agent_abort: row("user:interrupt", [], silent, SAME_FILE),
      agent_end: row("session:stop", [], silent, { ...SAME_FILE, note: DETACHED }),
      agent_error: { ...failure(), ...SAME_FILE },
      prompt_submit: row("user:prompt_submit", [], silent, { ...SAME_FILE, note: DETACHED }),
      tool_call: {
        ...tool("tool:pre_execute", ["deny", "modify", "context"], override, "tool_call"),
        ...SAME_FILE,
        refuses: addsKeys,
        note: "a change that adds a key is denied: the tools ignore a key that the call does not have",
      },
      tool_result: { ...tool("tool:post_execute", ["context"], contextOnly, "tool_result"), ...SAME_FILE },
      "tool_result.error": { ...tool("tool:error", ["context"], contextOnly, "tool_result"), ...FAILED },
      session_shutdown: row("session:end", [], silent, SAME_FILE),
    }) as const satisfies Record<string, AgentHookEvent>,
);

/** Cline: programs named after hook events; a denial cancels the whole task, and exit codes are not looked at. */
export const cline: Adapter = {
  id: "cline",
  title: "Cline",
  docs: "https://docs.cline.bot/features/hooks",
  version: "3.0.65",
  proven: { version: "3.0.65", date: "2026-11-18" },
  program: "cline",
  recognises: (payload) => "clineVersion" in payload && "hookName" in payload,
  hookEventOf: (payload) => {
    const name = textAt(payload, "hookName");
    const failed = hasFailed(payload) ? `${name}.error` : "";
    return Object.hasOwn(HOOK_EVENTS(), failed) ? failed : name;
  },
  nameKeys: ["hookName"],
  get hookEvents() {
    return HOOK_EVENTS();
  },
  seconds: 30,
  projectOf: firstRoot,
  recipe: {
    kind: "files",
    files: (_scope, wanted) =>
      (wanted.length === 0 ? everyFile() : wanted).map(({ hookEvent, command }) => ({
        path: `.cline/hooks/${hookEvent}`,
        text: cancels(hookEvent) ? gateProgram(command) : `#!/bin/sh\n${command}\n`,
        isProgram: true,
      })),
    mcp: mcpServers({ user: ".cline/data/settings/cline_mcp_settings.json" }),
    traces: [".cline", "Documents/Cline"],
    projectDir: aroundScript(".cline/hooks"),
    afterwards: {
      user: "In the editor, hooks have to be switched on in Cline's settings.",
      project: "In the editor, hooks have to be switched on in Cline's settings.",
    },
  },
  canary: {
    hookEvent: "PreToolUse",
    payload: (command, cwd) => ({
      clineVersion: "0",
      hookName: "PreToolUse",
      taskId: "sluice-doctor",
      workspaceRoots: [cwd],
      preToolUse: { toolName: "execute_command", parameters: { command } },
    }),
  },
  escapes: { flags: ["--config", "--data-dir", "--hooks-dir"], variables: ["CLINE_DIR"] },
  marks: ["CLINE_ACTIVE"],
  limits: [
    "A denied tool ends the whole task, not only that call, and the model does not learn why: Cline's command prints only that the task was aborted. Sluice prints the reason on the standard error of Cline, or on its terminal; continue the task with the reason in your next message. A run without a terminal cannot be resumed after a denial: start another one, with the reason in its prompt.",
    "Cline's command reads answers only around tools: prompts and the end of a task continue whatever a hook answers.",
    "The user cannot be asked: `ask` is a denial.",
    "The editor does not accept a changed input, so it is a denial there. Cline's command accepts it.",
    "A hook that takes too long lets the tool run; Sluice answers before the time limit.",
  ],
  quirks: [
    {
      behaviour: "exit codes are ignored, so a hook that cannot start lets the tool run",
      answer: "the installed program cancels by itself if Sluice does not answer",
    },
    {
      behaviour: "the command and the editor name the same hook event differently",
      answer: "both names have a row of their own, with what each can do",
    },
  ],
};

/**
 * Cline does not read exit codes, so a missing answer becomes one that cancels. It shows nothing that a hook prints and not even the
 * reason of a denial, so the standard error of the command goes to that of Cline itself, or else to its terminal.
 */
function gateProgram(command: string): string {
  const unanswered = { cancel: true, errorMessage: "Sluice did not answer. Run `sluice doctor` to find out why." };
  return [
    "#!/bin/sh",
    "to=",
    // A canary of `sluice doctor` is not shown to the user.
    'for path in ${SLUICE_CANARY:+/dev/null} "/proc/$PPID/fd/2" /dev/tty; do [ -n "$to" ] || { (: >>"$path") 2>/dev/null && to=$path; }; done',
    'answer=$([ -z "$to" ] || exec 2>>"$to"',
    command,
    `) || answer='${JSON.stringify(unanswered)}'`,
    "printf '%s\\n' \"$answer\"",
    "",
  ].join("\n");
}

function everyFile(): { hookEvent: string; command: string }[] {
  return Object.entries<AgentHookEvent>(HOOK_EVENTS())
    .filter(([, { installed }]) => installed !== "never")
    .map(([hookEvent]) => ({ hookEvent, command: "" }));
}

/** Whether the answer of a file can stop something. */
function cancels(file: string): boolean {
  return Object.entries<AgentHookEvent>(HOOK_EVENTS()).some(([name, { can }]) => name === file && can.includes("deny"));
}

function row(
  as: AgentHookEvent["as"],
  can: readonly Power[] = [],
  encode = silent,
  more: Partial<AgentHookEvent> = {},
): AgentHookEvent {
  return { as, can, decode, encode, ...more };
}

function tool(
  as: AgentHookEvent["as"],
  can: readonly Power[],
  encode: AgentHookEvent["encode"],
  part: string,
): AgentHookEvent {
  return { as, can, encode, decode: (payload) => decodeTool(payload, part) };
}

function failure(): AgentHookEvent {
  return {
    ...row("session:error"),
    decode: (payload) => {
      const { data, ...where } = decode(payload);
      const failed = { ...objectAt(payload, "taskError"), ...objectAt(payload, "error"), ...payload };
      const message = textAt(failed, "message", "errorMessage", "error") ?? "the task failed";
      return { ...where, data: { ...data, error_type: "error", error_message: message } };
    },
  };
}

function silent(_said: FittedDecision, _payload: Payload): Reply {
  return {};
}

function cancel(outcome: FittedDecision, payload: Payload): Reply {
  if (outcome.action !== "deny") return contextOnly(outcome, payload);
  return { stdout: { cancel: true, errorMessage: withContext(outcome) }, stderr: outcome.reason };
}

function override(outcome: FittedDecision, payload: Payload): Reply {
  if (outcome.action === "deny" || outcome.input === undefined) return cancel(outcome, payload);
  const overrideInput = theirInput(tidy(objectAt(payload, "tool_call").input), outcome.input);
  const { stdout } = contextOnly(outcome, payload);
  return { stdout: { ...Object(stdout), overrideInput } };
}

/** Cline's tools drop a key that they do not know, and run with the rest as it was. */
function addsKeys(outcome: FittedDecision, payload: Payload): string | undefined {
  const original = tidy(objectAt(payload, "tool_call").input);
  const added = lostKeys(theirInput(original, outcome.input), original);
  return added.length === 0
    ? undefined
    : `this tool of Cline does not have ${added.map((key) => `\`${key}\``).join(", ")}`;
}

function contextOnly({ context }: FittedDecision, _payload: Payload): Reply {
  return context === "" ? {} : { stdout: { contextModification: context } };
}

function decode(payload: Payload): Decoded {
  const { userPromptSubmit, ...rest } = without(payload, "hookName", "taskId");
  const prompt = isObject(userPromptSubmit) ? userPromptSubmit : {};
  return {
    sessionId: textAt(objectAt(payload, "sessionContext"), "rootSessionId") ?? textAt(payload, "taskId"),
    cwd: firstRoot(payload),
    data: { ...rest, ...prompt },
  };
}

function decodePrompt(payload: Payload): Decoded {
  needString(objectAt(payload, "userPromptSubmit"), "prompt");
  return decode(payload);
}

function decodeTool(payload: Payload, part: string): Decoded {
  const call = objectAt(payload, part);
  const toolName = mcpToolName(textAt(call, "name") ?? needText(call, "toolName"));
  const { data, ...where } = decode(payload);
  const result = call.output ?? call.result;
  const error = hasFailed(payload) ? textOf(call.error ?? result ?? "the tool failed") : undefined;
  return {
    ...where,
    toolName,
    data: {
      ...without(data, "tool_call", "tool_result", "preToolUse", "postToolUse"),
      ...without(call, "id", "name", "toolName", "input", "parameters", "output", "result", "error"),
      tool_args: ourInput(toolName, tidy(call.input ?? call.parameters)),
      ...(textAt(call, "id") === undefined ? {} : { tool_use_id: call.id }),
      ...(result === undefined ? {} : { tool_result: result }),
      ...(error === undefined ? {} : { error }),
    },
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (textAt(Object(value), "message") ?? JSON.stringify(value));
}

function hasFailed(payload: Payload): boolean {
  const { error } = objectAt(payload, "tool_result");
  return (error !== undefined && error !== null) || objectAt(payload, "postToolUse").success === false;
}

/** Cline takes commands as one text, as a list, or as programs with their arguments; here they are a list of lines. */
function tidy(input: unknown): unknown {
  if (typeof input === "string" || Array.isArray(input)) return tidy({ commands: input });
  if (!isObject(input)) return {};
  if (typeof input.commands === "string") return { ...input, commands: [input.commands] };
  return Array.isArray(input.commands) ? { ...input, commands: input.commands.map(lineOf) } : input;
}

function lineOf(command: unknown): unknown {
  if (!isObject(command)) return command;
  const words = [command.command, ...(Array.isArray(command.args) ? command.args : [])];
  return words.map((word) => shellWord(String(word))).join(" ");
}

function firstRoot(payload: Payload): string | undefined {
  const roots: readonly unknown[] = Array.isArray(payload.workspaceRoots) ? payload.workspaceRoots : [];
  return roots.find((root): root is string => typeof root === "string" && root !== "");
}
