import { isObject } from "../../event/json.ts";
import { type Payload, textAt } from "../payload.ts";
import type { TranscriptCall, TranscriptFormat } from "./format.ts";

/**
 * `~/.gemini/tmp/<project>/chats/session-*.jsonl`, or one JSON object a file: messages with the tools they called; a
 * sub-agent's file is in a folder that is named after its session, and the folder of a project in a file of its own.
 */
export const TRANSCRIPTS: TranscriptFormat = {
  folders: [".gemini/tmp"],
  file: /(?:^|[\\/])chats[\\/].*\.jsonl?$/,
  folderFile: ".project_root",
  recognises: (line) =>
    (typeof line.sessionId === "string" && typeof line.projectHash === "string") ||
    (line.type === "gemini" && typeof line.timestamp === "string"),
  reader: () => (file) => {
    const parent = /[\\/]chats[\\/]([^\\/]+)[\\/][^\\/]+$/.exec(file.path)?.[1];
    const made = parent === undefined ? undefined : "sub-agent";
    const session: Session = { id: parent, cwd: file.folder, made };
    return (line) => {
      const about = isObject(line.$set) ? line.$set : line;
      session.id = parent ?? textAt(about, "sessionId") ?? session.id;
      if (about.kind === "subagent") session.made = "sub-agent";
      const messages = Array.isArray(about.messages) ? about.messages : [line];
      return messages.filter(isObject).flatMap((message) => callsOf(message, session));
    };
  },
};

interface Session {
  id: string | undefined;
  readonly cwd: string | undefined;
  made: TranscriptCall["made"];
}

function callsOf(message: Payload, { id: session, cwd, made }: Session): TranscriptCall[] {
  if (message.type !== "gemini" || !Array.isArray(message.toolCalls)) return [];
  return message.toolCalls.filter(isObject).flatMap((call) => {
    const name = textAt(call, "name");
    if (name === undefined) return [];
    return [
      {
        payload: {
          hook_event_name: "BeforeTool",
          session_id: session,
          cwd,
          timestamp: textAt(call, "timestamp") ?? textAt(message, "timestamp"),
          tool_name: name,
          tool_input: isObject(call.args) ? call.args : {},
        },
        id: textAt(call, "id") ?? "",
        time: textAt(call, "timestamp") ?? textAt(message, "timestamp") ?? "",
        made,
      },
    ];
  });
}
