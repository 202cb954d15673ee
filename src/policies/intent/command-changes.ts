import {
  type CallEffects,
  climbsBehindName,
  type Effect,
  effectsOf,
  GAP,
  linksMade,
  type MadeLink,
  onlyShows,
  ownCommands,
  type PathChange,
  pathsInWord,
  type SimpleCommand,
} from "../../effects/index.ts";
import { type OtherChanges, type WrittenPath, writtenPath } from "./written-path.ts";

/** Looks at commands for what only matters to scopes: links that lead elsewhere, `..` after links, unclear programs. */
export function commandChanges({ commands, effects, unknown }: CallEffects): OtherChanges {
  return {
    paths: [...linksMade(commands).flatMap(linked), ...commands.flatMap(declared)],
    climbs: commands.flatMap(climbing),
    // What is copied in one call is written through in the next, where it is seen.
    copies: commands.length > 1 ? effects.flatMap(copied) : [],
    unknowns: [...unknown, ...commands.slice(0, -1).flatMap((command, at) => bringsLinks(at, command, effects))],
  };
}

/** What comes out of an archive or a patch may be a link, which the commands that follow would write through. */
function bringsLinks(at: number, { source }: SimpleCommand, effects: readonly Effect[]): string[] {
  const own = effectsOf(at, { effects });
  const isFetched = own.some((effect) => effect.does === "network" && effect.way !== "out");
  const brings = own.some(
    (effect) =>
      effect.does === "write" &&
      effect.by !== undefined &&
      (BRINGS_LINKS.has(effect.by) || (effect.by === "copy" && isFetched)),
  );
  return brings ? [`links that \`${source.slice(0, 80)}\` may bring`] : [];
}

/** A copied link is a new way out. */
function copied(effect: Effect): string[] {
  if (effect.does !== "read" || effect.path.text.includes(GAP)) return [];
  return effect.by === "copy" || (effect.by === "replace" && effect.isTree) ? [effect.path.text] : [];
}

/** `..` is resolved from the target of a link, not from the link: what climbs is looked at once more as it is written. */
function climbing({ args, redirects, folder }: SimpleCommand): string[] {
  const words = [...args.flatMap(({ text }) => pathsInWord(text)), ...redirects.map(({ target }) => target.text)];
  return words
    .filter((text) => !text.includes(GAP))
    .map((text) => joined(folder, text))
    .filter((path) => climbsBehindName(path) || CLIMBS.test(path));
}

/** A link that leads out of the scope would carry every later write out of it. */
function linked({ to, from, name, isCertain }: MadeLink): WrittenPath[] {
  if (!isCertain) return [];
  return [writtenPath((from === "the start" ? to : joined(`${name}/..`, to)).replaceAll(GAP, "?"))];
}

/** A session that works under an intent does not write its scope. */
function declared(command: SimpleCommand): WrittenPath[] {
  const isWriting = ownCommands(command).some((own) => own.verb === "intents" && !onlyShows(own));
  return isWriting ? [writtenPath(".orchestration/active_intents.yaml")] : [];
}

function joined(folder: string, path: string): string {
  if (path.startsWith("/") || path.startsWith("~") || folder === "" || folder === ".") return path;
  return `${folder}/${path}`;
}

const BRINGS_LINKS: ReadonlySet<PathChange> = new Set(["unpack", "patch", "pick"]);
const CLIMBS = /^(?:\.\/+)*\.\.(?:\/|$)/;
