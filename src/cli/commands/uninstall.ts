import { ADAPTERS } from "../../adapters/index.ts";
import { isWired } from "../../doctor/agent.ts";
import { restore } from "../../install/apply.ts";
import type { InstallContext } from "../../install/install-context.ts";
import { planUninstall } from "../../install/plan.ts";
import { stopDaemon } from "../../server/clients/ask-daemon.ts";
import { coldCommand } from "../../server/cold-command.ts";
import { runtimeDirOf } from "../../server/runtime-dir.ts";
import type { CommandInput } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { removeUnusedClients } from "./install-client.ts";
import { settleAddress } from "./install-http.ts";
import { agentsOf, installContext, scopeOf } from "./install-options.ts";
import { writeChanges } from "./write-settings.ts";

/** Takes Sluice out of the settings of agents; files that nobody else has touched get back the bytes they had. */
export async function run(input: CommandInput): Promise<Exit> {
  const around = installContext(input);
  const scope = scopeOf(input);
  const agents = input.words.length === 0 ? ADAPTERS : agentsOf(input, around);
  const planned = agents.flatMap((adapter) => planUninstall(adapter, scope, around));
  const exit = await writeChanges(planned, input, {
    verb: "uninstall",
    write: (change) => restore(change, around),
    written: ({ after }) => (after === undefined ? "removed" : "as it was before"),
    unchanged: "Nothing to do: no settings in this scope call Sluice.",
  });
  if (exit !== "done" || input.has("dry-run")) return exit;
  await settleAddress(undefined, agents, scope, input);
  await stopUnusedDaemon(around, input);
  if (removeUnusedClients(around) && !input.has("json"))
    input.io.out("The client is removed too; a session that was started before has to be started anew.");
  return exit;
}

/** A daemon that no agent calls any more would wait for its calls in vain. */
async function stopUnusedDaemon(around: InstallContext, { io, has }: CommandInput): Promise<void> {
  if (ADAPTERS.some((adapter) => isWired(adapter, around))) return;
  const hasStopped = await stopDaemon(runtimeDirOf(coldCommand(), { env: io.env }));
  if (hasStopped && !has("json")) io.out("The daemon has stopped: no agent calls it any more.");
}
