import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { ReplayDraft } from "./draft-replay.ts";
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
