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
  const effects = callEffects(event, lookups)?.effects ?? [];
  const { cwd = "/" } = event;
  return effects.some((effect) => {
    if (isCleaning(effect)) return true;
    if (!isPathEffect(effect) || effect.does === "read" || effect.by === "access") return false;
    const { text, isGlob } = effect.path;
    if (text.includes(GAP) || text.startsWith("~") || isStream(text)) return false;
    return isGlob || entryAt(resolve(cwd, text)) !== undefined;
  });
}

/** Git picks by itself what it removes. */
export function isCleaning(effect: Effect): boolean {
  if (effect.does !== "run" || effect.verb !== "clean" || !effect.roles.includes("delete")) return false;
  return isProgram("version-control", effect.program);
}
