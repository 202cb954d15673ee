import { isObject, type Payload, textAt } from "../payload.ts";
import type { TranscriptCall, TranscriptFormat } from "./format.ts";

/** `~/.gemini/tmp/<project>/chats/session-*.jsonl`, or one JSON object a file: messages with the tools they called; no folder. */
export const TRANSCRIPTS: TranscriptFormat = {
  folders: [".gemini/tmp"],
  file: /(?:^|[\\/])chats[\\/].*\.jsonl?$/,
  recognises: (line) =>
    (typeof line.sessionId === "string" && typeof line.projectHash === "string") ||
    (line.type === "gemini" && typeof line.timestamp === "string"),
  reader: () => {
    const session: Session = { id: undefined, made: undefined };
    return (line) => {
      const about = isObject(line.$set) ? line.$set : line;
      session.id = textAt(about, "sessionId") ?? session.id;
      if (about.kind === "subagent") session.made = "sub-agent";
      const messages = Array.isArray(line.messages) ? line.messages : [line];
      return messages.filter(isObject).flatMap((message) => callsOf(message, session));
    };
  },
};

interface Session {
  id: string | undefined;
  made: TranscriptCall["made"];
}

function callsOf(message: Payload, { id: session, made }: Session): TranscriptCall[] {
  if (message.type !== "gemini" || !Array.isArray(message.toolCalls)) return [];
  return message.toolCalls.filter(isObject).flatMap((call) => {
    const name = textAt(call, "name");
    if (name === undefined) return [];
    return [
      {
        payload: {
          hook_event_name: "BeforeTool",
          session_id: session,
          timestamp: textAt(call, "timestamp") ?? textAt(message, "timestamp"),
          tool_name: name,
          tool_input: isObject(call.args) ? call.args : {},
        },
        id: textAt(call, "id") ?? "",
        time: textAt(call, "timestamp") ?? textAt(message, "timestamp") ?? "",
        made: textAt(call, "agentId") === undefined ? made : "sub-agent",
      },
    ];
  });
}
