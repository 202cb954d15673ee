import type { Adapter } from "../../adapters/adapter.ts";
import type { Scope } from "../../adapters/recipe.ts";
import { isWired } from "../../doctor/agent.ts";
import { apply } from "../../install/apply.ts";
import { backupPath } from "../../install/ledger.ts";
import { planInstall } from "../../install/plan.ts";
import type { Change } from "../../install/plan-file.ts";
import type { Surroundings } from "../../install/surroundings.ts";
import { Problem, problems } from "../../problem/problem.ts";
import { makeClient } from "../../resident/client.ts";
import { agentsOf, scopeOf, surroundingsOf } from "../agent-words.ts";
import { coldWords } from "../cold-words.ts";
import type { Input } from "../command.ts";
import { shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { writeChanges } from "../write-changes.ts";

/** Writes Sluice into the settings of agents: shows what changes, and touches nothing but its own entries. */
export async function run(input: Input): Promise<Exit> {
  const { io } = input;
  // The client comes first, so that what is shown is what would be written.
  if (io.env.SLUICE_RESIDENT !== "0") makeClient(coldWords(), io.env);
  const around = surroundingsOf(input);
  const scope = scopeOf(input);
  const agents = agentsOf(input, around);
  const planned = agents.flatMap(
    (adapter) => inOtherScope(adapter, scope, around) ?? planInstall(adapter, scope, around),
  );
  const exit = await writeChanges(planned.filter(isNeeded), input, {
    verb: "install",
    write: (change) => apply(change, around),
    written: ({ path, before, after }) =>
      after === undefined
        ? "removed"
        : before === undefined
          ? "written"
          : `written; what was there: ${shortPath(backupPath(path, around.env), io)}`,
    unchanged: `Nothing to do: ${agents.map(({ title }) => title).join(", ")} already call${agents.length === 1 ? "s" : ""} Sluice as this version writes it.`,
  });
  if (!input.has("json") && !input.has("dry-run") && exit === "done")
    for (const line of afterwards(agents, scope)) io.err(line);
  return exit;
}

/** An agent that runs every copy of a command would run each hook twice. */
function inOtherScope(adapter: Adapter, scope: Scope, around: Surroundings): Problem[] | undefined {
  const other = scope === "user" ? "project" : "user";
  if (adapter.dropsDuplicates || isWired(adapter, around, [scope]) || !isWired(adapter, around, [other]))
    return undefined;
  return [PROBLEMS.otherScope({ title: adapter.title, id: adapter.id, other })];
}

function isNeeded(planned: Change | Problem): boolean {
  return planned instanceof Problem || planned.before !== planned.after;
}

function afterwards(agents: readonly Adapter[], scope: "user" | "project"): string[] {
  const notes = agents.flatMap(({ title, recipe }) => {
    const note = recipe?.afterwards?.[scope];
    return note === undefined ? [] : [`${title}: ${note}`];
  });
  return [...notes, "`sluice doctor` fires a canary through what was written."];
}

const PROBLEMS = problems("install", {
  otherScope: ({ title, id, other }: { title: string; id: string; other: Scope }) => ({
    what: `${title} calls Sluice from its ${other} settings already; a second call would run each hook twice.`,
    fix: `Keep that one, or take it away first: sluice uninstall ${id} --scope ${other}`,
  }),
});
