import type { BundleEntry } from "../launcher/load-bundle.ts";
import { RUN } from "./commands/run-command.ts";
import { runProcess } from "./main.ts";

/** Answers the call of an agent. */
export const start: BundleEntry["start"] = (answered, build) => {
  void runProcess([RUN], answered, build);
};

/** Answers calls as agents make them. */
export async function warmUp(): Promise<void> {
  await (await import("./warm-up.ts")).answerTypicalCalls(RUN);
}
