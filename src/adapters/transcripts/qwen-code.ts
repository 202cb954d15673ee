import { isObject } from "../../event/json.ts";
import { objectAt, type Payload, textAt } from "../payload.ts";
import type { TranscriptCall, TranscriptFormat } from "./format.ts";

const AGENT_FILE = /[\\/]subagents[\\/]/;
const COUNTED = "ui_telemetry";

/**
 * `~/.qwen/projects/<folder>/chats/<session>.jsonl`: a line a record, with the parts that went to and came from the model. What
 * sub-agents called is in files of their own, `subagents/<session>/agent-*.jsonl`; older versions only count it.
 */
export const TRANSCRIPTS: TranscriptFormat = {
  folders: [".qwen/projects"],
  file: /(?:^|[\\/])(?:chats|subagents)[\\/].*\.jsonl$/,
  first: AGENT_FILE,
  recognises: (line) =>
    typeof line.sessionId === "string" &&
    ((isObject(line.message) && Array.isArray(line.message.parts)) || line.subtype === COUNTED),
  reader: () => {
    const withAgentFiles = new Set<string>();
    return ({ path }) => {
      const isAgentFile = AGENT_FILE.test(path);
      return (line) => {
        const session = textAt(line, "sessionId") ?? "";
        if (isAgentFile) withAgentFiles.add(session);
        if (line.subtype === COUNTED) return withAgentFiles.has(session) ? [] : countedCall(line);
        return callsIn(line, isAgentFile);
      };
    };
  },
};

function callsIn(line: Payload, isAgentFile: boolean): TranscriptCall[] {
  const { message } = line;
  if (line.type !== "assistant" || !isObject(message) || !Array.isArray(message.parts)) return [];
  const isSubAgent = isAgentFile || textAt(line, "agentId") !== undefined;
  return message.parts.flatMap((part: unknown, index) => {
    const call = isObject(part) && isObject(part.functionCall) ? part.functionCall : undefined;
    const name = call && textAt(call, "name");
    if (call === undefined || name === undefined) return [];
    const id = textAt(call, "id") ?? `${textAt(line, "uuid")} ${index}`;
    return [callOf(line, { id, name, input: objectAt(call, "args") }, isSubAgent)];
  });
}

/** A call that is only counted: the prompts of sub-agents are named after session, sub-agent and round. */
function countedCall(line: Payload): TranscriptCall[] {
  const counted = objectAt(objectAt(line, "systemPayload"), "uiEvent");
  const name = textAt(counted, "function_name");
  if (name === undefined || !/^[^#]+#[^#]+#\d+$/.test(textAt(counted, "prompt_id") ?? "")) return [];
  return [callOf(line, { id: textAt(line, "uuid") ?? "", name, input: objectAt(counted, "function_args") }, true)];
}

interface CalledTool {
  readonly id: string;
  readonly name: string;
  readonly input: Payload;
}

function callOf(line: Payload, { id, name, input }: CalledTool, isSubAgent: boolean): TranscriptCall {
  return {
    payload: {
      hook_event_name: "PreToolUse",
      session_id: textAt(line, "sessionId"),
      cwd: textAt(line, "cwd"),
      timestamp: textAt(line, "timestamp"),
      tool_name: name,
      tool_input: input,
      tool_use_id: id,
    },
    id,
    time: textAt(line, "timestamp") ?? "",
    ...(isSubAgent ? { made: "sub-agent" as const } : {}),
  };
}
