import { basename, dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { noteOwnWrite } from "../fs/own-writes.ts";
import { writeAtomic } from "../fs/write-atomic.ts";
import { Hook, type Layer } from "../hook/hook.ts";
import { fieldNamed } from "../hook/schema.ts";
import { problems } from "../problem/problem.ts";
import { isDiscovered } from "./discover.ts";
import { parseText } from "./document.ts";
import { edit } from "./edit.ts";
import { readEntry } from "./entry.ts";
import type { HookData, ListEdit } from "./hook-list.ts";
import { readLayerFiles } from "./layer-files.ts";
import { isThere, locate, type Whereabouts } from "./locate.ts";
import { lockFile, PACK_FILE, packsFolder } from "./pack-lock.ts";
import type { FileShape } from "./shape.ts";
import { plain } from "./tree.ts";

/** The file of a layer that new hooks go to: the first that is there, else `hooks.json`. */
export function saveTarget(layer: Layer, root: string | undefined, where: Whereabouts = {}): string {
  const paths = locate(root, [layer], where).map(({ path }) => path);
  const [first = "", second = first] = paths;
  return paths.find(isThere) ?? second;
}

/**
 * Makes these the hooks of a layer. Each goes back to the file it came from, new ones to `saveTarget`; entries whose
 * hook is no longer in the list go, entries that cannot be read stay. Hooks of other layers are copied into this one;
 * scripts that are hooks by their name need no entry.
 */
export function saveLayer(
  layer: Layer,
  root: string | undefined,
  given: readonly (Hook | object)[],
  where: Whereabouts = {},
): void {
  const hooks = hooksIn(given);
  if (!root && (layer === "project" || layer === "local")) throw PROBLEMS.noRoot(undefined);
  const path = saveTarget(layer, root, where);
  const { shapes, errors } = readLayerFiles(locate(root, [layer], where), parseText);
  const target = shapes.find(({ document }) => document.path === path);
  const { plans, homeless } = planSave(
    shapes,
    hooks.filter((hook) => !isDiscovered(hook) && !isOfInstalledPack(hook)),
    target,
  );
  // A link to a file that is not there yet makes that file.
  const isNew = target === undefined && !isThere(path);
  if (target === undefined && !isNew && homeless.length > 0) {
    const cause = errors.find(({ place }) => place?.file === path);
    throw PROBLEMS.targetUnreadable(
      { path, why: cause?.message ?? "" },
      { place: cause?.place ?? { file: path }, cause },
    );
  }
  const drafts = plans
    .filter(({ isChanged }) => isChanged)
    .map(({ shape: { document, list }, steps }) => ({
      path: document.path,
      text: document.mark + edit(document, list.path, steps),
    }));
  for (const draft of drafts) write(draft.path, draft.text);
  if (isNew) write(path, `${JSON.stringify({ hooks: homeless.map((hook) => hook.toJSON()) }, null, 2)}\n`);
}

/** The files of an installed pack are not changed, and its hooks are not copied: `extends` names it. */
function isOfInstalledPack({ origin }: Hook): boolean {
  const file = origin?.place.file ?? "";
  const folder = dirname(dirname(dirname(file)));
  const isPackFile = basename(file) === PACK_FILE && dirname(dirname(file)) === packsFolder(folder);
  return isPackFile || file === lockFile(dirname(file));
}

/** Hooks, or their text in a file. */
function hooksIn(given: readonly (Hook | object)[]): readonly Hook[] {
  if (!Array.isArray(given)) throw PROBLEMS.noHooksGiven(undefined);
  return given.map((hook) => (hook instanceof Hook ? hook : Hook.fromJSON(hook)));
}

function write(path: string, text: string): void {
  try {
    noteOwnWrite(path, text);
    writeAtomic(path, text);
  } catch (cause) {
    throw PROBLEMS.notWritten({ path, cause: cause as NodeJS.ErrnoException }, { place: { file: path }, cause });
  }
}

/** What has to be done to one file. */
interface FilePlan {
  readonly shape: FileShape;
  readonly steps: readonly ListEdit[];
  readonly isChanged: boolean;
}

/** An entry that is in a file now; one that cannot be read has no hook, and stays. */
interface Slot {
  readonly shape: FileShape;
  readonly index: number;
  readonly hook: Hook | undefined;
}

/** Decides for every file what becomes of its entries, and which hooks do not have an entry yet. */
function planSave(shapes: readonly FileShape[], hooks: readonly Hook[], target: FileShape | undefined) {
  const slots = shapes.flatMap(slotsOf);
  const homes = findHomes(slots, hooks);
  const homeless = hooks.filter((hook) => !homes.has(hook));
  const plans = shapes.map((shape): FilePlan => {
    const own = slots.filter((slot) => slot.shape === shape);
    const wanted = hooks.filter((hook) => (homes.get(hook)?.shape ?? target) === shape);
    const steps = wanted.map((hook) => stepFor(hook, homes.get(hook)));
    for (const slot of own.filter(({ hook }) => hook === undefined)) putBack(slot, own, steps);
    const isSame = steps.length === own.length && steps.every((step, i) => step.kind === "keep" && step.index === i);
    return { shape, steps, isChanged: !isSame };
  });
  return { plans, homeless };
}

function slotsOf(shape: FileShape): Slot[] {
  return shape.list.entries.map((entry) => {
    const { hook } = readEntry(entry, shape.document, shape.layer, {});
    return { shape, index: entry.index, hook };
  });
}

/** The same entry where it was read; else one with the same content; else one of the same name. */
function findHomes(slots: readonly Slot[], hooks: readonly Hook[]): Map<Hook, Slot> {
  const homes = new Map<Hook, Slot>();
  const taken = new Set<Slot>();
  for (const keyOf of [originKey, contentKey, nameKey]) {
    const free = new Map<string, Slot[]>();
    for (const slot of slots) {
      const key = slot.hook && !taken.has(slot) ? keyOf(slot.hook) : undefined;
      if (key === undefined) continue;
      const known = free.get(key);
      if (known === undefined) free.set(key, [slot]);
      else known.push(slot);
    }
    for (const hook of hooks) {
      const key = homes.has(hook) ? undefined : keyOf(hook);
      const slot = key === undefined ? undefined : free.get(key)?.shift();
      if (slot === undefined) continue;
      homes.set(hook, slot);
      taken.add(slot);
    }
  }
  return homes;
}

function originKey(hook: Hook): string | undefined {
  const { origin } = hook;
  return origin && `${origin.place.file}\n${origin.index}\n${contentKey(hook)}`;
}

/** Everything but `enabled`, the one thing about a hook that can change. */
function contentKey(hook: Hook): string {
  const { enabled: _, ...rest } = hook.toJSON();
  return JSON.stringify(sorted(rest));
}

function nameKey(hook: Hook): string | undefined {
  return hook.isNamed ? hook.name : undefined;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}

function stepFor(hook: Hook, slot: Slot | undefined): ListEdit {
  const after: HookData = hook.toJSON();
  if (slot?.hook === undefined) return { kind: "add", value: after };
  const before: HookData = slot.hook.toJSON();
  if (isDeepStrictEqual(before, after)) return { kind: "keep", index: slot.index };
  const keyIn = spellings(slot);
  const set = Object.entries(after).filter(([key, value]) => !isDeepStrictEqual(before[key], value));
  return {
    kind: "change",
    index: slot.index,
    set: Object.fromEntries(set.map(([key, value]) => [keyIn(key), value])),
    remove: Object.keys(before)
      .filter((key) => !Object.hasOwn(after, key))
      .map(keyIn),
  };
}

/** The key as this entry spells it: hooks use `event`, whatever their file uses. */
function spellings({ shape, index }: Slot): (key: string) => string {
  const keys = Object.keys(Object(plain(shape.list.entries[index]?.tree ?? NOTHING)));
  return (key) => (key === "event" ? (keys.find((own) => fieldNamed(own) === "event") ?? key) : key);
}

/** An entry that cannot be read stays after the entry that it followed. */
function putBack(slot: Slot, own: readonly Slot[], steps: ListEdit[]): void {
  const before = own.filter(({ index }) => index < slot.index).map(({ index }) => index);
  const position = before
    .toReversed()
    .map((index) => steps.findIndex((step) => step.kind !== "add" && step.index === index))
    .find((found) => found !== -1);
  steps.splice((position ?? -1) + 1, 0, { kind: "keep", index: slot.index });
}

/** Why a file could not be written, and what ends that. */
const UNWRITABLE: Readonly<Record<string, readonly [why: string, step: string]>> = {
  // Newer versions of Node report this for a folder that is to be created.
  EEXIST: ["a part of its path is a file, where a folder is needed", "Rename that file"],
  ENOTDIR: ["a part of its path is a file, where a folder is needed", "Rename that file"],
  EACCES: ["its permissions forbid it", "Make it writable for you"],
  EPERM: ["its permissions forbid it", "Make it writable for you"],
  EROFS: ["it is in a place where nothing can be written", "Choose another folder"],
  ENOSPC: ["the disk is full", "Make room"],
};

const PROBLEMS = problems("config", {
  noHooksGiven: () => ({
    what: "Nothing was saved, because no list of hooks was passed.",
    fix: "Pass a list; an empty one removes the hooks that are there.",
  }),
  noRoot: () => ({
    what: "Nothing was saved, because the hooks belong to a project and its folder was not named.",
    fix: 'Pass the project\'s folder: saveProject("/path/of/the/project", hooks).',
  }),
  notWritten: ({ path, cause: { code = "", message } }: { path: string; cause: NodeJS.ErrnoException }) => {
    const [why, step] = UNWRITABLE[code] ?? [message, "Make it possible to write there"];
    return { what: `${path} was not saved: ${why}.`, fix: `${step}, then save again.` };
  },
  targetUnreadable: ({ path, why }: { path: string; why: string }) => ({
    what: `Nothing was saved, because ${path} cannot be read: ${why}`,
    fix: "Correct the file first; `sluice check` shows it.",
  }),
});

const NOTHING = { kind: "scalar", at: 0, value: null } as const;
