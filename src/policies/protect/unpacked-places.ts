import { resolve } from "node:path";
import type { CallEffects, Effect } from "../../effects/effect.ts";
import { isWithin } from "../../fs/resolve-path.ts";
import { archiveNames } from "./archive-names.ts";
import { absolutePath, type ProtectedWrite } from "./written-protected-paths.ts";
import type { ProtectedPaths } from "./protected-paths.ts";

/** A protected place that comes out of an archive which the call unpacks. */
export function unpackedPlace(
  act: CallEffects,
  territory: Pick<ProtectedPaths, "holds" | "places">,
): ProtectedWrite | undefined {
  for (const into of act.effects) {
    if (into.does !== "write" || !into.isTree || !UNPACKERS.test(into.program)) continue;
    const { places } = territory;
    const target = absolutePath(into.path.text, act);
    const words = act.commands[into.command]?.args.map(({ text }) => text) ?? [];
    const dropped = Number(/--strip(?:-components)?[= ](\d+)/.exec(words.join(" "))?.[1] ?? 0);
    for (const archive of target === undefined ? [] : readBy(into.command, act))
      for (const name of archiveNames(archive)) {
        const path = resolve(target ?? "", name.split(/\/+/).slice(dropped).join("/"));
        // Asking the disk about each of thousands of names would be slow.
        const isLikely = HIDDEN.test(name) || places.some((place) => isWithin(place.path, path));
        const place = isLikely ? territory.holds(path) : undefined;
        if (place !== undefined) return { place, how: "unpacks" };
      }
  }
  return undefined;
}

function readBy(command: number, act: CallEffects): string[] {
  const read = act.effects.filter(
    (effect): effect is Extract<Effect, { isTree: boolean }> => effect.does === "read" && effect.command === command,
  );
  return read.flatMap(({ path }) => (path.isKnown ? (absolutePath(path.text, act) ?? []) : []));
}

const UNPACKERS = /^(?:g?tar|bsdtar|unzip|unar)$/;
const HIDDEN = /(?:^|\/)\.[^./]/;
