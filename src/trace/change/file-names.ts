import { existsSync } from "node:fs";
import { join } from "node:path";
import { topOf } from "../../fs/git-index.ts";
import { type GitCommand, gitText } from "../../fs/run-git.ts";
import { ROW, textNumber } from "./record-index.ts";
import { likelyRecords } from "./record-index-store.ts";
import { type TracedProject, tracePaths } from "./trace-paths.ts";

/** The name that a file has today, followed through the renames in the trace and in git; the same name if it was not renamed. */
export function nameToday(project: TracedProject, path: string): string {
  let name = path;
  const seen = new Set<string>();
  while (!existsSync(join(project.root, name)) && !seen.has(name)) {
    seen.add(name);
    name = renamedInTrace(project, name) ?? renamedInGit(project.root, name) ?? name;
  }
  return existsSync(join(project.root, name)) ? name : path;
}

/** The names that a file had before, as the trace and git know them. */
export function earlierNames(project: TracedProject, path: string): readonly string[] {
  const names = new Set<string>([path]);
  for (const name of names) {
    if (names.size > MAX_NAMES) break;
    for (const earlier of [...namesInTrace(project, name), ...namesInGit(project.root, name)]) names.add(earlier);
  }
  names.delete(path);
  return [...names];
}

/** What the newest record of a rename made of a name. */
function renamedInTrace(project: TracedProject, path: string): string | undefined {
  const number = textNumber(path);
  for (const { files } of likelyRecords(tracePaths(project), (rows, at) => rows[at + ROW.earlierPath] === number)) {
    const found = files.findLast(({ renamed_from }) => renamed_from === path);
    if (found !== undefined) return found.relative_path;
  }
  return undefined;
}

function namesInTrace(project: TracedProject, path: string): readonly string[] {
  const number = textNumber(path);
  const isRenamed = (rows: Uint32Array, at: number) =>
    rows[at + ROW.path] === number && rows[at + ROW.earlierPath] !== 0;
  return [...likelyRecords(tracePaths(project), isRenamed)].flatMap(({ files }) =>
    files.flatMap(({ relative_path, renamed_from }) => (relative_path === path && renamed_from ? [renamed_from] : [])),
  );
}

/** The new name in the index, or the commit in which the old one ends. */
function renamedInGit(root: string, path: string): string | undefined {
  if (topOf(root) === undefined) return undefined;
  const isFrom = ([from]: readonly string[]) => from === path;
  const uncommitted = renames(root, ["diff-index", "HEAD"]).find(isFrom);
  if (uncommitted !== undefined) return uncommitted[1];
  const commit = gitText(root, ["log", "-1", "--format=%H", "--no-renames", "--diff-filter=D", "--", path]);
  return commit ? renames(root, ["diff-tree", "-r", "--no-commit-id", commit]).find(isFrom)?.[1] : undefined;
}

function namesInGit(root: string, path: string): readonly string[] {
  if (topOf(root) === undefined) return [];
  const uncommitted = renames(root, ["diff-index", "HEAD"]).filter(([, to]) => to === path);
  const committed = renames(root, ["log", "--follow", "--format="], path);
  return [...uncommitted, ...committed].map(([from]) => from);
}

/** The renames that a command of git lists, each with the old and the new name below the project. */
function renames(root: string, args: readonly [GitCommand, ...string[]], path?: string): (readonly [string, string])[] {
  const listing = ["-z", "--name-status", "--diff-filter=R", "-M", "--relative"];
  const listed = gitText(root, [...args, ...listing, ...(path === undefined ? [] : ["--", path])]) ?? "";
  const fields = listed.split("\0").filter((field) => field !== "");
  return fields.flatMap((field, at) => {
    const [from, to] = fields.slice(at + 1, at + 3);
    return /^\n?R\d+$/.test(field) && from !== undefined && to !== undefined ? [[from, to] as const] : [];
  });
}

const MAX_NAMES = 50;
