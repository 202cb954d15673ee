import { resolve } from "node:path";
import { callEffects } from "../effects/call-effects.ts";
import { isPathEffect, type PathEffect } from "../effects/effect.ts";
import { fileEffects, kindOfCall } from "../effects/file-tools.ts";
import type { HookEvent } from "../event/event.ts";
import { namedPaths } from "../event/field.ts";
import { realPath } from "../fs/resolve-path.ts";
import { diskLookups } from "./disk-lookups.ts";
import { fromHome } from "./working-directory.ts";

/**
 * The files that a call writes or deletes, else reads, absolute and each once: of a file tool by its input or its patch, of a
 * shell command those that are known before it runs.
 */
export function callFiles(event: HookEvent, root: string | undefined): string[] {
  const base = event.cwd || root || process.cwd();
  const found = new Map<string, string>();
  for (const path of pathsOf(event)) {
    const whole = resolve(base, fromHome(path));
    if (whole.startsWith("/dev/")) continue;
    // A link and the file that it leads to are one.
    const real = realPath(whole);
    if (!found.has(real)) found.set(real, whole);
  }
  return [...found.values()];
}

function pathsOf(event: HookEvent): readonly string[] {
  if (event.toolName === undefined) return namedPaths(event);
  const effects = kindOfCall(event) === "file" ? fileEffects(event) : (callEffects(event, diskLookups)?.effects ?? []);
  const known = effects.filter(isPathEffect).filter(({ path }) => path.isKnown && !path.isGlob);
  const changed = known.filter(({ does }) => does !== "read");
  return (changed.length > 0 ? writesFirst(changed) : known).map(({ path }) => path.text);
}

/** A file that is deleted is there no more; one that is written is worth more to a hook. */
function writesFirst(effects: readonly PathEffect[]): readonly PathEffect[] {
  const isWrite = ({ does }: PathEffect) => does === "write";
  return [...effects.filter(isWrite), ...effects.filter((effect) => !isWrite(effect))];
}
