import { type CompileRegex, loadRegex } from "../pattern/regex.ts";
import { problems } from "../problem/problem.ts";
import type { Tools } from "./operators.ts";
import { type Rule, regexesIn } from "./rule.ts";

/** What these rules need to run; the engine for regular expressions is loaded only when one of them uses it. */
export async function prepareTools(rules: readonly Rule[]): Promise<Tools> {
  return toolsWith(rules.some(({ when }) => regexesIn(when).length > 0) ? await loadRegex() : undefined);
}

function toolsWith(compile: CompileRegex | undefined): Tools {
  return {
    regex: (pattern) => {
      const regex = compile?.(pattern) ?? NOT_LOADED;
      if ("test" in regex) return regex.test;
      throw PROBLEMS.refusedRegex({ pattern, ...regex });
    },
  };
}

const NOT_LOADED = { refused: "came after the tools were prepared", instead: "Prepare tools for all rules at once." };

const PROBLEMS = problems("rule", {
  refusedRegex: ({ pattern, refused, instead }: { pattern: string; refused: string; instead: string }) => ({
    what: `The regular expression ${JSON.stringify(pattern.slice(0, 80))} ${refused}.`,
    fix: instead,
  }),
});
