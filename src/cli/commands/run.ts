import { answerCall } from "../answer-call.ts";
import type { Input } from "../command.ts";
import { decideHere, runInBackground } from "../decide-here.ts";
import type { Exit } from "../exit-codes.ts";
import { leaveInOrder } from "../leave-in-order.ts";
import { restoreCertificates } from "../own-certificates.ts";
import { readStandardInput } from "../standard-input.ts";

/** What agents call: their payload on standard input, their own answer on standard output, and nothing else. */
export async function run(input: Input): Promise<Exit> {
  const { io } = input;
  leaveInOrder();
  restoreCertificates(process.env);
  const call = { text: readStandardInput(), agent: input.words[0], moment: input.text("moment") };
  if (input.has("background")) return runInBackground(call, input);
  const { stdout, stderr, exit } = await answerCall(call, input, input.has("lost") ? refuseLost : decideHere);
  io.write(1, stdout);
  io.write(2, stderr);
  if (input.has("start") && io.env.SLUICE_RESIDENT !== "0") {
    const { launchEngine } = await import("../../resident/launch.ts");
    const { coldWords } = await import("../cold-words.ts");
    launchEngine(coldWords(), io.env);
    const { postedTo } = await import("../../resident/posted-to.ts");
    await postedTo(coldWords(), io.env);
  }
  return exit;
}

/** A gate stays shut: what the hooks did until then is not known, and a second run could do it again. */
function refuseLost(): Promise<never> {
  return Promise.reject(
    new Error("the resident engine ended while they ran; what they did is not known, so they were not run again"),
  );
}
