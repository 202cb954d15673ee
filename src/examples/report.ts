import type { Action } from "../decision/result.ts";
import type { Place, Problem } from "../problem/problem.ts";

/** What came of one example, one remedy or one test. */
export interface TestOutcome {
  /** An example is put to its hook alone, a remedy and a test to all hooks together. */
  readonly kind: "example" | "remedy" | "test";
  /** The hook, or the file of the test. */
  readonly group: string;
  readonly name: string;
  readonly status: "passed" | "failed" | "not_run";
  readonly place?: Place | undefined;
  readonly expected: string;
  readonly got?: Action;
  /** Who said so, and by which rule. */
  readonly saidBy?: { readonly hook: string; readonly rule?: string; readonly place?: Place | undefined };
  readonly reason?: string;
  /** Why it failed or was not run. */
  readonly why?: string;
  /** The command line that shows it. */
  readonly next?: string;
  readonly durationMs: number;
}

/** What examples and tests never reached. */
export interface Coverage {
  readonly rules: { readonly total: number; readonly undecided: readonly Uncovered[] };
  readonly hooks: { readonly total: number; readonly withoutExamples: readonly Uncovered[] };
}

/** A rule that never decided, or a hook that has no examples. */
export interface Uncovered {
  readonly hook: string;
  readonly rule?: string;
  readonly place?: Place | undefined;
}

/** Everything that was tried, and how it ended. */
export interface TestReport {
  readonly outcomes: readonly TestOutcome[];
  readonly passed: number;
  readonly failed: number;
  readonly notRun: number;
  /** Examples and files that cannot be read. */
  readonly problems: readonly Problem[];
  /** Something was tried, and nothing failed. */
  readonly ok: boolean;
  readonly coverage?: Coverage;
}

/** Adds up what came of everything. */
export function reportOf(
  outcomes: readonly TestOutcome[],
  problems: readonly Problem[],
  coverage: Coverage | undefined,
): TestReport {
  const count = (status: TestOutcome["status"]) => outcomes.filter((outcome) => outcome.status === status).length;
  const [passed, failed, notRun] = [count("passed"), count("failed"), count("not_run")];
  const ok = passed > 0 && failed === 0 && problems.length === 0;
  return { outcomes, passed, failed, notRun, problems, ok, ...(coverage === undefined ? {} : { coverage }) };
}
