import { isDeepStrictEqual } from "node:util";
import type { Hook } from "../hook/hook.ts";
import { fieldNamed } from "../hook/schema.ts";
import { readEntry } from "./entry.ts";
import type { FileShape } from "./shape.ts";
import type { Entry, Step } from "./step.ts";
import { plain } from "./tree.ts";

/** What has to be done to one file. */
export interface FilePlan {
  readonly shape: FileShape;
  readonly steps: readonly Step[];
  readonly isChanged: boolean;
}

/** An entry that is in a file now; one that cannot be read has no hook, and stays. */
interface Slot {
  readonly shape: FileShape;
  readonly index: number;
  readonly hook: Hook | undefined;
}

/** Says for every file what becomes of its entries, and which hooks have no entry yet. */
export function planSave(shapes: readonly FileShape[], hooks: readonly Hook[], target: FileShape | undefined) {
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

/** The same entry where it was read; else one that says the same; else one of the same name. */
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
  return hook.toJSON().name === undefined ? undefined : hook.name;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}

function stepFor(hook: Hook, slot: Slot | undefined): Step {
  const after: Entry = hook.toJSON();
  if (slot?.hook === undefined) return { kind: "add", value: after };
  const before: Entry = slot.hook.toJSON();
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

/** The key as this entry spells it: hooks say `event`, whatever their file says. */
function spellings({ shape, index }: Slot): (key: string) => string {
  const keys = Object.keys(Object(plain(shape.list.entries[index]?.tree ?? NOTHING)));
  return (key) => (key === "event" ? (keys.find((own) => fieldNamed(own) === "event") ?? key) : key);
}

/** An entry that cannot be read stays behind the one it stood behind. */
function putBack(slot: Slot, own: readonly Slot[], steps: Step[]): void {
  const before = own.filter(({ index }) => index < slot.index).map(({ index }) => index);
  const position = before
    .toReversed()
    .map((index) => steps.findIndex((step) => step.kind !== "add" && step.index === index))
    .find((found) => found !== -1);
  steps.splice((position ?? -1) + 1, 0, { kind: "keep", index: slot.index });
}

const NOTHING = { kind: "scalar", at: 0, value: null } as const;
