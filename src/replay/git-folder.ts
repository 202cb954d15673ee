import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { LAYER_FILES } from "../config/locate.ts";
import { git, gitText } from "../fs/run-git.ts";
import { makePrivateDir } from "../fs/state-dir.ts";
import { problems } from "../problem/problem.ts";

/** The hooks of a project as a commit has them, in a throw-away folder of the system's own. */
export interface GitFolder {
  readonly folder: string;
  /** The commit, whole. */
  readonly commit: string;
  /** Adds other files of the commit, by their paths in the project. */
  readonly add: (paths: readonly string[]) => void;
  readonly remove: () => void;
}

/** Whether a folder is in a repository that has a commit. */
export function hasCommit(root: string): boolean {
  return commitOf(root, "HEAD") !== undefined;
}

/** Takes the hooks of a project out of a commit. Git is asked so that it starts nothing that the project configures. */
export function folderOfCommit(root: string, ref: string): GitFolder {
  const commit = commitOf(root, ref);
  if (commit === undefined) throw PROBLEMS.noCommit({ ref, root });
  const folder = mkdtempSync(join(tmpdir(), "sluice-replay-"));
  const atExit = () => rmSync(folder, { recursive: true, force: true });
  const remove = () => {
    atExit();
    process.off("exit", atExit);
  };
  process.once("exit", atExit);
  const add = (paths: readonly string[]) => extract(root, commit, paths, folder);
  add(POLICY_PATHS);
  if (hasExtends(folder)) addExtended(root, commit, folder);
  // What is not in the repository is the user's own, and the same in every commit.
  for (const file of LAYER_FILES.local) if (!existsSync(join(folder, file))) copyIfThere(root, folder, file);
  const packages = join(root, "node_modules");
  if (existsSync(packages) && !existsSync(join(folder, "node_modules")))
    symlinkSync(packages, join(folder, "node_modules"));
  return { folder, commit, add, remove };
}

function commitOf(root: string, ref: string): string | undefined {
  const found = gitText(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`]);
  return found !== undefined && /^[0-9a-f]{40,64}$/.test(found) ? found : undefined;
}

interface Blob {
  readonly id: string;
  readonly path: string;
  readonly size: number;
}

/** Plain files alone: a symlink or a module of another repository is not followed. */
function blobsOf(root: string, commit: string, paths: readonly string[]): Blob[] {
  const listed = git(root, ["ls-tree", "-r", "-l", "-z", commit, "--", ...paths])?.toString("utf8") ?? "";
  return listed.split("\0").flatMap((line) => {
    const tab = line.indexOf("\t");
    const [mode = "", type, id = "", size] = line.slice(0, tab).split(/\s+/);
    const path = line.slice(tab + 1);
    const isPlain = type === "blob" && mode.startsWith("100") && !path.split("/").includes("..");
    return isPlain ? [{ id, path, size: Number(size) }] : [];
  });
}

function extract(root: string, commit: string, paths: readonly string[], folder: string): void {
  if (paths.length === 0) return;
  write(
    root,
    blobsOf(root, commit, paths)
      .filter(({ size }) => size <= LARGEST)
      .slice(0, MAX_FILES),
    folder,
  );
}

function write(root: string, blobs: readonly Blob[], folder: string): void {
  const wanted = blobs.filter(({ path }) => !existsSync(join(folder, path)));
  if (wanted.length === 0) return;
  const batch = git(root, ["cat-file", "--batch"], `${wanted.map(({ id }) => id).join("\n")}\n`);
  if (batch === undefined) return;
  let at = 0;
  for (const { path, size } of wanted) {
    const begin = batch.indexOf(10, at) + 1;
    const target = join(folder, path);
    makePrivateDir(dirname(target));
    writeFileSync(target, batch.subarray(begin, begin + size), { mode: 0o700 });
    at = begin + size + 1;
  }
}

function hasExtends(folder: string): boolean {
  return [...LAYER_FILES.project, ...LAYER_FILES.local].some((file) => {
    try {
      return /\bextends\b/.test(readFileSync(join(folder, file), "utf8"));
    } catch {
      return false;
    }
  });
}

/** What a file extends may lie anywhere in the project. */
function addExtended(root: string, commit: string, folder: string): void {
  const near = blobsOf(root, commit, ["."]).filter(
    ({ path, size }) => /\.(?:ya?ml|jsonc?)$/.test(path) && path.split("/").length <= MAX_DEPTH && size <= LARGEST,
  );
  write(root, near.slice(0, MAX_FILES), folder);
}

function copyIfThere(root: string, folder: string, file: string): void {
  if (!existsSync(join(root, file))) return;
  makePrivateDir(dirname(join(folder, file)));
  copyFileSync(join(root, file), join(folder, file));
}

const POLICY_PATHS: readonly string[] = [".sluice", ...LAYER_FILES.project];
const LARGEST = 1024 * 1024;
const MAX_FILES = 2000;
const MAX_DEPTH = 4;

const PROBLEMS = problems("replay", {
  noCommit: ({ ref, root }: { ref: string; root: string }) => ({
    what: `git:${ref} names no commit of the repository around ${root}.`,
    fix: "Write a branch, a tag or a commit: --against git:main.",
  }),
});
