import type { Loaded } from "../config/load.ts";
import { isGuardHook } from "../policies/guards/guard-hooks.ts";
import { type Problem, problems } from "../problem/problem.ts";
import { subjectOfFile } from "./file-subject.ts";
import { holdsTests, readTestFile } from "./read-test-file.ts";
import type { TestPlan } from "./run-tests.ts";
import type { Subject } from "./subject.ts";
import { findTestFiles } from "./test-files.ts";

/** What there is to try: everything in the project, or only the files that are named, by their whole paths. */
export function planFor(
  subject: Subject,
  loaded: Pick<Loaded, "files" | "errors">,
  named: readonly string[] = [],
): TestPlan & { readonly testFiles: readonly string[] } {
  const found = named.length > 0 ? { files: named.filter(holdsTests), isWhole: true } : findTestFiles(subject.root);
  const configurations = named.filter((path) => !found.files.includes(path)).map(groupOf);
  const files = found.files.map((path) => {
    const file = readTestFile(path);
    const tested = file.hooks === undefined ? undefined : subjectOfFile(file.hooks, subject, loaded.files);
    const isNamed = named.includes(path);
    return { file, subject: tested?.subject ?? subject, isNamed, problems: tested?.problems ?? [] };
  });
  return {
    groups:
      named.length > 0 ? configurations : [{ subject, hooks: subject.hooks.filter((hook) => !isGuardHook(hook)) }],
    files,
    testFiles: found.files,
    problems: [
      ...loaded.errors,
      ...(found.isWhole ? [] : [PROBLEMS.tooMany({ root: subject.root })]),
      ...[...configurations, ...files].flatMap((one): readonly Problem[] => one.problems),
    ],
  };

  /** Hooks of the configuration keep their neighbours; those of a file that is read for this occasion have none. */
  function groupOf(path: string) {
    const { subject: own, problems } = subjectOfFile(path, subject, loaded.files);
    const isActive = loaded.files.some((file) => file.path === path);
    return { subject: isActive ? subject : own, hooks: own.hooks, problems };
  }
}

const PROBLEMS = problems("examples", {
  tooMany: ({ root }: { root: string }) => ({
    what: `${root} holds so many files that not all were looked at for tests.`,
    fix: "Name the files of tests: sluice test path/to/a.hooks.test.yaml",
  }),
});
