import { type Problem, problems } from "../problem/problem.ts";
import { errorText } from "../decide/error-data.ts";

/** What is said when hooks could not be told how a call ended. */
export function lostAfterwards(tool: string, cause: unknown): Problem {
  return PROBLEMS.lost({ tool, why: errorText(cause) }, { cause });
}

const PROBLEMS = problems("host", {
  lost: ({ tool, why }: { tool: string; why: string }) => ({
    what: `Hooks could not be told how ${tool} ended: ${why}`,
    fix: "The tool's own result stands; look at what the host hands over.",
  }),
});
