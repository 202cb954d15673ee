import { type EventFacts, namedPaths, rootOfEvent } from "../event/field.ts";
import { isRooted, normalisePath, relativePath, shellPath } from "../pattern/path.ts";
import { callEffects } from "./call-effects.ts";
import { isPathEffect, type LookupsFor } from "./effect.ts";
import { fromAddress } from "./file-tools.ts";
import { namedFiles } from "./named-files.ts";
import { GAP } from "./parse/command.ts";
import { compilePathPattern } from "./path-test.ts";
import { isStream } from "./paths.ts";
import { isTouched } from "./tree-files.ts";

/** A file that a call names, by both its names. */
export interface CallFile {
  /** From the project's folder, with `/`, if it is inside; absolute otherwise. */
  readonly path: string;
  /** From the root of the disk; as it is written if the call names no folder. */
  readonly absolute: string;
  /** A pattern whose names are known only when it runs. */
  readonly isGlob: boolean;
}

/** The files of a call: those that it writes, deletes and reads, each once, as far as they are known before it runs. */
export interface CallFiles {
  readonly written: readonly CallFile[];
  readonly deleted: readonly CallFile[];
  readonly read: readonly CallFile[];
}

/** The files of a call, whichever agent makes it: of a tool for files, a patch, a command line or an MCP tool. */
export function callFiles(event: EventFacts, lookupsFor?: LookupsFor): CallFiles {
  if (last?.event !== event || last.lookupsFor !== lookupsFor)
    last = { event, lookupsFor, files: filesOf(event, lookupsFor) };
  return last.files;
}

/** Several rules ask about one call, one after the other. */
let last:
  | { readonly event: EventFacts; readonly lookupsFor: LookupsFor | undefined; readonly files: CallFiles }
  | undefined;

function filesOf(event: EventFacts, lookupsFor: LookupsFor | undefined): CallFiles {
  const found = {
    write: new Map<string, CallFile>(),
    delete: new Map<string, CallFile>(),
    read: new Map<string, CallFile>(),
  };
  const add = (does: keyof typeof found, text: string, isGlob: boolean) => {
    if (text === "" || text.includes(GAP) || isStream(text)) return;
    const file = { ...namesOf(text, event), isGlob };
    if (!found[does].has(file.absolute)) found[does].set(file.absolute, file);
  };
  const act = event.toolName === undefined ? undefined : callEffects(event, lookupsFor);
  const effects = act?.effects ?? [];
  for (const effect of effects) {
    if (act === undefined || !isPathEffect(effect)) continue;
    const named = namedFiles(effect, act);
    for (const name of named?.names ?? []) add(effect.does, name, false);
    if (named === undefined || named.doubt !== undefined) add(effect.does, effect.path.text, effect.path.isGlob);
  }
  // An event that is not a call reports a file that has changed.
  if (effects.length === 0) for (const path of namedPaths(event)) add("write", fromAddress(path), false);
  return { written: [...found.write.values()], deleted: [...found.delete.values()], read: [...found.read.values()] };
}

/** Whether a call touches a file that one of the patterns matches, for code that matches an event before anything runs. */
export function compileTouched(patterns: readonly string[]): (event: EventFacts) => boolean {
  const tests = patterns.map(compilePathPattern);
  return (event) => {
    const act = event.toolName === undefined ? undefined : callEffects(event, disk);
    return (act?.effects ?? []).some((effect) => {
      if (act === undefined || !isPathEffect(effect) || isStream(effect.path.text)) return false;
      // A search looks through a folder; what is changed or removed with its folder is touched itself.
      const touch = effect.does === "read" ? { ...effect, isTree: false } : effect;
      return tests.some((test) => isTouched(touch, test, act));
    });
  };
}

/** The lookups for code that is not given any; the engine sets them. */
export function useLookups(lookups: LookupsFor): void {
  disk = lookups;
}

let disk: LookupsFor | undefined;

/** Both names of a path that a call names. */
function namesOf(text: string, event: EventFacts): Pick<CallFile, "path" | "absolute"> {
  const home = /^~(?=\/|$)/.test(text) ? shellPath(globalThis.process?.env.HOME) : undefined;
  const opened = normalisePath(home === undefined ? text : home + text.slice(1)) || ".";
  const root = rootOfEvent(event);
  const folder = event.cwd ?? root;
  const absolute = folder === undefined || isRooted(opened) ? opened : normalisePath(`${folder}/${opened}`);
  const isRoot = root !== undefined && absolute === normalisePath(root);
  return { absolute, path: root === undefined ? absolute : isRoot ? "." : relativePath(absolute, root) };
}
