import { resolve } from "node:path";
import { callEffects } from "../../effects/call-effects.ts";
import { isStream } from "../../effects/devices.ts";
import { type Effect, isPathEffect, type LookupsFor } from "../../effects/effect.ts";
import { GAP } from "../../effects/parse/command.ts";
import { isProgram } from "../../effects/programs/program-name.ts";
import type { HookEvent } from "../../event/event.ts";
import { entryAt } from "../../fs/resolve-path.ts";

/** Whether a call may destroy something that is there: a question for every call, before anything of undo is loaded. */
export function mayDestroy(event: HookEvent, lookups: LookupsFor): boolean {
  const call = callEffects(event, lookups);
  const { cwd = "/" } = event;
  return (call?.effects ?? []).some((effect) => {
    if (losesByGit(effect)) return true;
    if (!isPathEffect(effect) || effect.does === "read" || effect.by === "access") return false;
    const { text, isGlob } = effect.path;
    if (text.includes(GAP) || text.startsWith("~") || isStream(text)) return false;
    return isGlob || isThere(cwd, text) || isFromMissingFolder(call?.commands[effect.command]?.folder, cwd);
  });
}

function isThere(cwd: string, path: string): boolean {
  return entryAt(resolve(cwd, path)) !== undefined;
}

/** The line may stay where it is, and what it does happens there. */
function isFromMissingFolder(folder: string | undefined, cwd: string): boolean {
  return folder !== undefined && folder !== "" && folder !== "." && !isThere(cwd, folder);
}

/** Git throws away work or history, or removes what it is told to ignore: that is no work to a guard, and may be gone all the same. */
export function losesByGit(effect: Effect): boolean {
  if (effect.does !== "run" || !isProgram("version-control", effect.program)) return false;
  const { roles, verb } = effect;
  return (
    roles.includes("work-loss") || roles.includes("history-rewrite") || (verb === "clean" && roles.includes("delete"))
  );
}
