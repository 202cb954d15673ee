import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { isDisposable } from "../../effects/path-class.ts";
import { stateOf } from "./file-state.ts";
import { hashOfLines, linesOf } from "./line-ranges.ts";
import { changes } from "./read-changes.ts";
import { ROW, textNumber } from "./record-index.ts";
import { likelyRecords } from "./record-index-store.ts";
import { filesUnder, relativeTo } from "./touched-files.ts";
import { type TracedProject, tracePaths } from "./trace-paths.ts";
import { gitEnvironment, LIST_FILTERS, SAFE_GIT, withoutFilters } from "../../fs/safe-git.ts";

/** A changed file that no recorded call explains. */
export interface Unexplained {
  readonly path: string;
  /** When it changed last, in ISO 8601; nothing for a file that is gone. */
  readonly changed_at: string | null;
  readonly size: number | null;
  readonly why: "no recorded call touched it" | "it changed after the last recorded call";
}

/** What an audit found, and by what it told changed files from others. */
export interface Audit {
  readonly files: readonly Unexplained[];
  readonly looked_at: number;
  readonly by: "git" | "time";
}

/** What an audit looks at. */
interface Scope {
  readonly usesGit?: boolean;
  /** Without git: what has changed since then, in milliseconds since 1970; since the first record when left out. */
  readonly since?: number | undefined;
}

/** Compares the work tree with the trace. With git, what differs from the last commit counts; without, what is young enough. */
export function unexplainedChanges(project: TracedProject, { usesGit = true, since }: Scope = {}): Audit {
  const fromGit = usesGit ? changedByGit(project.root) : undefined;
  const paths = fromGit ?? youngFiles(project.root, since ?? firstRecordOf(project));
  const known = lastKnown(project, paths);
  const files = paths.flatMap((path) => unexplained(path, project.root, known.get(path)) ?? []);
  return { files, looked_at: paths.length, by: fromGit === undefined ? "time" : "git" };
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
      // A call that wrote a part as it was explains when the file was touched, and nothing of what it says elsewhere.
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
  const about = { path, changed_at: found === undefined ? null : found.mtime.toISOString(), size: found?.size ?? null };
  if (known === undefined) return { ...about, why: "no recorded call touched it" };
  if (found === undefined)
    return known.isDeleted ? undefined : { ...about, why: "it changed after the last recorded call" };
  const isWithinGrace = found.mtimeMs <= known.at + GRACE_MS;
  if (isWithinGrace && !known.isDeleted && holdsRanges(join(root, path), known)) return undefined;
  return isAsLeft(join(root, path), known) ? undefined : { ...about, why: "it changed after the last recorded call" };
}

function holdsRanges(path: string, { bytes, ranges }: Known): boolean {
  const now = stateOf(path);
  if (now.kind !== "text") return bytes === undefined || ("hash" in now && now.hash === bytes);
  const lines = linesOf(now.text);
  return ranges.every(
    ({ start_line, end_line, content_hash }) => hashOfLines(lines.slice(start_line - 1, end_line)) === content_hash,
  );
}

/** A younger file may still say what the call wrote: only its time changed. */
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
  try {
    const known = git(root, ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"]);
    return known.split("\0");
  } catch {
    return undefined;
  }
}

/** Files that git calls changed or new; nothing where git has no say. */
function changedByGit(root: string): string[] | undefined {
  if (!existsSync(join(root, ".git"))) return undefined;
  try {
    // Comparing a file with what is recorded of it would run the filters that the repository configures for it.
    const filters = withoutFilters(git(root, LIST_FILTERS, [0, 1]));
    const text = git(root, [...filters, "status", ...STATUS]);
    return text.split("\0").flatMap((entry) => (entry.length > 3 && !isOurs(entry.slice(3)) ? [entry.slice(3)] : []));
  } catch {
    return undefined;
  }
}

/** What git prints; an exit code that is not among these is thrown. */
function git(root: string, words: readonly string[], codes: readonly number[] = [0]): string {
  const { status, stdout, error } = spawnSync("git", [...SAFE_GIT, ...words], {
    cwd: root,
    encoding: "utf8",
    timeout: 20_000,
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "ignore"],
    env: gitEnvironment(),
  });
  if (error !== undefined) throw error;
  if (status === null || !codes.includes(status)) throw new Error(`git ended with ${status}`);
  return stdout;
}

/** Submodules have settings of their own, which would count there. */
const STATUS = ["--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all"];

function youngFiles(root: string, since: number): string[] {
  const paths = filesUnder(root, MOST_FILES).filter(
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
const MOST_FILES = 20_000;
