import type { Adapter } from "../../adapters/adapter.ts";
import { apply } from "../../install/apply.ts";
import { backupPath } from "../../install/ledger.ts";
import { planInstall } from "../../install/plan.ts";
import type { Change } from "../../install/plan-file.ts";
import { Problem } from "../../problem/problem.ts";
import { agentsOf, scopeOf, surroundingsOf } from "../agent-words.ts";
import type { Input } from "../command.ts";
import { shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { writeChanges } from "../write-changes.ts";

/** Writes Sluice into the settings of agents: shows what changes, and touches nothing but its own entries. */
export async function run(input: Input): Promise<Exit> {
  const { io } = input;
  const around = surroundingsOf(input);
  const scope = scopeOf(input);
  const agents = agentsOf(input, around);
  const planned = agents.flatMap((adapter) => planInstall(adapter, scope, around));
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
