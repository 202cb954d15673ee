import { existsSync, statSync } from "node:fs";
import type { Layers } from "../decide/project.ts";
import { type FindPlace, placeFinder } from "../examples/place-finder.ts";
import { readExamples } from "../examples/read-examples.ts";
import type { Hook } from "../hook/hook.ts";
import { loadRegex } from "../pattern/regex.ts";
import { checkIntents } from "../policies/intent/check-intents.ts";
import { Problem } from "../problem/problem.ts";
import type { ProjectPlace } from "../rule/path-shape.ts";
import { type AgentFacts, agentFacts } from "./agent-facts.ts";
import { type HookProblems, type Means, problemsInHook, problemsOfMatcher } from "./hook-problems.ts";
import { hookWarnings, unsentEvents } from "./hook-warnings.ts";
import { ownHooks } from "./own-hooks.ts";

/** What is checked: a configuration as it is read, and the hooks that people wrote into its files. */
export interface CheckedConfiguration extends HookProblems {
  readonly root: string;
  readonly hooks: readonly Hook[];
  readonly settings: Pick<Layers["settings"], "intents">;
}

/** All problems of a configuration: of its files, of its hooks and of the intents of its project. `sluice check` and the editor of the pages report these. */
export async function configurationProblems(
  { errors, warnings, root, hooks, settings }: CheckedConfiguration,
  drafts?: ReadonlyMap<string, string>,
): Promise<HookProblems> {
  const deep = await deepProblems(ownHooks(hooks), root, drafts);
  const intents = checkIntents(root, settings.intents.mode);
  return {
    errors: [...errors, ...deep.errors, ...intents.errors],
    warnings: [...warnings, ...deep.warnings, ...intents.warnings],
  };
}

/** What only shows when a hook is made ready to run: rules that cannot be read or match nothing, scripts that are missing. */
export async function deepProblems(
  hooks: readonly Hook[],
  root: string,
  drafts?: ReadonlyMap<string, string>,
): Promise<HookProblems> {
  const placeOf = placeFinder(drafts);
  const means = { regex: await loadRegex(), place: placeOfProject(root) };
  const facts = agentFacts(root);
  const found = await Promise.all(hooks.map((hook) => problemsOf(hook, root, { ...means, facts }, placeOf)));
  return {
    errors: found.flatMap(({ errors }) => errors),
    warnings: [...found.flatMap(({ warnings }) => warnings), ...unsentEvents(hooks)],
  };
}

async function problemsOf(
  hook: Hook,
  root: string,
  means: Means & { readonly facts: AgentFacts },
  placeOf: FindPlace,
): Promise<HookProblems> {
  const found = await Promise.all(
    partsOf(hook).map(async (part) => {
      const { errors, warnings } = problemsInHook(part, means);
      const place = placing(hook, part, placeOf);
      return {
        errors: [...errors, ...(part.type === "cedar" ? await cedarProblems(part) : [])].map(place),
        warnings: [...warnings, ...hookWarnings(part, root, means.facts)].map(place),
      };
    }),
  );
  const examples = hook.examples === undefined ? [] : readExamples(hook).problems;
  const own = [...problemsOfMatcher(hook, means.place), ...examples].map(placing(hook, hook, placeOf));
  return {
    errors: [...found.flatMap(({ errors }) => errors), ...own],
    warnings: found.flatMap(({ warnings }) => warnings),
  };
}

async function cedarProblems(hook: Hook): Promise<Problem[]> {
  const { cedarPolicies } = await import("../runners/cedar-policies.ts");
  return cedarPolicies(hook).then(
    () => [],
    (error: unknown) => {
      if (error instanceof Problem) return [error];
      throw error;
    },
  );
}

function placeOfProject(root: string): ProjectPlace {
  return {
    root,
    exists: existsSync,
    isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false,
  };
}

/** Puts a problem at its own line; a problem in a part of another hook is put at that hook. */
function placing(hook: Hook, part: Hook, placeOf: FindPlace): (problem: Problem) => Problem {
  return (problem) => {
    const path = problem.path ?? [];
    const end = path.findIndex((key) => TEXTS.has(key)) + 1;
    const [line, column = 1] = path.slice(end);
    const isInText = end > 0 && typeof line === "number" && typeof column === "number";
    const own = isInText ? placeOf(hook, path.slice(0, end), line, column) : placeOf(hook, path);
    const place = part === hook ? own : hook.origin?.place;
    return problem.place !== undefined || place === undefined ? problem : problem.at(place);
  };
}

/** Fields that are texts of lines; a path continues in them with line and column. */
const TEXTS: ReadonlySet<string | number> = new Set(["rules", "prompt", "if", "policies", "schema"]);

/** A hook that is made of others, and everything that it is made of. */
function partsOf(hook: Hook): readonly Hook[] {
  return hook.combination === undefined ? [hook] : [hook, ...hook.parts];
}
