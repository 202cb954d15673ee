import { NOTIFY_APPROVAL } from "../decide/background.ts";
import type { PartEntry } from "../launcher/load-bundle.ts";
import { BUILD_CALL_INDEX, JUDGE_DRAFT } from "./command.ts";
import { COMMANDS } from "./commands/index.ts";
import { silentIo } from "./io.ts";
import { main, runProcess } from "./main.ts";

/** Runs the command that the user typed. */
export const start: PartEntry["start"] = (answered, build) => {
  const [, , verb] = process.argv;
  if (verb === JUDGE_DRAFT) void import("./judge-draft.ts").then((page) => page.judgeDraft());
  else if (verb === BUILD_CALL_INDEX) void import("./judge-draft.ts").then((page) => page.buildCallIndex());
  else if (verb === NOTIFY_APPROVAL)
    void import("./notify-approval.ts").then((own) => own.notifyApproval(process.argv.slice(3)));
  else void runProcess(COMMANDS, answered, build);
};

/** Does what most commands begin with: they read the configuration and list something. */
export async function warmUp(): Promise<void> {
  await main(["list"], silentIo(), COMMANDS);
}
