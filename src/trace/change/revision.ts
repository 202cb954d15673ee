import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The commit that a work tree stands on, read from git's own files; nothing where there is no git, or no commit yet. */
export function revisionOf(root: string): string | null {
  const folder = gitFolder(root);
  if (folder === undefined) return null;
  const common = resolve(folder, textOf(join(folder, "commondir")) ?? ".");
  let said = textOf(join(folder, "HEAD"));
  for (let hops = 0; said !== undefined && hops < MOST_HOPS; hops++) {
    if (COMMIT.test(said)) return said;
    const name = /^ref: (refs\/[^\0]+)$/.exec(said)?.[1];
    if (name === undefined || name.split("/").includes("..")) return null;
    said = textOf(join(folder, name)) ?? textOf(join(common, name)) ?? packed(common, name);
  }
  return null;
}

/** The folder with git's files: `.git` itself, or the one that a worktree's or submodule's `.git` file names. */
function gitFolder(root: string): string | undefined {
  for (let at = root; ; at = dirname(at)) {
    const path = join(at, ".git");
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory()) return path;
    const named = found?.isFile() ? /^gitdir: (.+)$/.exec(textOf(path) ?? "")?.[1] : undefined;
    if (named !== undefined) return resolve(at, named);
    if (dirname(at) === at) return undefined;
  }
}

function packed(common: string, name: string): string | undefined {
  const lines = textOf(join(common, "packed-refs"), PACKED_BYTES)?.split("\n") ?? [];
  return lines.find((line) => line.endsWith(` ${name}`) && COMMIT.test(line.split(" ")[0] ?? ""))?.split(" ")[0];
}

function textOf(path: string, most = SMALL_BYTES): string | undefined {
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= most ? readFileSync(path, "utf8").trim() : undefined;
  } catch {
    return undefined;
  }
}

const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const MOST_HOPS = 5;
const SMALL_BYTES = 4096;
const PACKED_BYTES = 16 * 1024 * 1024;
