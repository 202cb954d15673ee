import { statSync } from "node:fs";
import { basename, isAbsolute, join, resolve } from "node:path";
import type { Act } from "../../effects/act.ts";
import { GAP } from "../../effects/parse/command.ts";
import type { Effect } from "../../effects/effect.ts";
import type { ProtectedPlace } from "./places.ts";
import type { Territory } from "./territory.ts";

/** A protected place that a call would change, and how. */
export interface Change {
  readonly place: ProtectedPlace;
  readonly how: string;
}

/** The first protected place that the effects of a call write, delete, replace or lock away. */
export function changedPlace(act: Act, territory: Territory): Change | undefined {
  for (const effect of act.effects) {
    const place =
      isTouch(effect) && effect.does !== "read" ? touched(effect, act, territory) : linkedTo(effect, act, territory);
    if (place !== undefined) return { place, how: wordFor(effect) };
  }
  return undefined;
}

type Touch = Extract<Effect, { isTree: boolean }>;

function isTouch(effect: Effect): effect is Touch {
  return effect.does === "read" || effect.does === "write" || effect.does === "delete";
}

function touched(effect: Touch, act: Act, territory: Territory): ProtectedPlace | undefined {
  const { path, does } = effect;
  const isGit = effect.program === "git";
  if (path.text.includes(GAP)) return territory.endsLike(path.text);
  const whole = absolutePath(path.text, act);
  if (whole === undefined) return undefined;
  if (path.isGlob) return territory.meantBy(whole, does === "delete" && !isGit);
  for (const target of targetsOf(effect, whole, act)) {
    const place = territory.holds(target);
    if (place !== undefined) return place;
    // What git takes away it knows best itself; see git-swaps.
    if (does === "delete" && !isGit && territory.liesIn(target)) return territory.liesIn(target);
    if (does === "write" && replaces(effect)) {
      const owner = territory.ownsFolder(target) ?? (locksTree(effect) ? territory.liesIn(target) : undefined);
      if (owner !== undefined) return owner;
    }
  }
  return undefined;
}

/** A link to a protected file is a second way to it. */
function linkedTo(effect: Effect, act: Act, territory: Territory): ProtectedPlace | undefined {
  if (effect.does !== "run" || !/^g?(?:ln|link)$/.test(effect.program)) return undefined;
  const { args = [], folder = "" } = act.commands[effect.command] ?? {};
  for (const { text, isKnown } of args) {
    const whole = text.startsWith("-") || !isKnown ? undefined : absolutePath(join(folder, text), act);
    const place = whole === undefined ? undefined : (territory.holds(whole) ?? territory.ownsFolder(whole));
    if (place !== undefined) return place;
  }
  return undefined;
}

/** Whoever copies into a folder that is there makes a file in it, of the same name. */
function targetsOf(effect: Touch, whole: string, act: Act): string[] {
  if (effect.does !== "write" || !COPIES.test(effect.program) || !isFolder(whole)) return [whole];
  const sources = act.effects.filter(
    (other): other is Touch => isTouch(other) && other.does === "read" && other.command === effect.command,
  );
  return [whole, ...sources.map(({ path }) => join(whole, basename(path.text)))];
}

function replaces({ program, isTree }: Touch): boolean {
  return isTree || COPIES.test(program) || PERMITS.test(program);
}

function locksTree({ program, isTree }: Touch): boolean {
  return isTree && PERMITS.test(program);
}

/** A path of a call from the root of the disk; nothing where that cannot be said. */
export function absolutePath(text: string, { place: { cwd, home } }: Pick<Act, "place">): string | undefined {
  if (/^~(?=\/|$)/.test(text)) return home === undefined ? undefined : home + text.slice(1);
  if (text.startsWith("~")) return undefined;
  if (isAbsolute(text)) return text;
  return cwd === undefined ? undefined : resolve(cwd, text);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function wordFor(effect: Effect): string {
  if (effect.does === "run") return "links to";
  return effect.does === "delete" ? "removes" : "changes";
}

const COPIES = /^g?(?:cp|mv|ln|link|install|rsync|ditto)$/;
const PERMITS = /^g?(?:chmod|chown|chgrp|chattr|chflags|setfacl|nfs4_setfacl|xattr|setfattr|icacls|takeown)$/;
