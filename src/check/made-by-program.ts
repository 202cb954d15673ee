import { RE2JS } from "re2js";
import { ADAPTERS } from "../adapters/index.ts";
import { knowAgents } from "../event/agent-names.ts";
import { checkRulesWith, type Hook } from "../hook/hook.ts";
import { compileWith } from "../pattern/regex.ts";
import type { Problem } from "../problem/problem.ts";
import { agentFacts } from "./agent-facts.ts";
import { problemsInHook, problemsOfMatcher } from "./hook-problems.ts";
import { hookWarnings, unsentEvents } from "./hook-warnings.ts";

/** From here on a hook that a program makes throws the first thing that is wrong with its rules and patterns, and knows what is likely a mistake. */
export function checkHooksOfPrograms(): void {
  knowAgents(ADAPTERS.map(({ id }) => id));
  checkRulesWith({ problem: firstProblem, warnings });
}

function firstProblem(hook: Hook): Problem | undefined {
  for (const part of partsOf(hook)) {
    const [problem] = problemsInHook(part, MEANS).errors;
    if (problem !== undefined) return problem;
  }
  return problemsOfMatcher(hook)[0];
}

function warnings(hook: Hook): readonly Problem[] {
  const root = process.cwd();
  const facts = agentFacts(root);
  const found = partsOf(hook).flatMap((part) => [
    ...problemsInHook(part, MEANS).warnings,
    ...hookWarnings(part, root, facts),
  ]);
  return [...found, ...unsentEvents([hook])];
}

function partsOf(hook: Hook): readonly Hook[] {
  return [...new Set([hook, ...hook.parts])];
}

const MEANS = { regex: compileWith(RE2JS) };
