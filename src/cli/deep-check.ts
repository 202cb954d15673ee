import type { Hook } from "../hook/hook.ts";
import { Problem } from "../problem/problem.ts";

/** What only shows when a hook is made ready to run: rules that cannot be read, prompts with slots that name nothing. */
export async function deepProblems(hooks: readonly Hook[]): Promise<Problem[]> {
  const found = await Promise.all(hooks.map(problemsOf));
  return found.flat();
}

async function problemsOf(hook: Hook): Promise<Problem[]> {
  const problems = (await Promise.all(hook.parts.map((part) => CHECKS[part.type]?.(part) ?? []))).flat();
  const place = hook.origin?.place;
  return problems.map((problem) => (place && problem.place === undefined ? problem.at(place) : problem));
}

const CHECKS: Partial<Record<Hook["type"], (hook: Hook) => Promise<readonly Problem[]>>> = {
  inline: async (hook) => {
    const { compileHookRules } = await import("../rule/hook-rules.ts");
    const compiled = await compileHookRules(hook);
    return "problems" in compiled ? compiled.problems : [];
  },
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
