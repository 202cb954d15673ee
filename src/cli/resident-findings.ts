import { basename } from "node:path";
import type { Adapter } from "../adapters/adapter.ts";
import { isStarting } from "../doctor/agent.ts";
import { type Finding, fine, note, wrong } from "../doctor/finding.ts";
import type { InstallContext } from "../install/install-context.ts";
import { engineStatus } from "../server/ask-engine.ts";
import { bashClients, type Client, clientOf, lastNames, works } from "../server/client.ts";
import { described } from "../server/client-origin.ts";
import { packagedClient } from "../server/client-package.ts";
import { type ColdWords, quartersOf, whyNoQuarters } from "../server/quarters.ts";
import { systemOf } from "../server/system.ts";
import { isTaken, whyNotStarted } from "../server/take-client.ts";
import { passedOver } from "./choose-client.ts";
import { coldWords } from "./cold-words.ts";
import { VERSION } from "../decide/version.ts";

/** How calls reach a decision fast: which client asks, and whether an engine answers it. */
export async function residentFindings(wired: readonly Adapter[], around: InstallContext): Promise<Finding[]> {
  const { env } = around;
  if (env.SLUICE_RESIDENT === "0") return [note("SLUICE_RESIDENT=0: every call starts node.")];
  const cold = coldWords();
  const quarters = quartersOf(cold, { env });
  const status = await engineStatus(quarters);
  const running = (status === undefined ? [] : [status]).map(({ pid, calls }) =>
    fine(
      `the engine runs as process ${pid}, with ${calls} ${calls === 1 ? "call" : "calls"} so far; \`sluice serve --stop\` ends it`,
    ),
  );
  if (wired.length === 0) return [note("no agent calls Sluice here, so none asks an engine."), ...running];
  const client = clientOf(cold, env);
  if (systemOf().nodeAsks)
    return [
      fine("agents ask through node, which loads the rest of Sluice only where no engine answers"),
      ...(running.length > 0 ? running : [NO_ENGINE]),
    ];
  const old = bashClients(cold, env).find((path) =>
    wired.some((adapter) => isStarting(adapter, around, lastNames({ path }))),
  );
  if (old !== undefined)
    return [
      note(
        "settings start the bash client of an older version, which starts node for every call.",
        "`sluice install` writes the client of this version.",
      ),
      ...running,
    ];
  if (client === undefined && wired.some((adapter) => isStarting(adapter, around, `${basename(quarters.folder)}/`)))
    return [wrong("the client that settings start is not there.", "Run `sluice install` again."), ...running];
  if (client === undefined)
    return [
      note("no client is installed; every call starts node.", "`sluice install` makes one where it can."),
      ...(await packageFindings(cold, client)),
    ];
  if (!wired.some((adapter) => isStarting(adapter, around, lastNames(client))))
    return [note("no settings here start the client; every call starts node.", "`sluice install` puts it into yours.")];
  const why = whyNoQuarters(quarters);
  if (why !== undefined)
    return [wrong(`the engine cannot answer anywhere: ${why}.`, `Run \`chmod 700 ${quarters.folder}\`.`)];
  if (!works(client.path))
    return [wrong(`the ${client.kind} client cannot be started any more.`, "Run `sluice install` again.")];
  return [
    fine(`agents ask through ${described(client)}`),
    ...(await packageFindings(cold, client)),
    ...(status === undefined ? [NO_ENGINE] : running),
  ];
}

const NO_ENGINE = note("no engine is running; the next command of an agent starts one.");

/** What was installed with Sluice, where it is not what agents ask through. */
async function packageFindings(cold: ColdWords, client: Client | undefined): Promise<Finding[]> {
  const packaged = packagedClient(cold, VERSION);
  if (packaged.kind === "none" || (packaged.kind === "fit" && client && isTaken(packaged, client.path))) return [];
  const why = packaged.kind === "unfit" ? packaged.why : await whyNotStarted(packaged);
  if (why === undefined)
    return [
      note(
        `${packaged.name} ${VERSION} has another client than agents ask through.`,
        "`sluice install` takes that one.",
      ),
    ];
  const { message, fix } = passedOver({ packaged, why, client });
  return [note(message, fix)];
}
