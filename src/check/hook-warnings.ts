import { existsSync } from "node:fs";
import { basename, delimiter, isAbsolute, join, resolve } from "node:path";
import { ADAPTERS } from "../adapters/index.ts";
import { neverSent } from "../adapters/sent-events.ts";
import { EVENT_NAMES } from "../event/catalogue.ts";
import { toolMeantBy } from "../event/tool-kinds.ts";
import type { Hook } from "../hook/hook.ts";
import { type Problem, problems } from "../problem/problem.ts";
import { moduleFile } from "../runners/plugin-module.ts";
import { programOf, shebangOf } from "../runners/program.ts";
import { fromHome } from "../runners/working-directory.ts";
import { type AgentFacts, unsentByAgents } from "./agent-facts.ts";
import { missingPrograms } from "./missing-programs.ts";

/** What is most likely a mistake in one hook, or one member of it, as far as this machine and its agents show. */
export function hookWarnings(hook: Hook, root: string, facts: AgentFacts): Problem[] {
  return [...scriptProblems(hook, root), ...unknownTools(hook), ...unsentByAgents(hook, facts)];
}

/** Events that are there and that no agent sends. */
export function unsentEvents(hooks: readonly Hook[]): Problem[] {
  const agents = ADAPTERS.filter(({ recipe }) => recipe !== undefined);
  return neverSent(agents, hooks).map(({ name, eventPattern, origin }) => {
    const problem = PROBLEMS.neverSent({ name, pattern: eventPattern });
    return origin === undefined ? problem : problem.at(origin.place);
  });
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
