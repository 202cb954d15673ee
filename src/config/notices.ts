import { formatPlace, type Problem } from "../problem/problem.ts";
import { WRONG_PROTECTION } from "./mistyped-protection.ts";

/** What gates have to say while guards may be missing or are mistyped: one sentence for each file with a problem. */
export function noticesFor(errors: readonly Problem[]): string[] {
  const byFile = new Map<string, Problem[]>();
  for (const problem of errors) {
    const file = problem.place?.file ?? "";
    const known = byFile.get(file);
    if (known === undefined) byFile.set(file, [problem]);
    else known.push(problem);
  }
  return [...byFile.values()].map((problems) => {
    const costly = problems.find(({ code }) => code !== WRONG_PROTECTION);
    const told = costly ?? problems[0];
    const place = told?.place === undefined ? "the configuration" : formatPlace(told.place);
    const what = (told?.message ?? "").replace(/\.$/, "");
    const rest = problems.length === 1 ? "" : ` (and ${problems.length - 1} more)`;
    const fact = costly === undefined ? "A protection is mistyped" : "A guard may be missing";
    return `${fact}: ${place}: ${what}${rest}. \`sluice check\` shows it.`;
  });
}
