import { execFileSync } from "../../fs/late-builtins.ts";
import { topOf } from "../../fs/git-index.ts";
import { gitEnvironment, SAFE_GIT } from "../../fs/safe-git.ts";
import { type BytePath, bytePath } from "./byte-path.ts";

/**
 * Runs git so that no setting of the project makes it start another program: no hooks, no file-system monitor, no fetching.
 * Only commands that apply no filters are asked. Undefined when git fails.
 */
export function git(folder: string, words: readonly string[], input?: string | Buffer): Buffer | undefined {
  try {
    return execFileSync("git", [...SAFE_GIT, ...words], {
      cwd: folder,
      env: gitEnvironment(),
      timeout: PATIENCE_MS,
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "ignore"],
      maxBuffer: MOST_BYTES,
      ...(input === undefined ? {} : { input }),
    });
  } catch {
    return undefined;
  }
}

/** The same as text, without the last line end. */
export function gitText(folder: string, words: readonly string[]): string | undefined {
  return git(folder, words)?.toString("utf8").replace(/\n$/, "");
}

/** Names that git prints with `-z`, as whole paths. */
export function gitPaths(folder: string, words: readonly string[]): BytePath[] | undefined {
  const base = bytePath(folder);
  return git(folder, words)
    ?.toString("latin1")
    .split("\0")
    .filter(Boolean)
    .map((name) => `${base}/${name}`);
}

/** What the last commit holds of a folder: the id of each file, by its whole path. */
export function heldByGit(folder: string): ReadonlyMap<BytePath, string> {
  const held = new Map<BytePath, string>();
  // To look for a repository takes far less than to ask git about one.
  if (topOf(folder) === undefined) return held;
  const base = bytePath(folder);
  const listed = git(folder, ["ls-tree", "-r", "-z", "HEAD"])?.toString("latin1") ?? "";
  for (const line of listed.split("\0")) {
    const tab = line.indexOf("\t");
    const [, type, id] = line.slice(0, tab).split(" ");
    if (type === "blob" && id !== undefined) held.set(`${base}/${line.slice(tab + 1)}`, id);
  }
  return held;
}

/** What the index holds of a folder: the id of each file, by its whole path. */
export function indexedByGit(folder: string): ReadonlyMap<BytePath, string> {
  const held = new Map<BytePath, string>();
  const base = bytePath(folder);
  for (const line of git(folder, ["ls-files", "--stage", "-z"])?.toString("latin1").split("\0") ?? []) {
    const tab = line.indexOf("\t");
    const [, id] = line.slice(0, tab).split(" ");
    if (id !== undefined) held.set(`${base}/${line.slice(tab + 1)}`, id);
  }
  return held;
}

const PATIENCE_MS = 10_000;
const MOST_BYTES = 256 * 1024 * 1024;
