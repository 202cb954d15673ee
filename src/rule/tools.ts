import type { LookupsFor } from "../effects/effect.ts";
import { type CompileRegex, loadRegex } from "../pattern/regex.ts";
import { problems } from "../problem/problem.ts";
import type { Tools } from "./operators.ts";
import { looksAtActs, type Rule, regexesIn } from "./rule.ts";

/**
 * What these rules need to run; the engine for regular expressions and the one for commands are loaded only when one of
 * them uses it. `look` is what may be seen beside a command, such as a script that it runs.
 */
export async function prepareTools(rules: readonly Rule[], look?: LookupsFor): Promise<Tools> {
  const regex = rules.some(({ when }) => regexesIn(when).length > 0) ? await loadRegex() : undefined;
  const acts = rules.some(({ when }) => looksAtActs(when)) ? await import("../effects/call-effects.ts") : undefined;
  return toolsWith(regex, (event, value) => acts?.valueEffects(event, value, look));
}

function toolsWith(compile: CompileRegex | undefined, act: Tools["act"]): Tools {
  return {
    act,
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
