import { readFileSync } from "node:fs";
import { ADAPTERS } from "../../adapters/index.ts";
import { VERSION } from "../../decide/version.ts";
import { isStarting } from "../../doctor/agent.ts";
import { attempt } from "../../event/attempt.ts";
import type { InstallContext } from "../../install/install-context.ts";
import { installedFiles } from "../../install/ledger.ts";
import { type Problem, problems } from "../../problem/problem.ts";
import { type ClientPackage, describeClient, packagedClient } from "../../server/clients/client-package.ts";
import { copyClient } from "../../server/clients/copy-client.ts";
import { type Client, clientOf, expectedClient, makeClient, removeClients } from "../../server/clients/make-client.ts";
import { coldCommand } from "../../server/cold-command.ts";
import { isOpenToOthers, runtimeDirOf, whyUnusable } from "../../server/runtime-dir.ts";
import { systemOf } from "../../server/system.ts";
import type { CommandInput } from "../command.ts";
import { isOnlyShown } from "./write-settings.ts";

/** The client that settings are to start, and what kept a better one from being used. */
export interface ChosenClient {
  readonly client?: Client | undefined;
  readonly troubles: readonly Problem[];
}

/** The best client: out of a package of this version, else made here; only where something may be written. */
export async function chosenClient(input: Pick<CommandInput, "io" | "has">): Promise<ChosenClient> {
  const { env } = input.io;
  const cold = coldCommand();
  if (env.SLUICE_RESIDENT === "0") return { client: clientOf(cold, env), troubles: [] };
  const runtimeDir = runtimeDirOf(cold, { env });
  const unusable = whyUnusable(runtimeDir);
  const wasOpen = unusable === undefined && isOpenToOthers(runtimeDir);
  const packaged = packagedClient(cold, VERSION);
  const isShown = isOnlyShown(input);
  const taken = packaged.kind === "fit" && !isShown ? await copyClient(packaged, cold, env) : undefined;
  const rights = wasOpen ? [PROBLEMS.openFolder({ isShown }, { place: { file: runtimeDir.folder } })] : [];
  if (taken !== undefined && "path" in taken) return { client: taken, troubles: rights };
  const client = isShown
    ? expectedClient(cold, env, packaged.kind === "fit")
    : (makeClient(cold, env) ?? clientOf(cold, env));
  const none = client === undefined && !systemOf().nodeAsks ? [PROBLEMS.noClientHere({ unusable })] : [];
  const why = packaged.kind === "unfit" ? packaged.why : taken?.why;
  const unfit = packaged.kind === "none" || why === undefined ? [] : [passedOver({ packaged, why, client })];
  return { client, troubles: [...rights, ...none, ...unfit] };
}

/** Why the package beside Sluice is not used, and what is used instead. */
export function passedOver(found: {
  readonly packaged: ClientPackage;
  readonly why: string;
  readonly client: Client | undefined;
}): Problem {
  return PROBLEMS.clientPassedOver(found, { place: { file: found.packaged.folder } });
}

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
  return attempt(() => readFileSync(path, "utf8")) ?? "";
}

const PROBLEMS = problems("install", {
  openFolder: ({ isShown }: { isShown: boolean }) => ({
    what: `Other users had rights to the daemon's folder, so no call asked a daemon. ${isShown ? "They still have them." : "They have none any more, and what they can have put into it is removed."}`,
    fix: isShown ? "`sluice install` takes them away when it writes." : "Sessions of agents need no new start.",
  }),
  noClientHere: ({ unusable }: { unusable: string | undefined }) => ({
    what: `There is no client for this machine, so every call of an agent starts node: ${unusable ?? "neither a C compiler nor perl is in the path, and no package has a client"}.`,
    fix:
      unusable === undefined
        ? "Install a C compiler (cc, gcc or clang) or perl, and run `sluice install` again."
        : "Give it a folder of your own, or name another place in XDG_STATE_HOME, and run `sluice install` again.",
  }),
  clientPassedOver: ({ packaged: { name }, why, client }: Parameters<typeof passedOver>[0]) => ({
    what: `The package ${name} is passed over: ${why}. Instead, ${client === undefined ? "every call starts node" : `agents ask through ${describeClient(client)}`}.`,
    fix: `Install Sluice and ${name} ${VERSION} with npm again, and run \`sluice install\` once more.`,
  }),
});
