import { resolve } from "node:path";
import type { MemoryUpdateEvent } from "../event/data.ts";
import type { HookEvent } from "../event/event.ts";
import { dataField } from "../event/field.ts";
import { isOfKind, type ToolKindName } from "../event/tool-kinds.ts";
import { pathsIn } from "../hook/matcher.ts";
import { type Content, compileMemoryTest, contentIn, contentOf, fileBehind } from "./memory-files.ts";

/** A change of a memory file that a tool is about to make. */
export type MemoryWrite = Pick<
  MemoryUpdateEvent,
  "file_path" | "update_type" | "content_size" | "previous_hash" | "new_hash"
>;

/** Whether a tool, by its name and its input, may change files; asked before anything is read. */
export function mayWrite(event: HookEvent): boolean {
  const { toolName = "" } = event;
  const args = inputOf(event);
  if (isOfKind(toolName, "@write")) return args.command !== "view";
  if (OTHER_KINDS.some((kind) => isOfKind(toolName, kind))) return false;
  return CONTENT_KEYS.some((key) => Object.hasOwn(args, key));
}

/** The memory files that a tool call is about to change, links followed. */
export async function memoryWrites(
  event: HookEvent,
  {
    root = event.cwd ?? process.cwd(),
    patterns,
  }: { readonly root?: string; readonly patterns?: readonly string[] } = {},
): Promise<MemoryWrite[]> {
  if (!mayWrite(event)) return [];
  const isMemory = compileMemoryTest(root, patterns);
  const writes: MemoryWrite[] = [];
  for (const [path, isDeleted] of filesIn(event)) {
    const file = resolve(event.cwd ?? root, path);
    const behind = await fileBehind(file);
    if (isMemory(file) || isMemory(behind))
      writes.push(await planned(event, isMemory(file) ? file : behind, isDeleted));
  }
  return writes;
}

/** Every file that a call names, and whether it is to be deleted. */
function filesIn(event: HookEvent): Map<string, boolean> {
  const deletes = /delete|remove/i.test(event.toolName ?? "");
  const found = new Map(pathsIn({ ...event, cwd: undefined }).map((path) => [path, deletes]));
  for (const text of patchesIn(event)) {
    for (const { groups } of PATCHED.flatMap((form) => [...text.matchAll(form)])) {
      if (groups?.file !== undefined) found.set(groups.file, groups.act === "Delete");
    }
  }
  return found;
}

function patchesIn(event: HookEvent): string[] {
  const args = dataField(event, "tool_args");
  if (typeof args === "string") return [args];
  const { input, patch, diff, command } = inputOf(event);
  return [input, patch, diff, command].filter((value) => typeof value === "string");
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

/** What the file is going to hold, where the call says all of it. */
function wholeContent(event: HookEvent): Content | undefined {
  if (!/^(?:fs_)?(?:write|create|save)/i.test(event.toolName ?? "")) return undefined;
  const args = inputOf(event);
  const content = args.content ?? args.contents ?? args.file_text ?? args.file_content;
  return typeof content === "string" ? contentIn(content) : undefined;
}

function inputOf(event: HookEvent): Readonly<Record<string, unknown>> {
  const args = dataField(event, "tool_args");
  return typeof args === "object" && args !== null ? (args as Record<string, unknown>) : {};
}

const OTHER_KINDS: readonly ToolKindName[] = ["@read", "@shell", "@network"];
/** A tool that nobody knows is taken for a writer when it is handed what to write. */
const CONTENT_KEYS = [
  "content",
  "contents",
  "file_text",
  "file_content",
  "new_string",
  "new_str",
  "edits",
  "patch",
  "diff",
];
/** The lines of patches that name files, in the two forms there are. */
const PATCHED = [
  /^\*\*\* (?:(?<act>Add|Update|Delete) File|Move to): (?<file>.+?)\s*$/gm,
  /^(?:---|\+\+\+) (?:[ab]\/)?(?<file>[^\t\n]+?)\s*(?:\t.*)?$/gm,
];
