import type { BundleEntry } from "../launcher/load-bundle.ts";
import { JUDGE_DRAFT } from "./command.ts";
import { COMMANDS } from "./commands/index.ts";
import { silentIo } from "./io.ts";
import { main, runProcess } from "./main.ts";

/** Runs the command that the user typed. */
export const start: BundleEntry["start"] = (answered, build) => {
  if (process.argv[2] === JUDGE_DRAFT) void import("./judge-draft.ts").then((judge) => judge.judgeDraft());
  else void runProcess(COMMANDS, answered, build);
};

/** Does what most commands begin with: they read the configuration and list something. */
export async function warmUp(): Promise<void> {
  await main(["list"], silentIo(), COMMANDS);
}
