import { type Finding, fine, note, wrong } from "../doctor/finding.ts";
import { engineStatus } from "../resident/ask-engine.ts";
import { clientOf, works } from "../resident/client.ts";
import { hasPort } from "../resident/port-door.ts";
import { quartersOf, whyNoQuarters } from "../resident/quarters.ts";
import { coldWords } from "./cold-words.ts";
import type { Io } from "./io.ts";

/** How calls reach a decision fast: which client asks, and whether an engine answers it. */
export async function residentFindings({ env }: Pick<Io, "env">): Promise<Finding[]> {
  if (env.SLUICE_RESIDENT === "0") return [note("SLUICE_RESIDENT=0: every call starts node.")];
  const cold = coldWords();
  const client = clientOf(cold, env);
  if (client === undefined)
    return [note("no client is installed; every call starts node.", "`sluice install` makes one where it can.")];
  const quarters = quartersOf(cold, { env });
  const why = whyNoQuarters(quarters);
  if (why !== undefined)
    return [wrong(`the engine cannot answer anywhere: ${why}.`, `Run \`chmod 700 ${quarters.folder}\`.`)];
  const status = await engineStatus(quarters);
  if (!works(client.path))
    return [wrong(`the ${client.kind} client cannot be started any more.`, "Run `sluice install` again.")];
  if (status !== undefined && client.kind === "bash" && !hasPort(quarters))
    return [
      wrong("the engine has no port for the bash client.", "`sluice serve --stop` lets the next call start one."),
    ];
  return [
    fine(`agents ask through the ${client.kind} client`),
    status === undefined
      ? note("no engine is running; the next call starts one.")
      : fine(
          `the engine runs as process ${status.pid}, with ${status.calls} calls so far; \`sluice serve --stop\` ends it`,
        ),
  ];
}
