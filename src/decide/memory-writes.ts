import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { callEffects } from "../effects/call-effects.ts";
import type { MemoryUpdateEvent } from "../event/data.ts";
import type { HookEvent } from "../event/event.ts";
import { dataField } from "../event/field.ts";
import { homeDir } from "../fs/home-dir.ts";
import { sha256Bytes } from "../fs/late-builtins.ts";
import { readRegularFile } from "../fs/regular-file.ts";
import { resolvePath } from "../fs/resolve-path.ts";
import type { Test } from "../pattern/glob.ts";
import { normalisePath, relativePath } from "../pattern/path.ts";
import { compilePath } from "../pattern/path-pattern.ts";
import { diskLookups } from "../runners/disk-lookups.ts";

/** A change of a memory file that a tool is about to make. */
export type MemoryWrite = Pick<
  MemoryUpdateEvent,
  "file_path" | "update_type" | "content_size" | "previous_hash" | "new_hash"
>;

/** The memory files that a call is about to change, by whichever tool, program or patch; symlinks are followed. */
export async function memoryWrites(
  event: HookEvent,
  {
    root = event.cwd ?? process.cwd(),
    patterns,
  }: { readonly root?: string; readonly patterns?: readonly string[] } = {},
): Promise<MemoryWrite[]> {
  const isMemory = compileMemoryTest(root, patterns);
  const found = new Map<string, boolean>();
  for (const { path, isDeleted } of touchedFiles(event, event.cwd ?? root)) {
    const behind = await fileBehind(path);
    if (!isMemory(path) && !isMemory(behind)) continue;
    const file = isMemory(path) ? path : behind;
    // What is deleted and written again is there in the end.
    found.set(file, isDeleted && found.get(file) !== false);
  }
  return Promise.all([...found].map(([file, isDeleted]) => planned(event, file, isDeleted)));
}

interface TouchedFile {
  readonly path: string;
  readonly isDeleted: boolean;
}

/** Every file that a call writes or deletes, as far as known. */
function touchedFiles(event: HookEvent, cwd: string): TouchedFile[] {
  const at = event.cwd === undefined ? { ...event, cwd } : event;
  return (callEffects(at, diskLookups)?.effects ?? []).flatMap((effect) => {
    if (effect.does !== "write" && effect.does !== "delete") return [];
    const { text, isGlob } = effect.path;
    const path = resolve(
      cwd,
      text.replace(/^~(?=\/|$)/, () => homeDir()),
    );
    const isDeleted = effect.does === "delete";
    const files = isGlob ? namedBy(path) : [path];
    const inside = effect.isTree ? files.flatMap((folder) => memoryIn(folder)) : [];
    return [...files, ...inside].map((file) => ({ path: file, isDeleted }));
  });
}

/** The memory files that a pattern finds in the folder that it looks into. */
function namedBy(pattern: string): string[] {
  const isNamed = compilePath(pattern);
  return memoryIn(dirname(pattern)).filter((file) => isNamed(normalisePath(file)));
}

function memoryIn(folder: string): string[] {
  return MEMORY_FILES.map((name) => join(folder, name)).filter((file) => existsSync(file));
}

async function planned(event: HookEvent, file: string, isDeleted: boolean): Promise<MemoryWrite> {
  const before = await contentOf(file);
  const after = isDeleted ? undefined : wholeContent(event);
  const changed = before === undefined ? "created" : "modified";
  return {
    file_path: file,
    update_type: isDeleted ? "deleted" : changed,
    content_size: after?.content_size ?? null,
    previous_hash: before?.hash ?? null,
    new_hash: after?.hash ?? null,
  };
}

/** The future content of the file, if the call contains all of it. */
function wholeContent(event: HookEvent): Content | undefined {
  if (!/^(?:fs_)?(?:write|create|save)/i.test(event.toolName ?? "")) return undefined;
  const args = dataField(event, "tool_args");
  const { content, contents, file_text, file_content } = Object(args) as Record<string, unknown>;
  const whole = content ?? contents ?? file_text ?? file_content;
  return typeof whole === "string" ? contentIn(whole) : undefined;
}

/** Files that agents read as their memory, anywhere in a project. */
const MEMORY_FILES: readonly string[] = ["AGENTS.md", "CLAUDE.md", "GEMINI.md"];

/** Compiles the test for a file of a project: one of the memory files, or one that a pattern of the user's finds. */
export function compileMemoryTest(root: string, patterns: readonly string[] = []): Test {
  const names = new Set(MEMORY_FILES.map((name) => name.toLowerCase()));
  const tests = patterns.map(compilePath);
  return (path) => {
    const whole = normalisePath(resolve(root, path));
    const inProject = relativePath(whole, root);
    // Some file systems do not distinguish `agents.md` from `AGENTS.md`.
    return names.has(basename(whole).toLowerCase()) || tests.some((test) => test(inProject) || test(whole));
  };
}

/** The file at a path, after following symlinks as far as possible. */
async function fileBehind(path: string): Promise<string> {
  return resolvePath(path).path;
}

/** A summary of a file's content. */
export interface Content {
  readonly content_size: number;
  readonly hash: string;
}

/** The size and hash of a file; undefined if there is none. */
export async function contentOf(path: string): Promise<Content | undefined> {
  try {
    return contentIn(readRegularFile(path));
  } catch {
    return undefined;
  }
}

/** The size and hash of what a file is going to hold. */
function contentIn(bytes: string | Buffer): Content {
  return {
    content_size: Buffer.byteLength(bytes),
    hash: `sha256:${sha256Bytes(bytes)}`,
  };
}
