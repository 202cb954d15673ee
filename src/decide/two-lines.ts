import { join } from "node:path";
import type { Native } from "../adapters/read-call.ts";
import { type Recipe, SCOPE_VARIABLE, type Scope } from "../adapters/recipe.ts";
import type { HookEvent } from "../event/event.ts";
import { homeDir } from "../fs/home-dir.ts";
import { statsAt } from "../fs/resolve-path.ts";
import type { Caller } from "./caller.ts";
import { CANARY_VARIABLE } from "./canary.ts";

/** The line that brought a call, and the settings in which the agent may have another line for the same call. */
export interface TwoLines {
  /** Whose settings have the line that brought the call. */
  readonly scope: Scope;
  /** The files of the other scope that exist. */
  readonly others: readonly string[];
}

/** Returns undefined if the agent does not have settings in the other scope: then every call comes once. Costs one file access. */
export function twoLines({ adapter, payload }: Native, { cwd }: HookEvent, caller: Caller): TwoLines | undefined {
  const { recipe, projectVariables = [], projectOf } = adapter;
  const { env } = caller;
  if (recipe === undefined || env[CANARY_VARIABLE] !== undefined) return undefined;
  const home = homeDir(env);
  const scope: Scope = env[SCOPE_VARIABLE] === "project" ? "project" : "user";
  const stated = projectVariables.map((name) => env[name]).find((folder) => folder !== undefined && folder !== "");
  const root = stated ?? projectOf?.(payload) ?? cwd ?? caller.cwd;
  if (root === home) return undefined;
  const [folder, other] = scope === "user" ? [root, "project" as const] : [home, "user" as const];
  const others = filesIn(recipe, other)
    .map((file) => join(folder, file))
    .filter((path) => statsAt(path) !== undefined);
  return others.length === 0 ? undefined : { scope, others };
}

function filesIn(recipe: Recipe, scope: Scope): string[] {
  if (recipe.kind === "files") return recipe.files(scope, [], ["sluice"]).map(({ path }) => path);
  return [recipe.files[scope], ...(recipe.tables === undefined ? [] : [recipe.tables[scope]])];
}
