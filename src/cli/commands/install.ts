import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Adapter, provenBy } from "../../adapters/adapter.ts";
import type { Scope } from "../../adapters/recipe.ts";
import { isStarting, isWired } from "../../doctor/agent.ts";
import { makeDir } from "../../fs/make-dir.ts";
import { createFile } from "../../fs/write-atomic.ts";
import { adopt, apply } from "../../install/apply.ts";
import { dependsOnSluice, PROJECT_COMMAND, packageManagerOf } from "../../install/invocation.ts";
import { backupPath } from "../../install/ledger.ts";
import { planInstall } from "../../install/plan.ts";
import type { FileEdit } from "../../install/settings-file.ts";
import { guardHooks } from "../../policies/guards/guard-hooks.ts";
import { Problem, problems } from "../../problem/problem.ts";
import { describeClient } from "../../server/clients/client-package.ts";
import { bashClients, type Client, clientSuffix } from "../../server/clients/make-client.ts";
import { coldCommand } from "../../server/cold-command.ts";
import type { CommandInput } from "../command.ts";
import { shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { userConfig } from "./first-config.ts";
import { chosenClient, removeUnusedClients } from "./install-client.ts";
import { chosenAddress, chosenForms, settleAddress } from "./install-http.ts";
import { agentsOf, installContext, scopeOf } from "./install-options.ts";
import { isOnlyShown, writeChanges } from "./write-settings.ts";

/** Writes Sluice into the settings of agents: shows what changes, and touches nothing but its own entries. */
export async function run(input: CommandInput): Promise<Exit> {
  const { io } = input;
  const scope = scopeOf(input);
  const own = scope === "user" ? userConfig(io) : undefined;
  const found = installContext(input, { more: own?.state === "missing" ? guardHooks("standard") : [] });
  const agents = agentsOf(input, found);
  const hadBashClient = bashClients(coldCommand(), io.env).some((path) =>
    agents.some((adapter) => isStarting(adapter, found, clientSuffix({ path }))),
  );
  // The client comes first, so that what is shown is what will be written.
  const { client, troubles } = scope === "user" ? await chosenClient(input) : { troubles: [] };
  const http = await chosenAddress(input, agents, scope, client);
  const around = { ...found, client: client?.path, http };
  const mcp = !input.has("no-mcp");
  const planned = agents.flatMap((adapter) => planInstall(adapter, scope, around, { mcp }));
  const doubled = agents.filter((adapter) => isWired(adapter, around, [scope === "user" ? "project" : "user"]));
  const configuration = own?.state === "missing" ? own.edit : undefined;
  const exit = await writeChanges(planned.filter(isNeeded), input, {
    verb: "install",
    configuration,
    write: (change) => (change === configuration ? writeConfig(change) : apply(change, around)),
    written: ({ path, before, after }) =>
      after === undefined
        ? "removed"
        : before === undefined
          ? "written"
          : `written; what was there: ${shortPath(backupPath(path, around.env), io)}`,
    unchanged: `Nothing to do: ${agents.map(({ title }) => title).join(", ")} already call${agents.length === 1 ? "s" : ""} Sluice as this version writes it.`,
  });
  const isWritten = !input.has("dry-run") && exit === "done";
  if (isWritten) for (const one of planned) if (!(one instanceof Problem) && !isNeeded(one)) adopt(one, around);
  if (!isWritten && !isOnlyShown(input)) removeUnusedClients(around);
  const unsettled = isWritten ? await settleAddress(http, agents, scope, input) : undefined;
  if (unsettled !== undefined) io.err(unsettled.format());
  if (!input.has("json")) for (const line of chosenForms(agents, input, http)) io.err(line);
  if (!input.has("json")) for (const trouble of troubles) io.err(trouble.format());
  if (!input.has("json") && client !== undefined && !existsSync(client.path) && isOnlyShown(input))
    io.err(`${shortPath(client.path, io)} is not there yet: \`sluice install\` makes it when it writes.`);
  if (!input.has("json") && isWritten && hadBashClient) io.err(replacedBashClient(client));
  if (!input.has("json") && doubled.length > 0) io.err(PROBLEMS.otherScope({ agents: doubled, scope }).format());
  const lender = scope === "user" ? dependingProject(coldCommand()[1]) : undefined;
  if (!input.has("json") && lender !== undefined) io.err(lentBy(shortPath(lender, io)));
  if (!input.has("json") && own?.state === "unguarded") io.err(noGuards(shortPath(own.path, io)));
  if (!input.has("json") && scope === "project") for (const line of missingDependency(around.root)) io.err(line);
  if (!input.has("json") && isWritten)
    for (const line of [...afterwards(agents, scope), ...(mcp ? withoutServer(agents, scope) : [])]) io.err(line);
  if (!input.has("json") && isWritten && scope === "user") {
    const { replayOffers } = await import("./install-replay.ts");
    const { protectionOffers } = await import("./install-offers.ts");
    for (const line of [...(await replayOffers(agents, io)), ...protectionOffers(input)]) io.err(line);
  }
  return unsettled === undefined ? exit : "problem";
}

/** The user's configuration is theirs from then on: no uninstall takes it away unasked. */
function writeConfig({ path, after = "" }: FileEdit): void {
  makeDir(dirname(path));
  if (!createFile(path, after)) throw PROBLEMS.configMeanwhile({}, { place: { file: path } });
}

function noGuards(path: string): string {
  return `Your own configuration turns no guards on, so only projects that do are guarded. Write \`guards: standard\` into ${path}.`;
}

/** What a project's line starts has to be in every clone. */
function missingDependency(root: string): string[] {
  const { adds, installs } = packageManagerOf(root);
  const isNamed = dependsOnSluice(root);
  if (!existsSync(join(root, PROJECT_COMMAND)))
    return [
      `Sluice is not installed in this project yet, and its agents are stopped until it is: run \`${isNamed ? installs : adds}\`.`,
    ];
  return isNamed ? [] : [`No clone gets Sluice before package.json names it: run \`${adds}\`.`];
}

/** Older versions wrote a client in bash, which no daemon answers any more. */
function replacedBashClient(client: Client | undefined): string {
  const now = client === undefined ? "every call starts node" : `agents ask through ${describeClient(client)}`;
  return `The bash client of an older version is replaced: ${now}. A session that was started before uses the old one until it ends, and starts node for every call.`;
}

function isNeeded(planned: FileEdit | Problem): boolean {
  return planned instanceof Problem || planned.before !== planned.after;
}

function afterwards(agents: readonly Adapter[], scope: "user" | "project"): string[] {
  const notes = agents.flatMap(({ title, recipe }) => {
    const note = recipe?.afterwards?.[scope];
    return note === undefined ? [] : [`${title}: ${note}`];
  });
  return [...notes, ...agents.map(provenLine), "`sluice doctor` fires a canary through what was written."];
}

/** What the user can rely on: a real run of the agent, or only its documentation. */
function provenLine(adapter: Adapter): string {
  const { title, proven } = adapter;
  return proven === undefined
    ? `${title}: written ${provenBy(adapter)}; no real run has proven yet that it obeys its hooks. \`sluice doctor\` shows what was seen of it.`
    : `${title}: proven in a real run of ${provenBy(adapter)}.`;
}

/** Agents that take MCP servers from no file in this scope, or from none that is known. */
function withoutServer(agents: readonly Adapter[], scope: Scope): string[] {
  return agents
    .filter(({ recipe }) => recipe !== undefined && recipe.mcp?.files[scope] === undefined)
    .map(({ title, recipe }) => {
      const other = scope === "user" ? "project" : "user";
      const is = `${title}: no file for MCP servers is known in this scope, so \`sluice mcp\` is not registered`;
      const instead = recipe?.mcp?.files[other] === undefined ? "" : `, or install with --scope ${other} instead`;
      return `${is}. To work with intents, register it by hand${instead}.`;
    });
}

/** The project whose dependency this command is. */
function dependingProject(script: string): string | undefined {
  const [, folder] = /^(.*)[\\/]node_modules[\\/]sluice[\\/]dist[\\/]/.exec(script) ?? [];
  return folder !== undefined && existsSync(join(folder, "package.json")) ? folder : undefined;
}

function lentBy(project: string): string {
  return `Your agents call the Sluice of ${project} from every project: without that folder and its node_modules their calls are blocked. To have one of your own, run \`npm install -g sluice\`, then \`sluice install\` again; for that project alone, \`sluice install --scope project\`.`;
}

const PROBLEMS = problems("install", {
  configMeanwhile: (_: object) => ({
    what: "Another program wrote your configuration while the command ran. It is left as it is.",
    fix: "Run the command again: it reports whether guards are on.",
  }),
  otherScope: ({ agents, scope }: { agents: readonly Adapter[]; scope: Scope }) => ({
    what: `${agents.map(({ title }) => title).join(", ")} call${agents.length === 1 ? "s" : ""} Sluice from ${scope === "user" ? "this project's" : "your own"} settings too: each call is decided once, by the line that comes first.`,
    fix: `Your own settings protect all other projects. To start one line less here, take your own away: sluice uninstall ${agents.map(({ id }) => id).join(" ")} --scope user`,
  }),
});
