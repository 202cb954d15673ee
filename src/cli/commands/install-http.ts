import type { Adapter } from "../../adapters/adapter.ts";
import type { Scope } from "../../adapters/recipe.ts";
import { formOf } from "../../install/invocation.ts";
import { type Problem, problems } from "../../problem/problem.ts";
import { stopDaemon } from "../../server/clients/ask-daemon.ts";
import type { Client } from "../../server/clients/make-client.ts";
import { coldCommand } from "../../server/cold-command.ts";
import {
  forgetAddress,
  type HttpAddress,
  keepAddress,
  newAddress,
  readAddress,
} from "../../server/http/http-address.ts";
import { peerAt, waitForDaemon } from "../../server/http/http-probe.ts";
import { launchDaemon } from "../../server/launch.ts";
import { runtimeDirOf } from "../../server/runtime-dir.ts";
import type { CommandInput } from "../command.ts";
import { isOnlyShown } from "./write-settings.ts";

/** The address that agents are to post to, where HTTP was asked for; nothing has been written yet. A dry run opens no port. */
export async function chosenAddress(
  { io, has }: Pick<CommandInput, "io" | "has">,
  agents: readonly Adapter[],
  scope: Scope,
  client: Client | undefined,
): Promise<HttpAddress | undefined> {
  if (!has("http")) return undefined;
  if (scope !== "user") throw PROBLEMS.onlyForYou({});
  if (io.env.SLUICE_RESIDENT === "0") throw PROBLEMS.noDaemon({});
  if (client === undefined) throw PROBLEMS.noClient({});
  if (!agents.some(isPosting)) return undefined;
  const kept = readAddress(runtimeDirOf(coldCommand(), io));
  // Another program may have taken the port while no daemon ran.
  if (kept !== undefined && (await peerAt(kept)) !== "another program") return kept;
  if (isOnlyShown({ io, has })) return TO_BE_CHOSEN;
  const address = await newAddress();
  if (address === undefined) throw PROBLEMS.noPort({});
  return address;
}

/** Which agents post and which keep to commands, and why, where HTTP was asked for. */
export function chosenForms(
  agents: readonly Adapter[],
  { has }: Pick<CommandInput, "has">,
  address?: HttpAddress,
): string[] {
  if (!has("http")) return [];
  const forms = agents.map((adapter) => formOf(adapter, { port: address?.port ?? 0 }));
  return address === TO_BE_CHOSEN ? [...forms, "Port 0 means a port that is chosen when this is written."] : forms;
}

/** Starts the listener that settings name now, or stops one that they no longer name. */
export async function settleAddress(
  address: HttpAddress | undefined,
  agents: readonly Adapter[],
  scope: Scope,
  { io }: Pick<CommandInput, "io">,
): Promise<Problem | undefined> {
  const cold = coldCommand();
  const runtimeDir = runtimeDirOf(cold, io);
  if (address === undefined) {
    if (scope !== "user" || !agents.some(isPosting) || readAddress(runtimeDir) === undefined) return undefined;
    forgetAddress(runtimeDir);
    await stopDaemon(runtimeDir);
    return undefined;
  }
  keepAddress(runtimeDir, address);
  if ((await peerAt(address)) === "daemon") return undefined;
  await stopDaemon(runtimeDir);
  launchDaemon(cold, io.env);
  return (await waitForDaemon(address, TIMEOUT_MS)) ? undefined : PROBLEMS.notAnswered({ port: address.port });
}

function isPosting({ recipe }: Adapter): boolean {
  return recipe?.http !== undefined && "posts" in recipe.http;
}

const TO_BE_CHOSEN: HttpAddress = { port: 0, secret: "0".repeat(64) };
const TIMEOUT_MS = 10_000;

const PROBLEMS = problems("install", {
  onlyForYou: (_: object) => ({
    what: "--http writes a secret into settings, and those of a project are not for you alone.",
    fix: "Write --scope user, or leave --http out.",
  }),
  noDaemon: (_: object) => ({
    what: "SLUICE_RESIDENT=0 allows no daemon, and --http needs one.",
    fix: "Take the variable out of your environment, or leave --http out.",
  }),
  noClient: (_: object) => ({
    what: "No client could be made here, so no command would start a daemon that is missing, and --http would block tools.",
    fix: "Leave --http out; a C compiler or perl is what a client is made with.",
  }),
  noPort: (_: object) => ({
    what: "No port of this machine can be opened here, and --http needs one.",
    fix: "Leave --http out.",
  }),
  notAnswered: ({ port }: { port: number }) => ({
    what: `The settings are written, and no daemon answers on 127.0.0.1:${port} yet; tools are blocked until one does.`,
    fix: "`sluice serve` reports why it does not answer; `sluice install` without --http goes back to commands.",
  }),
});
