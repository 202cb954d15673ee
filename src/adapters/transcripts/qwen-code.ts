import { isObject, type Payload, textAt } from "../payload.ts";
import type { TranscriptCall, TranscriptFormat } from "./format.ts";

/** `~/.qwen/projects/<folder>/chats/<session>.jsonl`: a line a record, with the parts that went to and came from the model. */
export const TRANSCRIPTS: TranscriptFormat = {
  folders: [".qwen/projects"],
  file: /(?:^|[\\/])chats[\\/].*\.jsonl$/,
  recognises: (line) =>
    typeof line.sessionId === "string" && isObject(line.message) && Array.isArray(line.message.parts),
  reader: () => callsIn,
};

function callsIn(line: Payload): TranscriptCall[] {
  const { message } = line;
  if (line.type !== "assistant" || !isObject(message) || !Array.isArray(message.parts)) return [];
  return message.parts.flatMap((part: unknown, index) => {
    const call = isObject(part) && isObject(part.functionCall) ? part.functionCall : undefined;
    const name = call && textAt(call, "name");
    if (call === undefined || name === undefined) return [];
    const id = textAt(call, "id") ?? `${textAt(line, "uuid")} ${index}`;
    return [
      {
        payload: {
          hook_event_name: "PreToolUse",
          session_id: textAt(line, "sessionId"),
          cwd: textAt(line, "cwd"),
          timestamp: textAt(line, "timestamp"),
          tool_name: name,
          tool_input: isObject(call.args) ? call.args : {},
          tool_use_id: id,
        },
        id,
        time: textAt(line, "timestamp") ?? "",
        ...(textAt(line, "agentId") === undefined ? {} : { made: "sub-agent" as const }),
      },
    ];
  });
}
