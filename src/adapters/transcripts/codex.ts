import { isObject } from "../../event/json.ts";
import { type Payload, textAt } from "../payload.ts";
import type { TranscriptCall, TranscriptFormat } from "./format.ts";

/** `~/.codex/sessions/<year>/<month>/<day>/rollout-*.jsonl`: the session first, then items; what is recorded as an event is recorded twice. */
export const TRANSCRIPTS: TranscriptFormat = {
  folders: [".codex/sessions", ".codex/archived_sessions"],
  home: { variable: "CODEX_HOME", instead: ".codex" },
  file: /(?:^|[\\/])rollout-[^\\/]*\.jsonl$/,
  recognises: (line) => isObject(line.payload) && ROLLOUT_TYPES.has(String(line.type)),
  reader: () => () => {
    const session: Session = { id: undefined, cwd: undefined, made: undefined };
    return (line) => readLine(line, session);
  },
};

interface Session {
  id: string | undefined;
  cwd: string | undefined;
  made: TranscriptCall["made"];
}

function readLine({ type, payload, timestamp }: Payload, session: Session): TranscriptCall[] {
  if (!isObject(payload)) return [];
  if (type === "session_meta") {
    session.id = textAt(payload, "id");
    const { source } = payload;
    // A sub-agent's file names the thread that started it.
    const parent =
      isObject(source) && isObject(source.subagent) ? textIn(source.subagent, "parent_thread_id") : undefined;
    if (parent !== undefined) session.id = parent;
    // `codex exec` reads settings as usual; what the SDK starts names itself.
    const isProgram = /sdk/i.test(textAt(payload, "originator") ?? "");
    session.made = parent !== undefined ? "sub-agent" : isProgram ? "sdk" : undefined;
  }
  if (type === "session_meta" || type === "turn_context") session.cwd = textAt(payload, "cwd") ?? session.cwd;
  if (type !== "response_item") return [];
  const called = calledTool(payload);
  if (called === undefined) return [];
  const id = textAt(payload, "call_id") ?? textAt(payload, "id") ?? "";
  return [
    {
      payload: {
        hook_event_name: "PreToolUse",
        session_id: session.id,
        cwd: called.cwd ?? session.cwd,
        tool_name: called.tool,
        tool_input: called.input,
        tool_use_id: id,
      },
      id,
      time: typeof timestamp === "string" ? timestamp : "",
      made: session.made,
    },
  ];
}

interface CalledTool {
  readonly tool: string;
  readonly input: Payload;
  readonly cwd?: string | undefined;
}

/** A tool as the hook of the agent gets it: every way to run a command is the shell, and a patch is its text. */
function calledTool(item: Payload): CalledTool | undefined {
  const name = toolName(item);
  switch (item.type) {
    case "local_shell_call": {
      const action = isObject(item.action) ? item.action : {};
      return { tool: SHELL, input: { command: commandOf(action.command) }, cwd: textAt(action, "working_directory") };
    }
    case "custom_tool_call":
      return { tool: name, input: { command: textAt(item, "input") ?? "" } };
    case "function_call": {
      const args = objectIn(textAt(item, "arguments") ?? "");
      if (args === undefined) return undefined;
      const command = args.command ?? args.cmd;
      if (!SHELLS.has(name) || command === undefined) return { tool: name, input: args };
      return { tool: SHELL, input: { command: commandOf(command) }, cwd: textAt(args, "workdir") };
    }
    default:
      return undefined;
  }
}

/** The tool of an MCP server is beside the name of its server. */
function toolName(item: Payload): string {
  const [name = "", server = ""] = [textAt(item, "name"), textAt(item, "namespace")];
  return server.startsWith("mcp__") && !name.startsWith(server) ? `${server}__${name}` : name;
}

/** `["bash", "-lc", "ls"]` is the text after `-lc`; other lists are arguments. */
function commandOf(command: unknown): string {
  if (!Array.isArray(command)) return String(command ?? "");
  const words = command.map(String);
  if (words.length === 3 && /^-\w*c$/.test(words[1] ?? "")) return words[2] ?? "";
  return words.map((word) => (/^[\w./:@=+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
}

function textIn(object: Payload, name: string): string | undefined {
  const found = Object.values(object).find((value) => isObject(value) && typeof value[name] === "string");
  return textAt(object, name) ?? (isObject(found) ? textAt(found, name) : undefined);
}

function objectIn(text: string): Payload | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const SHELL = "Bash";
const SHELLS: ReadonlySet<string> = new Set([
  "shell",
  "shell_command",
  "exec_command",
  "local_shell",
  "container.exec",
]);
const ROLLOUT_TYPES: ReadonlySet<string> = new Set([
  "session_meta",
  "response_item",
  "event_msg",
  "turn_context",
  "compacted",
]);
