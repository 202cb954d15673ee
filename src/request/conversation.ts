import { homedir } from "node:os";
import { resolve } from "node:path";
import { KeptMessages } from "./kept-messages.ts";
import type { Conversation, Message, Spoken } from "./message.ts";
import { isObject } from "./payload.ts";
import { fromRollout, isRollout } from "./rollout-line.ts";
import { fromTranscript } from "./transcript-line.ts";
import { readLines } from "./transcript-lines.ts";

/** Where a request says its transcript is. */
interface Whereabouts {
  readonly transcriptPath: string;
  readonly cwd: string;
  readonly sessionId: string;
}

/** Reads a transcript, line by line; without one there are no messages. Never throws. */
export function readConversation({ transcriptPath, cwd, sessionId }: Whereabouts): Conversation {
  if (transcriptPath === "") return { messages: [] };
  const path = resolve(
    cwd,
    transcriptPath.replace(/^~(?=[/\\]|$)/, () => homedir()),
  );
  const kept = new KeptMessages();
  const calls = new Map<string, string>();
  let brokenLines = 0;
  let session: string | undefined;
  const read = readLines(path, (text) => {
    const line = parsed(text);
    if (line === undefined) {
      brokenLines++;
      return;
    }
    const spoken = isRollout(line) ? fromRollout(line) : fromTranscript(line);
    session = spoken.sessionId ?? session;
    if (spoken.message !== undefined) kept.add(withToolName(spoken, spoken.message, calls));
  });
  if (read === undefined) return { messages: [] };
  const metadata = {
    path,
    lines: read.lines,
    broken_lines: brokenLines,
    long_lines: read.longLines,
    shortened_messages: kept.shortened,
    left_out_messages: kept.leftOut,
    skipped_bytes: read.skippedBytes,
  };
  return { messages: kept.messages, session_id: session ?? sessionId, metadata };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const line: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isObject(line) ? line : undefined;
  } catch {
    return undefined;
  }
}

/** A result names its call, and the call named the tool. */
function withToolName({ isResult }: Spoken, message: Message, calls: Map<string, string>): Message {
  const { tool_use_id: id, tool_name: name } = message;
  if (id === undefined) return message;
  if (!isResult) {
    if (name !== undefined) calls.set(id, name);
    return message;
  }
  const called = calls.get(id);
  calls.delete(id);
  return name === undefined && called !== undefined ? { ...message, tool_name: called } : message;
}
