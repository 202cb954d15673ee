import { ADAPTERS } from "../../adapters/index.ts";
import { restore } from "../../install/apply.ts";
import { planUninstall } from "../../install/plan.ts";
import { agentsOf, scopeOf, surroundingsOf } from "../agent-words.ts";
import type { Input } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { writeChanges } from "../write-changes.ts";

/** Takes Sluice out of the settings of agents; files that nobody else has touched get back the bytes they had. */
export function run(input: Input): Promise<Exit> {
  const around = surroundingsOf(input);
  const scope = scopeOf(input);
  const agents = input.words.length === 0 ? ADAPTERS : agentsOf(input, around);
  const planned = agents.flatMap((adapter) => planUninstall(adapter, scope, around));
  return writeChanges(planned, input, {
    verb: "uninstall",
    write: (change) => restore(change, around),
    written: ({ after }) => (after === undefined ? "removed" : "as it was before"),
    unchanged: "Nothing to do: no settings in this scope call Sluice.",
  });
}
