import { existsSync, statSync } from "node:fs";
import { basename, delimiter, isAbsolute, join, resolve } from "node:path";
import { ADAPTERS } from "../adapters/index.ts";
import { neverSent } from "../adapters/sent-events.ts";
import type { Layers } from "../decide/project.ts";
import { EVENT_NAMES } from "../event/catalogue.ts";
import { toolMeantBy } from "../event/tool-kinds.ts";
import { type FindPlace, placeFinder } from "../examples/place-finder.ts";
import { readExamples } from "../examples/read-examples.ts";
import type { Hook } from "../hook/hook.ts";
import { loadRegex } from "../pattern/regex.ts";
import { checkIntents } from "../policies/intent/check-intents.ts";
import { Problem, problems } from "../problem/problem.ts";
import type { ProjectPlace } from "../rule/path-shape.ts";
import { moduleFile } from "../runners/plugin-module.ts";
import { programOf, shebangOf } from "../runners/program.ts";
import { fromHome } from "../runners/working-directory.ts";
import { type AgentFacts, agentFacts, unsentByAgents } from "./agent-facts.ts";
import { type HookProblems, type Means, problemsInHook, problemsOfMatcher } from "./hook-problems.ts";
import { missingPrograms } from "./missing-programs.ts";
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
    warnings: [...found.flatMap(({ warnings }) => warnings), ...unsentProblems(hooks)],
  };
}

/** Events that are there and that no agent sends. */
function unsentProblems(hooks: readonly Hook[]): Problem[] {
  const agents = ADAPTERS.filter(({ recipe }) => recipe !== undefined);
  return neverSent(agents, hooks).map(({ name, eventPattern, origin }) => {
    const problem = PROBLEMS.neverSent({ name, pattern: eventPattern });
    return origin === undefined ? problem : problem.at(origin.place);
  });
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
        warnings: [
          ...warnings,
          ...scriptProblems(part, root),
          ...unknownTools(part),
          ...unsentByAgents(part, means.facts),
        ].map(place),
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

/** Tools that no agent is known to have: a program or a server may have them. */
function unknownTools(hook: Hook): Problem[] {
  const named = EVENT_NAMES.map((event) => hook.toolsFor(event)).flatMap((names) =>
    Array.isArray(names) ? names : [],
  );
  return [...new Set<string>(named)]
    .filter((tool) => /^[\w-]+$/.test(tool) && toolMeantBy(tool) === undefined)
    .map((tool) =>
      PROBLEMS.unknownTool({ name: hook.name, tool }, { path: hook.matcher?.tools ? ["matcher", "tools"] : ["event"] }),
    );
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

/** What would keep a hook's script or module from being run in this project, found without running it. */
function scriptProblems(hook: Hook, root: string): Problem[] {
  const { name, script: written, module } = hook;
  if (hook.type === "plugin" && module !== undefined) {
    const folder = resolve(root, fromHome(hook.workingDir ?? ""));
    return moduleFile(hook, folder) === undefined
      ? [PROBLEMS.noModule({ name, module, folder }, { path: ["module"] })]
      : [];
  }
  const folder = resolve(root, fromHome(hook.workingDir ?? ""));
  const key = hook.args === undefined ? "command" : "args";
  const missing = missingPrograms(hook, root).map((program) =>
    PROBLEMS.noProgram({ name, program, folder }, { path: [key] }),
  );
  if (hook.type !== "command" || written === undefined || hook.command !== undefined || hook.args !== undefined)
    return missing;
  const script = resolve(folder, fromHome(written));
  const found = programOf(hook, folder);
  const details = { path: ["script"] };
  if ("failure" in found) return [PROBLEMS[WHY[found.failure.why]]({ name, script, folder }, details)];
  const line = shebangOf(script);
  // The system takes the whole line; we read it ourselves only where the script is not executable.
  if (line?.at(-1)?.endsWith("\r") && found.program === script) return [PROBLEMS.lineEnds({ name, script }, details)];
  const interpreter = missingInterpreter(line?.map((word) => word.trimEnd()) ?? []);
  return interpreter === undefined ? [] : [PROBLEMS.noInterpreter({ name, script, interpreter }, details)];
}

/** What a first line names and is not there; `env` looks along the path for the program it is given. */
function missingInterpreter([program, argument]: readonly string[]): string | undefined {
  if (program === undefined || !isAbsolute(program)) return undefined;
  if (!existsSync(program)) return program;
  if (basename(program) !== "env") return undefined;
  const words = (argument ?? "").replace(/^-S\s*/, "").split(/\s+/);
  const wanted = words.find((word) => !/^\w+=/.test(word));
  return wanted === undefined || wanted === "" || wanted.startsWith("-") || isOnPath(wanted) ? undefined : wanted;
}

function isOnPath(program: string): boolean {
  if (program.includes("/")) return existsSync(program);
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder || ".", program)));
}

const WHY = { not_found: "noScript", not_executable: "notExecutable" } as const;

const PROBLEMS = problems("hook", {
  unknownTool: ({ name, tool }: { name: string; tool: string }) => ({
    what: `hook "${name}" matches the tool ${tool}, which no agent is known to have; only a program or a server with such a tool calls it.`,
    fix: "Correct the name if it is one of an agent; a tool kind such as @shell means the tools of every agent.",
  }),
  neverSent: ({ name, pattern }: { name: string; pattern: string }) => ({
    what: `hook "${name}" matches ${pattern}, which no agent sends; only a program that fires it by itself calls the hook.`,
    fix: "Match another event if an agent is to call it; `sluice events` lists them all.",
  }),
  noModule: ({ name, module, folder }: { name: string; module: string; folder: string }) => ({
    what: `hook "${name}" loads the module ${module}, which is not there.`,
    fix: `Create it, or correct its name: a path is seen from the file of hooks or from ${folder}, every other name is a package's.`,
  }),
  noScript: ({ name, script, folder }: { name: string; script: string; folder: string }) => ({
    what: `hook "${name}" runs the script ${script}, which is not there.`,
    fix: `Create it, or correct the path, which is seen from ${folder} or from where the event happens.`,
  }),
  noProgram: ({ name, program, folder }: { name: string; program: string; folder: string }) => ({
    what: `hook "${name}" starts ${program}, which is not there.`,
    fix: program.includes("/")
      ? `Create it, or correct the path, which is seen from ${folder} or from where the event happens.`
      : "Install it, or correct its name: it is looked for along PATH.",
  }),
  notExecutable: ({ name, script }: { name: string; script: string }) => ({
    what: `hook "${name}" runs the script ${script}, and it is unknown how: it is not executable, and has neither a first line with #! nor a suffix such as .sh.`,
    fix: `Begin it with #!/bin/sh, for example, or run \`chmod +x ${script}\`.`,
  }),
  lineEnds: ({ name, script }: { name: string; script: string }) => ({
    what: `hook "${name}" runs the script ${script}, whose first line ends with a carriage return (CRLF); the system looks for a program of that name.`,
    fix: "Save it with line ends of LF alone.",
  }),
  noInterpreter: ({ name, script, interpreter }: { name: string; script: string; interpreter: string }) => ({
    what: `hook "${name}" needs ${interpreter}, which the first line of ${script} names and which is not there.`,
    fix: "Install it, or correct the first line.",
  }),
});
