import { resolve } from "node:path";
import { callEffects } from "../../effects/index.ts";
import type { HookEvent } from "../../event/event.ts";
import { homeDir } from "../../fs/home-dir.ts";
import { isWithin, resolvePath } from "../../fs/resolve-path.ts";
import { diskLookups } from "../../runners/disk-lookups.ts";
import { rememberMoves } from "../../runners/disposable-paths.ts";

/** Remembers what a call moves out of the project: removing it there is a loss of the project's files. */
export function rememberMovedAway(event: HookEvent, root: string): void {
  const cwd = event.cwd ?? root;
  const home = homeDir();
  const whole = (text: string) => resolvePath(resolve(cwd, text.replace(/^~(?=\/|$)/, home))).path;
  const moved = (callEffects(event, diskLookups)?.effects ?? []).flatMap((effect) => {
    if (effect.does !== "write" || effect.by !== "move" || !effect.path.isKnown) return [];
    const path = whole(effect.path.text);
    return isWithin(root, path) ? [] : [path];
  });
  if (moved.length > 0) rememberMoves(moved, event.sessionId);
}
