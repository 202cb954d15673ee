import { membersOf } from "../hook/combination.ts";
import type { Hook } from "../hook/hook.ts";
import { Problem, problems } from "../problem/problem.ts";

/** What only shows when a hook is made ready to run: rules that cannot be read, prompts with slots that name nothing. */
export async function deepProblems(hooks: readonly Hook[]): Promise<Problem[]> {
  const found = await Promise.all(hooks.map(problemsOf));
  return found.flat();
}

async function problemsOf(hook: Hook): Promise<Problem[]> {
  const problems = (await Promise.all(partsOf(hook).map((part) => CHECKS[part.type]?.(part) ?? []))).flat();
  const place = hook.origin?.place;
  return problems.map((problem) => (place && problem.place === undefined ? problem.at(place) : problem));
}

/** A hook that is made of others, and everything that it is made of. */
function partsOf(hook: Hook): readonly Hook[] {
  return hook.combination === undefined ? [hook] : [hook, ...hook.parts];
}

type When = Extract<NonNullable<Hook["combination"]>, { way: "when" }>;

/** Every `when` in a combination, however deep it lies. */
function conditionsIn(combination: Hook["combination"]): When[] {
  if (combination === undefined) return [];
  const inner = membersOf(combination).flatMap((member) => conditionsIn(member.combination));
  return combination.way === "when" ? [combination, ...inner] : inner;
}

const CHECKS: Partial<Record<Hook["type"], (hook: Hook) => Promise<readonly Problem[]>>> = {
  inline: async (hook) => {
    const { compileHookRules } = await import("../rule/hook-rules.ts");
    return (await compileHookRules(hook)).problems;
  },
  combine: async ({ combination }) => {
    const { conditionProblems } = await import("../runners/when.ts");
    return conditionsIn(combination).reduce<Promise<readonly Problem[]>>(
      async (found, when) => [...(await found), ...(await conditionProblems(when))],
      Promise.resolve([]),
    );
  },
  http: async ({ name, url = "" }) =>
    URL.canParse(url) && /^https?:/i.test(url) ? [] : [PROBLEMS.noAddress({ name, url })],
  llm: async (hook) => {
    const { PromptTemplate } = await import("../llm/prompt-template.ts");
    try {
      new PromptTemplate(hook.prompt ?? "");
      return [];
    } catch (error) {
      if (error instanceof Problem) return [error];
      throw error;
    }
  },
};

const PROBLEMS = problems("hook", {
  noAddress: ({ name, url }: { name: string; url: string }) => ({
    what: `hook "${name}" posts to "${url}", which is no address of a server.`,
    fix: "Write one that begins with http:// or https://.",
  }),
});
