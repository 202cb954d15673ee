import { tamperings, unaskedSentence } from "../trace/tampering.ts";
import { type Finding, note, wrong } from "./finding.ts";

/** What changed the files that keep Sluice in the loop without it, in the last days. */
export function examineTampering(env: Readonly<Record<string, string | undefined>>, now = Date.now()): Finding[] {
  return tamperings(env, now)
    .slice(-MOST)
    .map(({ what, id, time, isMended }) => {
      const say = isMended || Date.parse(time) < now - DAY_MS ? note : wrong;
      const at = `${time.slice(0, 16).replace("T", " ")} UTC`;
      return say(what, `\`sluice why ${id}\` shows its record, of ${at}; run in your terminal, it ends this notice.`);
    });
}

const MOST = 10;
const DAY_MS = 24 * 60 * 60_000;

/** Calls that agents' own histories show and that never arrived. */
export async function examineUnasked(
  env: Readonly<Record<string, string | undefined>>,
  root: string,
): Promise<Finding[]> {
  const { unaskedCalls } = await import("../replay/unasked-calls.ts");
  return (await unaskedCalls(env, root)).map(({ agent, session, unasked }) =>
    wrong(
      unaskedSentence(unasked, agent, session),
      "Look at the lines below its name here, and start the agent again.",
    ),
  );
}
