import type { Problem } from "../problem/problem.ts";

/** How much is wrong with a configuration, in the same words everywhere: `1 problem, 2 warnings`. */
export function countsOf({ errors, warnings }: Counted): string {
  return `${plural(errors.length, "problem")}, ${plural(warnings.length, "warning")}`;
}

interface Counted {
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** The hint of a command that goes on regardless. */
export function countsHint(counted: Counted): string {
  return `${countsOf(counted)} in the configuration; \`sluice check\` shows them.`;
}

/** `1 hook`, `2 hooks`. */
export function plural(count: number, word: string): string {
  return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}
