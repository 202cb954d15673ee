import { existsSync, statSync } from "node:fs";
import { basename, delimiter, isAbsolute, join, resolve } from "node:path";
import type { Path } from "../../config/tree.ts";
import { EVENT_NAMES } from "../../event/catalogue.ts";
import { isOfKind, isToolKind, TOOL_KINDS } from "../../event/tool-kinds.ts";
import type { FindPlace } from "../../examples/place-finder.ts";
import { membersOf } from "../../hook/combination.ts";
import type { Hook } from "../../hook/hook.ts";
import { within } from "../../hook/members.ts";
import { nearest } from "../../problem/nearest.ts";
import { Problem, problems } from "../../problem/problem.ts";
import type { ProjectPlace } from "../../rule/path-shape.ts";
import { moduleFile } from "../../runners/plugin-module.ts";
import { programOf, shebangOf } from "../../runners/program.ts";
import { fromHome } from "../../runners/working-directory.ts";
import { missingPrograms } from "../show/missing-programs.ts";

/** What makes a hook useless, and what is most likely a mistake. */
export interface DeepProblems {
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** What only shows when a hook is made ready to run: rules that cannot be read, prompts with slots that name nothing. */
export async function deepProblems(hooks: readonly Hook[], root: string): Promise<DeepProblems> {
  const { placeFinder } = await import("../../examples/place-finder.ts");
  const placeOf = placeFinder();
  const errors = await Promise.all(hooks.map((hook) => errorsOf(hook, root, placeOf)));
  const warnings = await Promise.all(hooks.map((hook) => warningsOf(hook, root, placeOf)));
  return { errors: errors.flat(), warnings: [...warnings.flat(), ...(await unsentProblems(hooks))] };
}

/** Events that are there and that no agent sends; a pattern that matches no event at all was told before. */
async function unsentProblems(hooks: readonly Hook[]): Promise<Problem[]> {
  const [{ ADAPTERS }, { neverSent }, { unmatchedAlternative }] = await Promise.all([
    import("../../adapters/index.ts"),
    import("../../doctor/across-agents.ts"),
    import("../../event/pattern.ts"),
  ]);
  const agents = ADAPTERS.filter(({ recipe }) => recipe !== undefined);
  return neverSent(agents, hooks)
    .filter(({ eventPattern }) => eventPattern.trim() !== "" && unmatchedAlternative(eventPattern) === undefined)
    .map(({ name, eventPattern, origin }) => {
      const problem = PROBLEMS.neverSent({ name, pattern: eventPattern });
      return origin === undefined ? problem : problem.at(origin.place);
    });
}

async function errorsOf(hook: Hook, root: string, placeOf: FindPlace): Promise<Problem[]> {
  const found = await Promise.all(
    partsOf(hook).map(async (part) => {
      const unreadable = (await CHECKS[part.type]?.(part)) ?? [];
      return [...unreadable, ...(await lintProblems(part, root))].map(placing(hook, part, placeOf));
    }),
  );
  const { lintMatcher } = await import("../../rule/lint.ts");
  const own = [...lintMatcher(hook, placeOfProject(root)), ...(await exampleProblems(hook))];
  return [...found.flat(), ...own.map(placing(hook, hook, placeOf))];
}

/** What can be read in rules and conditions, and could never match. */
async function lintProblems(part: Hook, root: string): Promise<Problem[]> {
  const [{ lintRule }, { readHookRules }, { readConditionText }] = await Promise.all([
    import("../../rule/lint.ts"),
    import("../../rule/hook-rules.ts"),
    import("../../rule/dsl.ts"),
  ]);
  const place = placeOfProject(root);
  const ofRules = readHookRules(part).written.flatMap((written) => lintRule(written, place));
  const ofConditions = conditionsIn(part.combination).flatMap(({ when, path }) =>
    readConditionText(when.rule ?? "")
      .written.flatMap((written) => lintRule(written, place))
      .map((problem) => within([...path, "if"], atText(problem))),
  );
  return [...ofRules, ...(part.type === "combine" ? ofConditions : [])];
}

function placeOfProject(root: string): ProjectPlace {
  return {
    root,
    exists: existsSync,
    isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false,
  };
}

/** A condition is one text; its problem stands at its beginning. */
function atText({ code, message, fix }: Problem): Problem {
  return new Problem(code, { what: message, ...(fix && { fix }) }, { path: [] });
}

async function warningsOf(hook: Hook, root: string, placeOf: FindPlace): Promise<Problem[]> {
  const [{ readHookRules }, { lintOrder }] = await Promise.all([
    import("../../rule/hook-rules.ts"),
    import("../../rule/lint.ts"),
  ]);
  return partsOf(hook).flatMap((part) => {
    const { written, warnings } = readHookRules(part);
    const found = [...warnings, ...lintOrder(written), ...scriptProblems(part, root), ...nearTools(part)];
    return found.map(placing(hook, part, placeOf));
  });
}

/** Tools that no agent is known to have, and that are spelled nearly like one: names of tools compare exactly. */
function nearTools(hook: Hook): Problem[] {
  const tools = new Set(
    EVENT_NAMES.map((event) => hook.toolsFor(event)).flatMap((names) => (Array.isArray(names) ? names : [])),
  );
  const isKnown = (tool: string) => Object.keys(TOOL_KINDS).some((kind) => isToolKind(kind) && isOfKind(tool, kind));
  const known = Object.values(TOOL_KINDS).flatMap(({ names }) => names);
  return [...tools].flatMap((tool) => {
    const near = isKnown(tool)
      ? undefined
      : nearest(
          tool,
          known.filter((name) => isTypedLike(tool, name)),
          1,
        );
    if (near === undefined) return [];
    const kind = Object.keys(TOOL_KINDS).find((one) => isToolKind(one) && isOfKind(near, one)) ?? "";
    return [PROBLEMS.nearTool({ name: hook.name, tool, near, kind })];
  });
}

/** Short names are one letter apart from another one by chance, unless letters are swapped or one is left out: `Bahs`, `bsh`. */
function isTypedLike(tool: string, name: string): boolean {
  const [typed, meant] = [tool.toLowerCase(), name.toLowerCase()];
  if (tool.length >= SHORT_TOOL || typed === meant) return true;
  const letters = (text: string) => [...text].sort().join("");
  const isShorter = tool.length > 2 && name.length === tool.length + 1;
  return typed[0] === meant[0] && (isShorter || letters(typed) === letters(meant));
}

const SHORT_TOOL = 5;

/** Puts a problem at its own line; what a part of another hook says stands at that hook. */
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

/** Fields that are texts of lines; a path goes on in them with line and column. */
const TEXTS: ReadonlySet<string | number> = new Set(["rules", "prompt", "if", "policies", "schema"]);

/** Examples that cannot be tried; they cost no hook. */
async function exampleProblems(hook: Hook): Promise<readonly Problem[]> {
  if (hook.examples === undefined) return [];
  const { readExamples } = await import("../../examples/read-examples.ts");
  return readExamples(hook).problems;
}

/** A hook that is made of others, and everything that it is made of. */
function partsOf(hook: Hook): readonly Hook[] {
  return hook.combination === undefined ? [hook] : [hook, ...hook.parts];
}

type When = Extract<NonNullable<Hook["combination"]>, { way: "when" }>;

/** Every `when` in a combination, however deep it lies, with the keys that lead to it. */
function conditionsIn(combination: Hook["combination"], above: Path = []): { when: When; path: Path }[] {
  if (combination === undefined) return [];
  const path = [...above, combination.way];
  const inner = membersOf(combination).flatMap((member, index) =>
    conditionsIn(member.combination, [...path, memberKey(combination.way, index)]),
  );
  return combination.way === "when" ? [{ when: combination, path }, ...inner] : inner;
}

function memberKey(way: NonNullable<Hook["combination"]>["way"], index: number): string | number {
  if (way === "retry") return "of";
  return way === "when" ? (["then", "else"][index] ?? "then") : index;
}

const CHECKS: Partial<Record<Hook["type"], (hook: Hook) => Promise<readonly Problem[]>>> = {
  inline: async (hook) => {
    const { compileHookRules } = await import("../../rule/hook-rules.ts");
    return (await compileHookRules(hook)).problems;
  },
  combine: async ({ combination }) => {
    const { conditionProblems } = await import("../../runners/when.ts");
    const found = conditionsIn(combination).map(async ({ when, path }) =>
      (await conditionProblems(when)).map((problem) => within(path, problem)),
    );
    return (await Promise.all(found)).flat();
  },
  cedar: async (hook) => {
    const { cedarPolicies } = await import("../../runners/cedar-policies.ts");
    return cedarPolicies(hook).then(
      () => [],
      (error: unknown) => {
        if (error instanceof Problem) return [error];
        throw error;
      },
    );
  },
  opa: async ({ name, opa }) => {
    const { url = "" } = opa ?? {};
    return URL.canParse(url) && /^https?:/i.test(url)
      ? []
      : [PROBLEMS.noAddress({ name, url }, { path: ["opa", "url"] })];
  },
  http: async ({ name, url = "" }) =>
    URL.canParse(url) && /^https?:/i.test(url) ? [] : [PROBLEMS.noAddress({ name, url }, { path: ["url"] })],
  llm: async ({ name, prompt = "" }) => {
    const { PromptTemplate } = await import("../../llm/prompt-template.ts");
    return [...prompt.matchAll(/\{\{(?:[^{}]*\}\})?/g)].flatMap(({ 0: slot, index }) => {
      try {
        if (slot === "{{") throw PROBLEMS.openSlot({ name });
        new PromptTemplate(slot);
        return [];
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const before = prompt.slice(0, index).split("\n");
        const path = ["prompt", before.length, (before.at(-1)?.length ?? 0) + 1];
        return [new Problem(error.code, { what: error.message, ...(error.fix && { fix: error.fix }) }, { path })];
      }
    });
  },
};

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
  nearTool: ({ name, tool, near, kind }: { name: string; tool: string; near: string; kind: string }) => ({
    what: `hook "${name}" matches the tool ${tool}, which no agent is known to have; names of tools compare exactly.`,
    fix: `Did you mean "${near}"? ${kind} means such a tool in every agent.`,
  }),
  neverSent: ({ name, pattern }: { name: string; pattern: string }) => ({
    what: `hook "${name}" matches ${pattern}, which no agent sends; only a program that fires it by itself calls the hook.`,
    fix: "Match another event if an agent is to call it; `sluice events` lists them all.",
  }),
  openSlot: ({ name }: { name: string }) => ({
    what: `the prompt of hook "${name}" has a {{ without its }}; the model would read it as it is written.`,
    fix: "Close it: {{args.content}}, for example.",
  }),
  noAddress: ({ name, url }: { name: string; url: string }) => ({
    what: `hook "${name}" posts to "${url}", which is not the address of a server.`,
    fix: "Write one that begins with http:// or https://.",
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
    what: `hook "${name}" runs the script ${script}, and nothing says how: it is not executable, and has neither a first line with #! nor a suffix such as .sh.`,
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
