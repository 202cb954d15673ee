import { type Dirent, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { parseText } from "../config/document.ts";
import { openInstalledPack } from "../config/installed-pack.ts";
import { readLayerFiles } from "../config/layer-files.ts";
import type { Loaded } from "../config/load.ts";
import { merge } from "../config/merge.ts";
import { attempt } from "../event/attempt.ts";
import type { Hook } from "../hook/hook.ts";
import { isPureKind } from "../hook/schema.ts";
import { isGuardHook } from "../policies/guards/guard-hooks.ts";
import { type Problem, problems } from "../problem/problem.ts";
import { holdsTests, readTestFile } from "./read-test-file.ts";
import type { TestPlan } from "./run-tests.ts";
import type { Subject } from "./verdict.ts";

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

/** Files of tests below a folder, in order; links are not followed, and what others made is not looked at. */
export function findTestFiles(root: string): { readonly files: readonly string[]; readonly isWhole: boolean } {
  const files: string[] = [];
  const waiting = [root];
  let seen = 0;
  for (let folder = waiting.shift(); folder !== undefined && seen < MAX_ENTRIES; folder = waiting.shift()) {
    for (const entry of entriesOf(folder)) {
      seen++;
      if (entry.isDirectory() && !SKIPPED.has(entry.name) && !isPacksFolder(folder, entry.name))
        waiting.push(join(folder, entry.name));
      else if (entry.isFile() && isTestFile(entry.name)) files.push(join(folder, entry.name));
    }
  }
  return { files: files.sort(), isWhole: seen < MAX_ENTRIES };
}

/** Whether a file contains tests, by its name. */
export function isTestFile(path: string): boolean {
  return /\.hooks\.test\.(ya?ml|json)$/.test(path);
}

/** Folders whose files are not the project's own. */
export const SKIPPED: ReadonlySet<string> = new Set(["node_modules", ".git", "dist"]);

/** The tests of an installed pack are its authors'. */
function isPacksFolder(folder: string, name: string): boolean {
  return name === "packs" && basename(folder) === ".sluice";
}

function entriesOf(folder: string): Dirent[] {
  return attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
}

const MAX_ENTRIES = 100_000;

/** The hooks of one file alone: as the configuration knows them, else read for this occasion and run only in process. */
function subjectOfFile(
  path: string,
  whole: Subject,
  files: Loaded["files"],
): { readonly subject: Subject; readonly problems: readonly Problem[] } {
  if (files.some((file) => file.path === path)) {
    const inFile = ({ origin }: Hook) => origin?.place.file === path;
    const { hooks, active } = whole;
    return { subject: { ...whole, hooks: hooks.filter(inFile), active: active?.filter(inFile) }, problems: [] };
  }
  const read = readLayerFiles([{ layer: "project", path }], parseText, undefined, undefined, openInstalledPack);
  if (read.files.length === 0)
    return { subject: { ...whole, hooks: [], active: [] }, problems: [PROBLEMS.noHooksFile({ path })] };
  const merged = merge(read.shapes);
  return {
    subject: { ...whole, hooks: merged.hooks, active: merged.hooks, whyWithheld: runsCode },
    problems: [...read.errors, ...merged.errors],
  };
}

/** A file that is not a part of the configuration cannot be trusted by name, so nothing of it is started. */
function runsCode({ parts }: Hook): string | undefined {
  if (parts.every(({ type }) => isPureKind(type))) return undefined;
  return "its file does not belong to the configuration, so nothing of it is started; `extends` makes it one";
}

const PROBLEMS = problems("examples", {
  tooMany: ({ root }: { root: string }) => ({
    what: `${root} has so many files that not all of them were searched for tests.`,
    fix: "Name the files of tests: sluice test path/to/a.hooks.test.yaml",
  }),
  noHooksFile: ({ path }: { path: string }) => ({
    what: `${path} is not there, and its hooks cannot be tested.`,
    fix: "Correct the path; in a file of tests it is seen from that file's folder.",
  }),
});
