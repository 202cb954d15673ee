import type { DaemonAnswer } from "../protocol.ts";

/** What goes back over HTTP. */
export interface ListenerReply {
  readonly status: 200 | 503;
  readonly body: string;
}

type Printed = Extract<DaemonAnswer, { kind: "done" }>;

/**
 * What a command would print, as a body. HTTP has no exit code: where the command would stop the agent with one, the same
 * words stop it in JSON.
 */
export function replyOf({ stdout, stderr, exitCode }: Pick<Printed, "stdout" | "stderr" | "exitCode">): ListenerReply {
  if (exitCode === 0) return { status: 200, body: stdout };
  const said = objectIn(stdout);
  const reason = stderr.trim() || `Sluice ended with exit code ${exitCode}`;
  return { status: 200, body: `${JSON.stringify({ ...said, decision: "block", reason })}\n` };
}

/** Nothing could be decided; an agent that blocks when its hook fails blocks now. */
export function failedReply(why: string): ListenerReply {
  return { status: 503, body: `${JSON.stringify({ decision: "block", reason: why })}\n` };
}

function objectIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}
