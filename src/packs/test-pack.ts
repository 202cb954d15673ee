import { findTestFiles } from "../examples/plan.ts";
import { readTestFile } from "../examples/read-test-file.ts";
import type { TestReport } from "../examples/report.ts";
import { runTests } from "../examples/run-tests.ts";
import type { Hook } from "../hook/hook.ts";
import type { Problem } from "../problem/problem.ts";
import type { CheckedPack } from "./check-pack.ts";

/** Tries the examples of a pack's hooks, and its files of tests. Nothing that it brings is started. */
export async function testPack(
  { content, problems }: CheckedPack,
  folder: string,
  only?: string | undefined,
): Promise<TestReport> {
  const hooks = content?.hooks ?? [];
  const subject = { root: folder, hooks, active: hooks, whyWithheld };
  const files = findTestFiles(folder).files.map((path) => ({ file: readTestFile(path), subject, isNamed: false }));
  const unread: readonly Problem[] = problems;
  return runTests({ groups: [{ subject, hooks }], files, problems: unread }, { only });
}

function whyWithheld({ parts }: Hook): string | undefined {
  if (parts.every(({ type }) => type === "inline")) return undefined;
  return "a pack's tests start nothing; `sluice add` it in a project, `sluice trust` it there, and run `sluice test`";
}
