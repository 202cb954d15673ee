import { resolve } from "node:path";
import { callEffects } from "../../effects/call-effects.ts";
import { isStream } from "../../effects/devices.ts";
import { isPathEffect, type LookupsFor } from "../../effects/effect.ts";
import { GAP } from "../../effects/parse/command.ts";
import type { HookEvent } from "../../event/event.ts";
import { entryAt } from "../../fs/resolve-path.ts";

/** Whether a call may destroy something that is there: a question for every call, before anything of undo is loaded. */
export function mayDestroy(event: HookEvent, lookups: LookupsFor): boolean {
  const effects = callEffects(event, lookups)?.effects ?? [];
  const { cwd = "/" } = event;
  return effects.some((effect) => {
    if (!isPathEffect(effect) || effect.does === "read" || effect.by === "access") return false;
    const { text, isGlob } = effect.path;
    if (text.includes(GAP) || text.startsWith("~") || isStream(text)) return false;
    return isGlob || entryAt(resolve(cwd, text)) !== undefined;
  });
}
