import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { isDisposable } from "../../effects/path-class.ts";
import { topOf } from "../../fs/git-index.ts";
import { GIT, git, gitText } from "../../fs/run-git.ts";
import { changedFiles } from "../../fs/work-tree.ts";
import { problems } from "../../problem/problem.ts";
import { blameLines, recordsAbout } from "./blame-file.ts";
import type { ChangeRecord } from "./change-record.ts";
import { stateOf } from "./file-state.ts";
import { changedRanges, hashOfLines, linesOf } from "./line-ranges.ts";
import { changes } from "./read-changes.ts";
import { ROW, textNumber } from "./record-index.ts";
import { likelyRecords } from "./record-index-store.ts";
import { filesUnder, relativeTo } from "./touched-files.ts";
import { type TracedProject, tracePaths } from "./trace-paths.ts";

/** A changed file that no recorded call explains. */
export interface Unexplained {
  readonly path: string;
  /** When it changed last, in ISO 8601; null for a file that is gone. */
  readonly changed_at: string | null;
  readonly size: number | null;
  readonly why:
    | "no recorded call touched it"
    | "it changed after the last recorded call"
    | "no recorded call wrote some of its lines";
  /** The numbers of those lines, as `3` or `3-5`. */
  readonly lines?: readonly string[];
}

/** The result of an audit, and how it distinguished changed files from others. */
export interface Audit {
  readonly files: readonly Unexplained[];
  readonly looked_at: number;
  readonly by: typeof GIT | "time";
  /** The commit that files were compared with; null without git, or before the first commit. */
  readonly base: string | null;
  /** Whether anything could be compared: without git, only what is younger than the first record can be. */
  readonly could_look: boolean;
}

/** What an audit looks at. */
interface Scope {
  readonly usesGit?: boolean;
  /** Compare with the commit at which this branch left that commit or branch; with the last commit when left out. */
  readonly base?: string | undefined;
  /** Without git: what has changed since then, in milliseconds since 1970; since the first record when left out. */
  readonly since?: number | undefined;
}

/**
 * Compares the work tree with the trace. With git, a file is changed if it differs from the base, whether the change is
 * committed, staged or neither, or if git does not track it. Without git, a file is changed if it is young enough.
 */
export function unexplainedChanges(project: TracedProject, { usesGit = true, base, since }: Scope = {}): Audit {
  const { root } = project;
  const fromGit = usesGit ? changedByGit(root, base) : undefined;
  if (fromGit === undefined && base !== undefined) throw PROBLEMS.noGit({ base, root });
  const first = fromGit === undefined ? (since ?? firstRecordOf(project)) : 0;
  const paths = fromGit?.paths ?? youngFiles(root, first);
  const known = lastKnown(project, paths);
  const files = paths.flatMap((path) => unexplained(path, root, known.get(path)) ?? []);
  const byLines = fromGit === undefined ? files : comparedByLines(project, paths, files, fromGit.commit);
  return {
    files: byLines,
    looked_at: paths.length,
    by: fromGit === undefined ? "time" : GIT,
    base: fromGit?.commit ?? null,
    could_look: first !== Number.POSITIVE_INFINITY,
  };
}

/**
 * Compares the lines that are new since the base with the lines that records wrote. A file whose time is younger than its last
 * record is explained if records wrote all of its new lines. A file that is as its last record left it is not explained if
 * a new line is in no record, and no record wrote lines that have changed since.
 */
function comparedByLines(
  project: TracedProject,
  paths: readonly string[],
  found: readonly Unexplained[],
  commit: string | undefined,
): Unexplained[] {
  const doubtful = paths.filter((path) =>
    found.every((one) => one.path !== path || one.why === "it changed after the last recorded call"),
  );
  const records = recordsAbout(project, doubtful);
  const known = new Map(found.map((one) => [one.path, one]));
  const texts = textsInCommit(project.root, commit, doubtful);
  for (const path of doubtful) {
    const before = texts.get(path);
    const lines = before === undefined ? undefined : newLines(project.root, path, before, records.get(path) ?? []);
    if (lines === undefined) continue;
    const one = known.get(path);
    if (one !== undefined && lines.isWhole) known.delete(path);
    else if (one === undefined && lines.unwritten.length > 0 && lines.isExact)
      known.set(path, {
        ...factsOf(path, project.root),
        why: "no recorded call wrote some of its lines",
        lines: lines.unwritten,
      });
  }
  return paths.flatMap((path) => known.get(path) ?? []);
}

interface NewLines {
  /** New lines that no record wrote, as `3` or `3-5`. */
  readonly unwritten: readonly string[];
  /** Whether records wrote every new line, and removed lines where some are gone. */
  readonly isWhole: boolean;
  /** Whether all lines of all records were found: otherwise a line may be of a record whose other lines have changed since. */
  readonly isExact: boolean;
}

/** Which of the lines that are new since the base no record wrote; undefined for a file that is not text. */
function newLines(root: string, path: string, before: string, records: readonly ChangeRecord[]): NewLines | undefined {
  const now = stateOf(join(root, path));
  if (now.kind !== "text") return undefined;
  const { owners, isExact } = blameLines(linesOf(now.text), path, records);
  const { ranges, removed } = changedRanges(before, now.text);
  const isWritten = (line: number) => owners[line - 1]?.isSure === true;
  const unwritten = ranges.flatMap(({ start_line, end_line }) => stretches(start_line, end_line, isWritten));
  const isRemoved = records.some(({ files }) =>
    files.some((file) => file.relative_path === path && file.removed_lines),
  );
  const isWhole = ranges.length > 0 && unwritten.length === 0 && (removed === 0 || isRemoved);
  return { unwritten, isWhole, isExact };
}

/** The stretches of lines between two that are not written by a record. */
function stretches(start: number, end: number, isWritten: (line: number) => boolean): string[] {
  const found: string[] = [];
  for (let line = start; line <= end; line++) {
    if (isWritten(line)) continue;
    const first = line;
    while (line < end && !isWritten(line + 1)) line++;
    found.push(first === line ? `${first}` : `${first}-${line}`);
  }
  return found;
}

/** How a call left a file. */
interface Known {
  readonly at: number;
  readonly isDeleted: boolean;
  readonly bytes: string | undefined;
  readonly ranges: readonly { readonly start_line: number; readonly end_line: number; readonly content_hash: string }[];
}

/** How the last recorded call left each of these files; only records about them are read, newest first. */
function lastKnown(project: TracedProject, paths: readonly string[]): Map<string, Known> {
  const wanted = new Set(paths);
  const numbers = new Set(paths.map(textNumber));
  const known = new Map<string, Known>();
  if (wanted.size === 0) return known;
  const records = likelyRecords(
    tracePaths(project),
    (rows, at) => numbers.has(rows[at + ROW.path] ?? 0) || numbers.has(rows[at + ROW.earlierPath] ?? 0),
  );
  const again = new Map<string, number>();
  const learn = (path: string, left: Known) => {
    if (!wanted.delete(path)) return;
    numbers.delete(textNumber(path));
    known.set(path, { ...left, at: again.get(path) ?? left.at });
  };
  for (const { timestamp, files } of records) {
    const at = Date.parse(timestamp);
    for (const {
      relative_path,
      renamed_from,
      deleted = false,
      unchanged,
      content_hash,
      ranges,
    } of files.toReversed()) {
      if (renamed_from !== undefined) learn(renamed_from, { at, isDeleted: true, bytes: undefined, ranges: [] });
      const left = { at, isDeleted: deleted, bytes: content_hash, ranges };
      // A call that wrote a part with the same content explains the file's time, but not other parts of it.
      const isPart = unchanged && renamed_from === undefined && !isAsLeft(join(project.root, relative_path), left);
      if (!isPart) learn(relative_path, left);
      else if (!again.has(relative_path)) again.set(relative_path, at);
    }
    if (wanted.size === 0) break;
  }
  return known;
}

function firstRecordOf(project: TracedProject): number {
  for (const { timestamp } of changes(tracePaths(project))) return Date.parse(timestamp);
  return Number.POSITIVE_INFINITY;
}

function unexplained(path: string, root: string, known: Known | undefined): Unexplained | undefined {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (found?.isDirectory()) return undefined;
  const about = factsOf(path, root);
  if (known === undefined) return { ...about, why: "no recorded call touched it" };
  if (found === undefined)
    return known.isDeleted ? undefined : { ...about, why: "it changed after the last recorded call" };
  const isWithinGrace = found.mtimeMs <= known.at + GRACE_MS;
  if (isWithinGrace && !known.isDeleted && holdsRanges(join(root, path), known)) return undefined;
  return isAsLeft(join(root, path), known) ? undefined : { ...about, why: "it changed after the last recorded call" };
}

function factsOf(path: string, root: string): Pick<Unexplained, "path" | "changed_at" | "size"> {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  return { path, changed_at: found === undefined ? null : found.mtime.toISOString(), size: found?.size ?? null };
}

function holdsRanges(path: string, { bytes, ranges }: Known): boolean {
  const now = stateOf(path);
  if (now.kind !== "text") return bytes === undefined || ("hash" in now && now.hash === bytes);
  const lines = linesOf(now.text);
  return ranges.every(
    ({ start_line, end_line, content_hash }) => hashOfLines(lines.slice(start_line - 1, end_line)) === content_hash,
  );
}

/** A younger file may still contain what the call wrote: only its time changed. */
function isAsLeft(path: string, { isDeleted, bytes, ranges }: Known): boolean {
  const now = stateOf(path);
  if (isDeleted) return false;
  if (bytes !== undefined) return "hash" in now && now.hash === bytes;
  if (now.kind !== "text" || ranges.length === 0) return false;
  const lines = linesOf(now.text);
  const isWhole = ranges.length === 1 && ranges[0]?.start_line === 1 && ranges[0].end_line === lines.length;
  return isWhole && hashOfLines(lines) === ranges[0]?.content_hash;
}

/** The files of a project in order, as many as are wanted: those that git knows or would add; without git, all. */
export function projectFiles(root: string, most: number): string[] {
  const paths = listedByGit(root) ?? filesUnder(root, most).map((path) => relativeTo(root, path));
  return paths
    .filter((path) => path !== "" && !isOurs(path))
    .sort()
    .slice(0, most);
}

function listedByGit(root: string): string[] | undefined {
  if (!existsSync(join(root, ".git"))) return undefined;
  return names(git(root, ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"]));
}

/** Files that differ from the base or that git does not track, and the commit; undefined outside of a repository. */
function changedByGit(
  root: string,
  base: string | undefined,
): { readonly paths: string[]; readonly commit: string | undefined } | undefined {
  if (topOf(root) === undefined) return undefined;
  const commit = baseCommit(root, base);
  const staged =
    commit === undefined
      ? []
      : names(git(root, ["diff-index", "--name-only", "-z", "--relative", "--no-renames", commit]));
  const changed = changedFiles(root, { byContent: true });
  const others = names(
    git(root, ["ls-files", "-z", "--others", "--exclude-standard", ...(commit === undefined ? ["--cached"] : [])]),
  );
  if (staged === undefined || changed === undefined || others === undefined) {
    if (base !== undefined) throw new Error("git does not list what has changed");
    return undefined;
  }
  const all = [...staged, ...changed.map((path) => Buffer.from(path, "latin1").toString()), ...others];
  return { paths: [...new Set(all)].filter((path) => !isOurs(path)).sort(), commit };
}

function names(printed: Buffer | undefined): string[] | undefined {
  return printed?.toString().split("\0").filter(Boolean);
}

/** The commit at which this branch left the base; the last commit without one; undefined before the first commit. */
function baseCommit(root: string, base: string | undefined): string | undefined {
  const named = (name: string) =>
    gitText(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`]);
  if (base === undefined) return named("HEAD");
  const stated = named(base);
  if (stated === undefined) throw PROBLEMS.noBase({ base, root });
  return gitText(root, ["merge-base", stated, "HEAD"])?.split("\n")[0] || stated;
}

/** The texts of files in a commit; empty for a file that it does not have. Files that are not text are left out. */
function textsInCommit(root: string, commit: string | undefined, paths: readonly string[]): Map<string, string> {
  const asked = paths.filter((path) => !path.includes("\n"));
  if (commit === undefined || asked.length === 0) return new Map(paths.map((path) => [path, ""]));
  const texts = new Map<string, string>();
  const input = asked.map((path) => `${commit}:./${path}\n`).join("");
  const batch = git(root, ["cat-file", "--batch"], input);
  if (batch === undefined) throw new Error("git does not print the files of a commit");
  let at = 0;
  for (const path of asked) {
    const begin = batch.indexOf(10, at) + 1;
    const [, size] = / blob (\d+)$/.exec(batch.toString("latin1", at, begin - 1)) ?? [];
    const end = size === undefined ? begin : begin + Number(size);
    const bytes = batch.subarray(begin, end);
    if (!bytes.includes(0)) texts.set(path, bytes.toString("utf8"));
    at = size === undefined ? begin : end + 1;
  }
  return texts;
}

function youngFiles(root: string, since: number): string[] {
  const paths = filesUnder(root, MAX_FILES).filter(
    (path) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= since,
  );
  return paths.map((path) => relativeTo(root, path)).filter((path) => !isOurs(path) && !isMadeAgain(path, root));
}

function isOurs(path: string): boolean {
  return path.startsWith(".orchestration/");
}

function isMadeAgain(path: string, cwd: string): boolean {
  return isDisposable({ text: path, isKnown: true, isGlob: false }, { cwd, home: undefined });
}

/** A record is written a hook event after the file. */
const GRACE_MS = 2000;
const MAX_FILES = 20_000;

const PROBLEMS = problems("trace", {
  noBase: ({ base, root }: { base: string; root: string }) => ({
    what: `--base ${base} is not a commit of the repository around ${root}.`,
    fix: "Write a branch, a tag or a commit: --base origin/main. In a shallow clone, fetch it first.",
  }),
  noGit: ({ base, root }: { base: string; root: string }) => ({
    what: `--base ${base}: ${root} is not in a git repository.`,
    fix: "Leave --base out; changed files are then found by their times.",
  }),
});
