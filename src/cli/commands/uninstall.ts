import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Adapter } from "../../adapters/adapter.ts";
import { ADAPTERS } from "../../adapters/index.ts";
import type { Scope } from "../../adapters/recipe.ts";
import { configFolder, presentConfig } from "../../config/locate.ts";
import { isWired } from "../../doctor/agent.ts";
import { stateDir } from "../../fs/state-dir.ts";
import { restore } from "../../install/apply.ts";
import type { InstallContext } from "../../install/install-context.ts";
import { copiedLauncher, removeCopy } from "../../install/own-copy.ts";
import { installedPlugin } from "../../install/own-plugin.ts";
import { planUninstall } from "../../install/plan.ts";
import { type FileEdit, textOf } from "../../install/settings-file.ts";
import { forgetSetup, wasSetUp } from "../../install/setup-note.ts";
import { undoFolder } from "../../policies/undo/kept-call.ts";
import { stopDaemon } from "../../server/clients/ask-daemon.ts";
import { forgetProjectClient } from "../../server/clients/project-client.ts";
import { coldCommand } from "../../server/cold-command.ts";
import { runtimeDirOf } from "../../server/runtime-dir.ts";
import type { CommandInput } from "../command.ts";
import { shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { userText } from "./first-config.ts";
import { removeUnusedClients } from "./install-client.ts";
import { settleAddress } from "./install-http.ts";
import { agentsOf, installContext, scopeOf } from "./install-options.ts";
import { writeChanges } from "./write-settings.ts";

/** Takes Sluice out of the settings of agents; files that no other program has touched get back the bytes they had. */
export async function run(input: CommandInput): Promise<Exit> {
  const around = installContext(input);
  const scope = scopeOf(input);
  const agents = input.words.length === 0 ? ADAPTERS : agentsOf(input, around);
  const planned = agents.flatMap((adapter) => planUninstall(adapter, scope, around));
  const isWhole = scope === "user" && input.words.length === 0;
  const purged = scope === "user" ? ownConfig(input, input.has("purge") || isWhole) : undefined;
  const exit = await writeChanges(planned, input, {
    verb: "uninstall",
    configuration: purged,
    write: (change) => (change === purged ? removeConfig(change) : restore(change, around)),
    written: ({ after }) => (after === undefined ? "removed" : "as it was before"),
    unchanged: "Nothing to do: no settings in this scope call Sluice.",
  });
  if (!input.has("json") && scope === "user") for (const line of pluginsLeft(agents, around)) input.io.out(line);
  if (exit !== "done" || input.has("dry-run")) return exit;
  await settleAddress(undefined, agents, scope, input);
  if (scope === "project" && !ADAPTERS.some((adapter) => isWired(adapter, around, ["project"])))
    forgetProjectClient(around.root, around.env);
  await stopUnusedDaemon(around, input);
  if (isWhole) undoSetup(input);
  if (removeUnusedClients(around) && !input.has("json"))
    input.io.out("The client is removed too; a session that was started before has to be started anew.");
  if (!input.has("json") && planned.length > 0) for (const line of whatIsLeft(scope, around, input)) input.io.out(line);
  return exit;
}

/**
 * The user's configuration as Sluice wrote it; what the user has changed in it stays. What `sluice setup` wrote goes with
 * everything else that it wrote; what `sluice install` wrote goes only when it is asked for.
 */
function ownConfig({ io, has }: CommandInput, isMeant: boolean): FileEdit | undefined {
  const path = presentConfig(configFolder("user", "", io));
  if (path === undefined || !isMeant || (!has("purge") && !wasSetUp(path, io.env))) return undefined;
  const before = textOf(path);
  if (before !== userText()) return undefined;
  const does = ["all of it is as `sluice install` wrote it"];
  return { agent: "sluice", path, before, after: undefined, isProgram: false, original: undefined, does };
}

/** Plugins are the agents' own to remove: their lists are signed, or change while an agent runs. */
function pluginsLeft(agents: readonly Adapter[], around: InstallContext): string[] {
  return agents
    .filter((adapter) => installedPlugin(adapter, around) !== undefined)
    .map(({ title, ownPlugin }) => `${title} has Sluice as a plugin too: \`${ownPlugin?.removes}\` removes it.`);
}

/** Takes away the copy of the package that `sluice setup` made, and its daemon. */
function undoSetup({ io, has }: CommandInput): void {
  forgetSetup(io.env);
  if (removeCopy(io.env) && !has("json")) io.out("The copy of Sluice that `sluice setup` made is removed.");
}

/** The folder goes with the file, where nothing else is in it. */
function removeConfig({ path }: FileEdit): void {
  rmSync(path);
  if (readdirSync(dirname(path)).length === 0) rmdirSync(dirname(path));
}

/** What uninstalling does not touch: it is the user's, or the project's. */
function whatIsLeft(scope: Scope, { root, env }: InstallContext, { io, has }: CommandInput): string[] {
  const config = presentConfig(configFolder(scope, root, io));
  const state = stateDir({ env });
  const whose = scope === "user" ? "your own configuration" : "the project's hooks";
  const why = scope === "user" && has("purge") ? " (you have changed it)" : "";
  return [
    ...(config === undefined ? [] : [`Left as it is: ${shortPath(config, io)}, ${whose}${why}.`]),
    ...(scope === "user" && existsSync(state)
      ? [
          `Left as it is: ${shortPath(state, io)}, with the journal, your approvals${existsSync(undoFolder(env)) ? " and what undo keeps of calls" : ""}. Remove it when you need none of it.`,
        ]
      : []),
  ];
}

/** A daemon that no agent calls any more would wait for its calls in vain. */
async function stopUnusedDaemon(around: InstallContext, { io, has }: CommandInput): Promise<void> {
  if (ADAPTERS.some((adapter) => isWired(adapter, around))) return;
  const own = coldCommand();
  const copy = copiedLauncher(io.env);
  const commands = copy === undefined || copy === own[1] ? [own] : [own, [own[0], copy] as const];
  const stopped = await Promise.all(commands.map((command) => stopDaemon(runtimeDirOf(command, { env: io.env }))));
  if (stopped.includes("stopped") && !has("json")) io.out("The daemon has stopped: no agent calls it any more.");
}
