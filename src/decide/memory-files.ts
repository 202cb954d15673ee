import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { resolvePath } from "../fs/resolve-path.ts";
import type { Test } from "../pattern/glob.ts";
import { compilePath, normalisePath, relativePath } from "../pattern/path.ts";

/** Files that agents read as their memory, wherever they lie in a project. */
export const MEMORY_FILES: readonly string[] = ["AGENTS.md", "CLAUDE.md", "GEMINI.md"];

/** Compiles the test for a file of a project: one of the memory files, or one that a pattern of the user's finds. */
export function compileMemoryTest(root: string, patterns: readonly string[] = []): Test {
  const names = new Set(MEMORY_FILES.map((name) => name.toLowerCase()));
  const tests = patterns.map(compilePath);
  return (path) => {
    const whole = normalisePath(resolve(root, path));
    const inProject = relativePath(whole, root);
    // Some file systems do not tell `agents.md` from `AGENTS.md`.
    return names.has(basename(whole).toLowerCase()) || tests.some((test) => test(inProject) || test(whole));
  };
}

/** The file behind a path, links followed as far as they lead. */
export async function fileBehind(path: string): Promise<string> {
  return resolvePath(path).path;
}

/** What a file holds, in short. */
export interface Content {
  readonly content_size: number;
  readonly hash: string;
}

/** The size and hash of a file; nothing when there is none. */
export async function contentOf(path: string): Promise<Content | undefined> {
  try {
    return contentIn(await readFile(path));
  } catch {
    return undefined;
  }
}

/** The size and hash of what a file is going to hold. */
export function contentIn(bytes: string | Buffer): Content {
  return {
    content_size: Buffer.byteLength(bytes),
    hash: `sha256:${createHash("sha256").update(bytes).digest("hex")}`,
  };
}
