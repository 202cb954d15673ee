import { isObject } from "../../event/json.ts";
import { type Payload, textAt } from "../payload.ts";
import type { TranscriptCall, TranscriptFormat } from "./format.ts";

/**
 * `~/.claude/projects/<folder>/<session>.jsonl`: a line a message; a sub-agent's lines are marked, or are in files of their own.
 */
export const TRANSCRIPTS: TranscriptFormat = {
  folders: [".claude/projects"],
  home: { variable: "CLAUDE_CONFIG_DIR", instead: ".claude" },
  file: /\.jsonl$/,
  recognises: (line) =>
    (typeof line.sessionId === "string" && typeof line.uuid === "string" && !hasParts(line)) ||
    (typeof line.type === "string" && OTHER_LINES.has(line.type)),
  reader: () => (file) => {
    const isAgentFile = /(?:^|[\\/])agent-[^\\/]*\.jsonl$|[\\/]subagents[\\/]/.test(file.path);
    return (line) => callsIn(line, isAgentFile);
  },
};

function callsIn(line: Payload, isAgentFile: boolean): TranscriptCall[] {
  const { message } = line;
  if (line.type !== "assistant" || !isObject(message) || !Array.isArray(message.content)) return [];
  return message.content.flatMap((block: unknown) => {
    if (!isObject(block) || block.type !== "tool_use" || typeof block.name !== "string") return [];
    const isSubAgent = isAgentFile || line.isSidechain === true;
    // Programs that use the SDK have it in the entry point; the agent's own command without a terminal reads settings as usual.
    const isSdk = /^sdk(?!-cli)/.test(textAt(line, "entrypoint") ?? textAt(line, "userType") ?? "");
    return [
      {
        payload: {
          hook_event_name: "PreToolUse",
          session_id: textAt(line, "sessionId"),
          cwd: textAt(line, "cwd"),
          tool_name: block.name,
          tool_input: isObject(block.input) ? block.input : {},
          tool_use_id: textAt(block, "id"),
        },
        id: textAt(block, "id") ?? `${textAt(line, "uuid")} ${block.name}`,
        time: textAt(line, "timestamp") ?? "",
        ...(isSubAgent ? { made: "sub-agent" as const } : isSdk ? { made: "sdk" as const } : {}),
      },
    ];
  });
}

/** Another agent's lines look the same, and hold parts. */
function hasParts({ message }: Payload): boolean {
  return isObject(message) && Array.isArray(message.parts);
}

/** Lines that hold no message. */
const OTHER_LINES: ReadonlySet<string> = new Set(["summary", "file-history-snapshot", "queue-operation"]);
