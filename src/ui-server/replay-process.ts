import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { type DraftReplay, type ReplayDraft, replayDraft } from "./draft-replay.ts";
import type { ReplaySummary } from "./wire-policy.ts";

/** Judges in a process of its own, which this command line starts and which ends with the request: the pages answer meanwhile, and agents come first. */
export function replayInProcess([program, ...words]: readonly [string, ...string[]]): ReplayDraft {
  return async function* (replay, env, signal) {
    const child = spawn(program, words, { env, stdio: ["pipe", "pipe", "ignore"], signal });
    const failed = new Promise<never>((_, reject) => child.once("error", reject));
    failed.catch(() => {});
    try {
      child.stdin.on("error", () => {});
      child.stdin.end(JSON.stringify(replay));
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      for (;;) {
        const { done, value } = await Promise.race([lines.next(), failed]);
        if (done) return;
        yield JSON.parse(value) as ReplaySummary;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      child.kill("SIGKILL");
    }
  };
}

/** What that process does: a draft on standard input, a summary on each line of standard output. */
export async function judgeDraft(): Promise<void> {
  setPriority(constants.priority.PRIORITY_LOW);
  const replay = JSON.parse(await text(process.stdin)) as DraftReplay;
  for await (const summary of replayDraft(replay, process.env, new AbortController().signal))
    process.stdout.write(`${JSON.stringify(summary)}\n`);
}
