import { ADAPTERS } from "../adapters/index.ts";
import { configurationProblems } from "../check/check-hooks.ts";
import { ownHooks } from "../check/own-hooks.ts";
import { shortPath } from "../contain/contained-text.ts";
import { deletionsFirst, isHeld } from "../contain/held-changes.ts";
import { reachOf } from "../doctor/agent.ts";
import { allBoxes } from "../policies/contain/box-store.ts";
import { readKept, undoFolder } from "../policies/undo/kept-call.ts";
import { sumOf } from "./journal-index.ts";
import type { UiContext, UiRoute } from "./route.ts";
import { draftedConfiguration } from "./try-routes.ts";
import { keptForUndo } from "./undo-routes.ts";
import type { Summary } from "./wire-summary.ts";

/** What waits for the person: requests, what broke, what does nothing, what is not proven. */
export const showSummary: UiRoute = async (_, context) => {
  const { hello, env, index } = context;
  const configuration = draftedConfiguration(hello.root, new Map(), context);
  const { hooks } = sumOf(await index.days(DAYS));
  const { errors } = await configurationProblems({ ...configuration, hooks: configuration.written });
  const week = Date.now() - WEEK_MS;
  const summary: Summary = {
    held: allBoxes(env).flatMap((box) => {
      const { plan, receipt } = box;
      if (plan.root !== hello.root || !isHeld(box)) return [];
      const changes = receipt?.changes
        .filter(({ state }) => state === "held")
        .map(({ path, change }) => ({ path: shortPath(plan.root, path), change }));
      const { id, at, command } = plan;
      return [{ id, at: Date.parse(at), command, ...(changes && { changes: deletionsFirst(changes) }) }];
    }),
    broke: Object.entries(hooks)
      .flatMap(([hook, { failure, letPass, broke, lastFired }]) =>
        failure === undefined || failure.at < week ? [] : [{ hook, ...failure, letPass, broke, lastFired }],
      )
      .sort((one, other) => other.letPass - one.letPass || other.at - one.at),
    never: ownHooks(configuration.hooks)
      .filter(({ name, enabled }) => enabled && (hooks[name]?.lastFired ?? 0) === 0)
      .map(({ name }) => name),
    problems: errors.map((problem) => problem.format()),
    agents: unseenAgents(context),
    kept: readKept(undoFolder(env))
      .filter(({ root, state, tool }) => root === hello.root && state === "kept" && tool !== "sluice undo")
      .slice(-MAX_KEPT)
      .reverse()
      .map(keptForUndo),
  };
  return { json: summary };
};

/** Agents whose settings call Sluice, and of which no call was recorded since. */
function unseenAgents({ hello, env }: UiContext): Summary["agents"] {
  const sluice = [process.execPath, process.argv[1] ?? ""];
  const around = { home: hello.home, root: hello.root, env, sluice, mcp: [...sluice, "mcp"], isMatched: () => true };
  return ADAPTERS.flatMap((adapter) => {
    const { installed, seen } = reachOf(adapter, around);
    return installed && !seen ? [{ id: adapter.id, title: adapter.title }] : [];
  });
}

const DAYS = 30;
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const MAX_KEPT = 5;
