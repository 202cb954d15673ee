import { formatPlace, type Problem } from "../problem/problem.ts";

/** What gates have to say while guards may be missing: one sentence for each file with a problem. */
export function noticesFor(errors: readonly Problem[]): string[] {
  const byFile = new Map<string, Problem[]>();
  for (const problem of errors) {
    const file = problem.place?.file ?? "";
    const known = byFile.get(file);
    if (known === undefined) byFile.set(file, [problem]);
    else known.push(problem);
  }
  return [...byFile.values()].map((problems) => {
    const [first, ...more] = problems;
    const place = first?.place === undefined ? "the configuration" : formatPlace(first.place);
    const what = (first?.message ?? "").replace(/\.$/, "");
    const rest = more.length === 0 ? "" : ` (and ${more.length} more)`;
    return `A guard may be missing: ${place}: ${what}${rest}. \`sluice check\` shows it.`;
  });
}
