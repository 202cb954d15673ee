import { resolve } from "node:path";
import type { Decision } from "../../decision/decision.ts";
import { STRICTNESS } from "../../decision/result.ts";
import { callEffects, GAP, isPathEffect, isStream, type LookupsFor } from "../../effects/index.ts";
import type { HookEvent } from "../../event/event.ts";
import { homeDir } from "../../fs/home-dir.ts";
import { entryAt } from "../../fs/resolve-path.ts";
import { givenToUnknown, takesFromGit, writesUnnamed } from "./unclear-losses.ts";

/** Whether only rules about losing what can be kept first stop a call. */
export function isOnlyUndoable({ event, action, results }: Decision): boolean {
  if (event.type !== "tool:pre_execute" || STRICTNESS[action] < STRICTNESS.ask) return false;
  const objecting = results.filter((result) => STRICTNESS[result.action] >= STRICTNESS.ask);
  return objecting.length > 0 && objecting.every(({ undoable }) => undoable);
}

/** Whether a call may destroy something that exists. This is asked for every call, before the rest of this room is loaded. */
export function mayDestroy(event: HookEvent, lookups: LookupsFor): boolean {
  const call = callEffects(event, lookups);
  const { cwd = "/" } = event;
  if (call === undefined) return false;
  // What a script may write over is looked for with what undo loads.
  if (call.scripts.length > 0) return true;
  if (givenToUnknown(call).some(({ path }) => isThere(cwd, path))) return true;
  return call.effects.some((effect) => {
    if (effect.does === "run") return takesFromGit(effect, call) || writesUnnamed(effect, call);
    if (!isPathEffect(effect) || effect.does === "read") return false;
    const { text, isGlob } = effect.path;
    if (isStream(text)) return false;
    if (text.includes(GAP))
      return text.startsWith(GAP) || isThere(cwd, text.slice(0, text.indexOf(GAP)).replace(/[^/]*$/, ""));
    if (isGlob || isThere(cwd, text)) return true;
    return !/^[~/]/.test(text) && isFromMissingFolder(call.commands[effect.command]?.folder, cwd);
  });
}

function isThere(cwd: string, path: string): boolean {
  return entryAt(resolve(cwd, path.startsWith("~/") ? homeDir() + path.slice(1) : path)) !== undefined;
}

/** The line may stay where it is, and what it does happens there. */
function isFromMissingFolder(folder: string | undefined, cwd: string): boolean {
  return folder !== undefined && !isThere(cwd, folder);
}
