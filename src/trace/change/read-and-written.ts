import { basename, join } from "node:path";
import { callEffects } from "../../effects/call-effects.ts";
import type { Effect, LookupsFor } from "../../effects/effect.ts";
import { GAP, type Word } from "../../effects/parse/command.ts";
import type { EventFacts } from "../../event/field.ts";
import { isDevice, isFolder, opened, wholePath } from "./touched-files.ts";

/** The files that a call reads, by a tool for files or by a program; what only lies in a folder it looks through is not meant. */
export function readFiles(event: EventFacts, root: string, look?: LookupsFor): string[] {
  const { cwd = root } = event;
  const found = touches(event, look)
    .filter(({ does }) => does === "read")
    .flatMap(({ path }) => (path.isGlob ? opened(wholePath(path.text, cwd), true) : [wholePath(path.text, cwd)]));
  return [...new Set(found)].filter((path) => !isDevice(path)).slice(0, MOST_READ);
}

/**
 * The files that a call is certain to write over or to delete. A program that writes into a folder, such as a compiler,
 * may leave alone what lies there, except for what has the name of a file that it brings.
 */
export function overwrittenFiles(event: EventFacts, root: string, look?: LookupsFor): string[] {
  const { cwd = root } = event;
  const all = touches(event, look);
  const found = all.flatMap((touch) => {
    const path = wholePath(touch.path.text, cwd);
    if (touch.does === "read") return [];
    if (touch.does === "delete" || touch.path.isGlob) return opened(path, touch.path.isGlob);
    return isFolder(path) ? broughtInto(path, touch, all) : [path];
  });
  return [...new Set(found)].filter((path) => !isDevice(path) && !isFolder(path));
}

function broughtInto(folder: string, { command }: Touch, all: readonly Touch[]): string[] {
  const sources = all.filter((other) => other.command === command && other.does !== "write");
  return sources.map(({ path }) => join(folder, basename(path.text)));
}

type Touch = Extract<Effect, { readonly isTree: boolean }>;

function touches(event: EventFacts, look: LookupsFor | undefined): Touch[] {
  const effects = callEffects(event, look)?.effects ?? [];
  return effects.filter(
    (effect): effect is Touch =>
      (effect.does === "read" || effect.does === "write" || effect.does === "delete") && isTold(effect.path),
  );
}

function isTold({ text, isKnown, isGlob }: Word): boolean {
  return text !== "" && (isKnown || isGlob) && !text.includes(GAP);
}

const MOST_READ = 200;
