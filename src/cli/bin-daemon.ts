import type { PartEntry } from "../launcher/load-bundle.ts";
import { RUN } from "./commands/run-command.ts";
import { SERVE } from "./commands/serve-command.ts";
import { runProcess } from "./main.ts";

/** Starts the daemon or one of its workers, or asks the daemon. */
export const start: PartEntry["start"] = (answered, build) => {
  void runProcess([SERVE, RUN], answered, build);
};

/** Loads what the daemon needs to serve, and answers calls as agents make them. */
export async function warmUp(): Promise<void> {
  await SERVE.load();
  await import("./commands/serve-daemon.ts");
  await (await import("./warm-up.ts")).answerTypicalCalls(RUN);
}
