import { existsSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import {
  type CallEffects,
  type CommandRun,
  type Effect,
  effectsOf,
  GAP,
  giversOf,
  isCode,
  type PathEffect,
  runsOf,
} from "../../effects/index.ts";
import { isWithin } from "../../fs/resolve-path.ts";
import { archiveNames } from "../../runners/archive-names.ts";
import { copiesOverPlaces } from "./copied-in-code.ts";
import { beforeListed } from "./listed-files.ts";
import type { ProtectedPlace } from "./places.ts";
import type { ProtectedPaths } from "./protected-paths.ts";
import { absolutePath, type ProtectedWrite } from "./written-protected-paths.ts";

/** What a copied folder or an unpacked archive replaces: a protected place, or what cannot be read. */
export type Arriving = { readonly found: ProtectedWrite } | { readonly unread: string };

/**
 * The protected place that a copied folder or an unpacked archive would replace. If the content cannot be read before the
 * call, and the destination contains a protected place, the result says so instead.
 */
export function arrivingTree(call: CallEffects, paths: ProtectedPaths, root: string): Arriving | undefined {
  let unread: string | undefined;
  for (const effect of call.effects) {
    const one = copiedOneByOne(effect, call, paths);
    if (one !== undefined) return { found: { place: one, how: "copies over" } };
    if (effect.does !== "write" || !isArrival(effect, call)) continue;
    for (const folder of foldersFor(effect, call, root)) {
      const there = placesIn(folder, paths);
      const found = there.length === 0 ? undefined : arrivedIn(folder, effect, call, there, paths);
      if (found === "unread")
        unread ??= `${runsOf(call)[effect.command]?.shown} brings files whose names cannot be read before`;
      else if (found !== undefined)
        return { found: { place: found, how: effect.by === "unpack" ? "unpacks" : "copies over" } };
    }
  }
  unread ??= unpackedInCode(call, paths, root);
  return unread === undefined ? undefined : { unread };
}

/** `find a -type f | … | xargs -I{} cp a/{} {}`: the files keep their names below another folder. */
function copiedOneByOne(effect: Effect, call: CallEffects, paths: ProtectedPaths): ProtectedPlace | undefined {
  if (effect.does !== "write" || effect.source === undefined) return undefined;
  const [to, from] = [beforeListed(effect.path.text), beforeListed(effect.source.text)];
  if (to === undefined || from === undefined || to === from) return undefined;
  const pairs = [[to, from]];
  // A filter may have removed the folder of the listing from the names.
  const isFiltered =
    to !== "" && from.endsWith(to) && giversOf(effect.command, call.commands).some(({ length }) => length > 1);
  if (isFiltered) pairs.push(["", from.slice(0, -to.length)]);
  for (const [there = "", here = ""] of pairs) {
    const [folder, source] = [absolutePath(there, call), absolutePath(here, call)];
    if (folder === undefined || source === undefined) continue;
    const place = placesIn(folder, paths).find(({ path }) => existsSync(join(source, relative(folder, path))));
    if (place !== undefined) return place;
  }
  return undefined;
}

/** Whether a change puts files into a folder: copied, unpacked, or fetched. */
function isArrival({ by, isTree, command }: PathEffect, call: CallEffects): boolean {
  if (by === "unpack" || (isTree && (by === "copy" || by === "replace"))) return true;
  const fetches = (effect: Effect) =>
    effect.does === "network" || (effect.does === "run" && BRINGS.test(effect.verb ?? ""));
  return isTree && effectsOf(command, call).some(fetches);
}

/** The destination; one that is only known at run time may be the project or the home directory. */
function foldersFor(effect: PathEffect, call: CallEffects, root: string): readonly string[] {
  const { path, source, landsIn } = effect;
  if (path.isGlob) return [];
  const isOpen = path.text.includes(GAP);
  const isHere = isOpen && source !== undefined && !source.text.includes(GAP) && effect.by !== "unpack";
  if (isOpen) return isHere ? [root, call.place.home].filter((one) => one !== undefined) : [];
  const folder = absolutePath(path.text, call);
  if (folder === undefined) return [];
  const name = landsIn && source !== undefined && existsSync(folder) ? basename(source.text) : "";
  return [join(folder, name)];
}

/** The protected place that is replaced; `unread` if that cannot be determined. */
function arrivedIn(
  folder: string,
  effect: PathEffect,
  call: CallEffects,
  there: readonly ProtectedPlace[],
  paths: ProtectedPaths,
): ProtectedPlace | "unread" | undefined {
  const source = sourceOf(effect, call);
  if (source === undefined) return "unread";
  // A missing source may be created by the rest of the line.
  if (!existsSync(source)) return call.commands.length > 1 ? "unread" : undefined;
  if (effect.by !== "unpack") return there.find(({ path }) => existsSync(join(source, relative(folder, path))));
  const names = archiveNames(source);
  if (names === undefined) return "unread";
  for (const name of names) {
    const parts = name.split(/\/+/).slice(effect.stripped ?? 0);
    const whole = resolve(folder, parts.join("/"));
    // Looking up thousands of names on the disk would be slow.
    const isLikely = HIDDEN.test(name) || there.some((one) => isWithin(one.path, whole));
    const place = isLikely ? paths.holds(whole) : undefined;
    if (place !== undefined) return place;
  }
  return undefined;
}

/** The source folder or archive on this disk; undefined if it is a pipe, is fetched, or is not known. */
function sourceOf({ source, command, by }: PathEffect, call: CallEffects): string | undefined {
  if (effectsOf(command, call).some((effect) => effect.does === "network")) return undefined;
  const isStream = source === undefined || source.text === "-" || /^\/(?:dev|proc)\//.test(source.text);
  if (!isStream) return source.isKnown && !source.isGlob ? absolutePath(source.text, call) : undefined;
  // `tar x < a.tar`: the file that the command itself reads, if there is only one.
  const read = by === "unpack" ? effectsOf(command, call).filter((one) => one.does === "read") : [];
  const [only] = read as PathEffect[];
  if (read.length !== 1 || only === undefined || !only.path.isKnown || only.path.isGlob) return undefined;
  return call.commands[command]?.input.from === "commands" ? undefined : absolutePath(only.path.text, call);
}

function placesIn(folder: string, { places }: ProtectedPaths): readonly ProtectedPlace[] {
  return places.filter(({ path }) => path !== folder && isWithin(folder, path));
}

/** Code that unpacks or copies whole folders. */
function unpackedInCode(call: CallEffects, paths: ProtectedPaths, root: string): string | undefined {
  const seen = new Set<string>();
  const isNew = ({ command: { script } }: CommandRun) => script === undefined || seen.size !== seen.add(script).size;
  const isCopying = (run: CommandRun) => isNew(run) && copiesOverPlaces(run.command, call, paths, root);
  return call.effects.some(isCode) && runsOf(call).some(isCopying)
    ? "code in it unpacks or copies a whole folder, whose names cannot be read before"
    : undefined;
}

/** Verbs of programs that bring files from a container, a cluster or a store. */
const BRINGS = /(?:^|\s)(?:cp|copy|sync|download|export|pull)$/;
const HIDDEN = /(?:^|\/)\.[^./]/;
