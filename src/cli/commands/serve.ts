import { WORKER_OPTION } from "../../server/launch.ts";
import type { CommandInput } from "../command.ts";
import { type Exit, exitNow, exitOnSignal } from "../exit-codes.ts";

/** Runs hooks for a daemon, or has to do with the daemon itself: a worker loads nothing of that. */
export async function run(input: CommandInput): Promise<Exit> {
  return input.has(WORKER_OPTION) ? worker() : (await import("./serve-daemon.ts")).serve(input);
}

/** Runs hooks for the daemon that started this process. */
async function worker(): Promise<Exit> {
  exitOnSignal();
  const [{ serveAsWorker }, { workerAnswerer }] = await Promise.all([
    import("../../server/worker.ts"),
    import("../../server/answer-with-hooks.ts"),
  ]);
  await serveAsWorker(workerAnswerer(), exitNow);
  setImmediate(exitNow);
  return "done";
}
