import { RE2JS } from "re2js";
import { ADAPTERS } from "../adapters/index.ts";
import { knowAgents } from "../event/agent-names.ts";
import { checkRulesWith, type Hook } from "../hook/hook.ts";
import { compileWith } from "../pattern/regex.ts";
import type { Problem } from "../problem/problem.ts";
import { problemsInHook, problemsOfMatcher } from "./hook-problems.ts";

/** From here on a hook that a program makes throws the first thing that is wrong with its rules and patterns. */
export function checkHooksOfPrograms(): void {
  knowAgents(ADAPTERS.map(({ id }) => id));
  checkRulesWith(firstProblem);
}

function firstProblem(hook: Hook): Problem | undefined {
  for (const part of new Set([hook, ...hook.parts])) {
    const [problem] = problemsInHook(part, MEANS).errors;
    if (problem !== undefined) return problem;
  }
  return problemsOfMatcher(hook)[0];
}

const MEANS = { regex: compileWith(RE2JS) };
