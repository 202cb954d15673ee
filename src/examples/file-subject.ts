import { readLayerFiles } from "../config/layer-files.ts";
import type { Loaded } from "../config/load.ts";
import { merge } from "../config/merge.ts";
import type { Hook } from "../hook/hook.ts";
import { type Problem, problems } from "../problem/problem.ts";
import type { Subject } from "./subject.ts";

/** The hooks of one file alone: as the configuration knows them, else read for this occasion and run only in process. */
export function subjectOfFile(
  path: string,
  whole: Subject,
  files: Loaded["files"],
): { readonly subject: Subject; readonly problems: readonly Problem[] } {
  if (files.some((file) => file.path === path)) {
    const inFile = ({ origin }: Hook) => origin?.place.file === path;
    const { hooks, active } = whole;
    return { subject: { ...whole, hooks: hooks.filter(inFile), active: active?.filter(inFile) }, problems: [] };
  }
  const read = readLayerFiles([{ layer: "project", path }]);
  if (read.files.length === 0)
    return { subject: { ...whole, hooks: [], active: [] }, problems: [PROBLEMS.noHooksFile({ path })] };
  const merged = merge(read.shapes);
  return {
    subject: { ...whole, hooks: merged.hooks, active: merged.hooks, whyWithheld: runsCode },
    problems: [...read.errors, ...merged.errors],
  };
}

/** A file that is no part of the configuration cannot be trusted by name, so nothing of it is started. */
function runsCode({ parts }: Hook): string | undefined {
  if (parts.every(({ type }) => type === "inline")) return undefined;
  return "its file is no part of the configuration, so nothing of it is started; `extends` makes it one";
}

const PROBLEMS = problems("examples", {
  noHooksFile: ({ path }: { path: string }) => ({
    what: `${path} is not there, and its hooks cannot be tested.`,
    fix: "Correct the path; in a file of tests it is seen from that file's folder.",
  }),
});
