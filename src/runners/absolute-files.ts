import { resolve } from "node:path";
import { callFiles } from "../effects/call-files.ts";
import { isDevice } from "../effects/paths.ts";
import type { HookEvent } from "../event/event.ts";
import { realPath } from "../fs/resolve-path.ts";
import { diskLookups } from "./disk-lookups.ts";
import { fromHome } from "./working-directory.ts";

/**
 * The files that a call writes or deletes, else reads, absolute and each once: of a file tool by its input or its patch, of a
 * shell command those that are known before it runs. What is written stands before what is deleted.
 */
export function absoluteFiles(event: HookEvent, root: string | undefined): string[] {
  const base = event.cwd || root || process.cwd();
  const { written, deleted, read } = callFiles(event, diskLookups);
  const changed = [...written, ...deleted];
  const found = new Map<string, string>();
  for (const { absolute, isGlob } of changed.length > 0 ? changed : read) {
    const whole = resolve(base, fromHome(absolute));
    if (isGlob || isDevice(whole)) continue;
    // A link and the file that it leads to are one.
    const real = realPath(whole);
    if (!found.has(real)) found.set(real, whole);
  }
  return [...found.values()];
}
