import { readFileSync } from "node:fs";
import { ADAPTERS } from "../adapters/index.ts";
import { isStarting } from "../doctor/agent.ts";
import type { InstallContext } from "../install/install-context.ts";
import { installedFiles } from "../install/ledger.ts";
import { removeClients } from "../server/clients/make-client.ts";
import { coldCommand } from "../server/cold-command.ts";

/** Takes away clients that no settings start, neither here nor in any other project; whether there was one. */
export function removeUnusedClients(around: InstallContext): boolean {
  const written = installedFiles(around.env).map(textIn);
  return removeClients(
    coldCommand(),
    around.env,
    (names) =>
      written.some((text) => text.includes(names)) || ADAPTERS.some((adapter) => isStarting(adapter, around, names)),
  );
}

function textIn(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
