import { resolve } from "node:path";
import type { CallEffects } from "../../effects/effect.ts";
import { GAP } from "../../effects/parse/command.ts";
import { isWithin } from "../../fs/resolve-path.ts";

/** A patch that nobody can read before it is applied, in a folder that holds protected places; what it says of itself. */
export function unreadPatch({ effects, commands, place }: CallEffects, root: string): string | undefined {
  for (const effect of effects) {
    if (effect.does !== "unknown" || effect.doubt.why !== "unread patch") continue;
    const { folder = "" } = commands[effect.command ?? -1] ?? {};
    const where = resolve(place.cwd ?? root, folder);
    if (folder.includes(GAP) || isWithin(root, where) || isWithin(where, root))
      return `\`${effect.doubt.what}\` applies a patch that could not be read before`;
  }
  return undefined;
}
