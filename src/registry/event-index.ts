import type { EventName } from "../event/catalogue.ts";
import { type Hook, LAYERS } from "../hook/hook.ts";

/** Who could listen to one event: by the tool's name or its beginning where that is known, else one after the other. */
export interface EventIndex {
  readonly named: ReadonlyMap<string, readonly Entry[]>;
  readonly begun: ReadonlyMap<string, readonly Entry[]>;
  /** How long the keys of `begun` are; a lookup tries each length once. */
  readonly lengths: readonly number[];
  readonly others: readonly Entry[];
}

/** Sorts all hooks that could listen to an event into the index of that event. */
export function indexEvent(entries: readonly Entry[], event: EventName): EventIndex {
  const named = new Map<string, Entry[]>();
  const begun = new Map<string, Entry[]>();
  const others: Entry[] = [];
  for (const entry of entries) {
    const tools = entry.hook.toolsFor(event);
    if (tools === "never") continue;
    if (tools === "any") others.push(entry);
    else if ("beginnings" in tools) for (const beginning of tools.beginnings) append(begun, beginning, entry);
    else for (const tool of tools) append(named, tool, entry);
  }
  return {
    named,
    begun,
    lengths: [...new Set([...begun.keys()].map((key) => key.length))],
    others,
  };
}

/** The enabled hooks that listen to an event with this tool, in the order in which they run. */
export function listeners(index: EventIndex, event: EventName, tool: string | undefined): readonly Hook[] {
  const found = tool === undefined ? [] : foundByTool(index, tool);
  return [...new Set([...found, ...index.others])]
    .filter(({ hook }) => hook.enabled && hook.patternMatches(event, tool))
    .sort(inOrder)
    .map(({ hook }) => hook);
}

function foundByTool({ named, begun, lengths }: EventIndex, tool: string): Entry[] {
  const found = [...(named.get(tool) ?? [])];
  for (const length of lengths) {
    if (length <= tool.length) found.push(...(begun.get(tool.slice(0, length)) ?? []));
  }
  return found;
}

function append(lists: Map<string, Entry[]>, key: string, entry: Entry): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [entry]);
  else list.push(entry);
}

/** A hook in a registry. */
export interface Entry {
  readonly hook: Hook;
  /** Registration number: what decides between equals. */
  readonly turn: number;
}

/** By layer, then priority (low first), then registration. */
export function inOrder(one: Entry, other: Entry): number {
  return (
    LAYERS.indexOf(one.hook.layer) - LAYERS.indexOf(other.hook.layer) ||
    one.hook.priority - other.hook.priority ||
    one.turn - other.turn
  );
}

/** Where a new entry belongs: behind everything that runs before it. */
export function placeFor(entry: Entry, entries: readonly Entry[]): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = entries[middle];
    if (other !== undefined && inOrder(other, entry) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
