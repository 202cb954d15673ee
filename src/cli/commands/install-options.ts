import type { Adapter } from "../../adapters/adapter.ts";
import { ADAPTERS, adapterNamed } from "../../adapters/index.ts";
import type { Scope } from "../../adapters/recipe.ts";
import type { EventName } from "../../event/catalogue.ts";
import { homeDir } from "../../fs/home-dir.ts";
import type { Hook } from "../../hook/hook.ts";
import { type DetectedAgent, detect, type InstallContext } from "../../install/install-context.ts";
import { didYouMean } from "../../problem/nearest.ts";
import { problems } from "../../problem/problem.ts";
import { clientOf } from "../../server/clients/make-client.ts";
import { coldCommand } from "../../server/cold-command.ts";
import { readAddress } from "../../server/http/http-address.ts";
import { runtimeDirOf } from "../../server/runtime-dir.ts";
import type { CommandInput } from "../command.ts";
import { configurationOf, rootOf } from "../configuration.ts";

/** Where agents keep their settings, as seen from where the command was called; `more` are hooks that are about to be written. */
export function installContext(
  input: CommandInput,
  { more = [] }: { readonly more?: readonly Hook[] } = {},
): InstallContext {
  const hooks = [...configurationOf(input).hooks, ...more];
  // A hook on "*" is not a reason to install the events that fire for every token on the screen.
  const isMeant = (hook: Hook, event: EventName) => hook.eventPattern !== "*" && hook.toolsFor(event) !== "never";
  const isMatched = (event: EventName) => hooks.some((hook) => hook.enabled && isMeant(hook, event));
  const { env } = input.io;
  // The command that runs now is the one that agents will start, whatever is in their PATH; a client asks its engine first.
  const sluice = coldCommand();
  const client = clientOf(sluice, env)?.path;
  const http = readAddress(runtimeDirOf(sluice, { env }));
  return {
    home: homeDir(env),
    root: rootOf(input),
    env,
    sluice,
    client,
    mcp: [...sluice, "mcp"],
    http,
    isMatched,
  };
}

/** The agents that the arguments name; those on this machine if they name none. */
export function agentsOf({ words, io }: CommandInput, around: InstallContext): readonly Adapter[] {
  if (words.length > 0) return [...new Set(words)].map(named);
  const found = detect(ADAPTERS, around);
  if (found.length === 0) throw PROBLEMS.noneFound({ ids: installable() });
  io.err(`Found here: ${found.map(foundAs).join(", ")}.`);
  return found.map(({ adapter }) => adapter);
}

/** For whom something is written. */
export function scopeOf({ text }: Pick<CommandInput, "text">, otherwise: Scope = "user"): Scope {
  const scope = text("scope") ?? otherwise;
  if (scope !== "user" && scope !== "project") throw PROBLEMS.unknownScope({ scope });
  return scope;
}

function named(id: string): Adapter {
  const adapter = adapterNamed(id);
  if (adapter === undefined) throw PROBLEMS.unknownAgent({ id, ids: installable() });
  return adapter;
}

/** Half a name is as good as a misspelt one. */
function meant(id: string, ids: readonly string[]): string {
  const whole = ids.find((known) => known.startsWith(`${id}-`));
  return whole === undefined ? didYouMean(id, ids) : `Did you mean "${whole}"?`;
}

function installable(): string[] {
  return ADAPTERS.filter(({ recipe }) => recipe !== undefined).map(({ id }) => id);
}

function foundAs({ adapter, program, traces }: DetectedAgent): string {
  return `${adapter.id} (${program ?? traces.map((trace) => `~/${trace}`).join(", ")})`;
}

const PROBLEMS = problems("usage", {
  noneFound: ({ ids }: { ids: readonly string[] }) => ({
    what: "No agent was found on this machine: none of their programs is in the path, and none left settings.",
    fix: `Name the agents: sluice install <${ids.join("|")}>`,
  }),
  unknownAgent: ({ id, ids }: { id: string; ids: readonly string[] }) => ({
    what: `Unknown agent "${id}".`,
    fix: `${meant(id, ids)} Known are ${ids.toSorted().join(", ")}.`.trim(),
  }),
  unknownScope: ({ scope }: { scope: string }) => ({
    what: `--scope ${scope}: a scope is user or project.`,
    fix: "Write --scope user for all your projects, --scope project for everyone who works on this one.",
  }),
});
