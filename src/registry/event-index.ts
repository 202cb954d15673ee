import type { EventName } from "../event/catalogue.ts";
import type { Hook } from "../hook/hook.ts";
import { type Entry, inOrder } from "./order.ts";

/** Who could listen to one event: by tool where a hook names its tools, else one after the other. */
export interface EventIndex {
  readonly named: ReadonlyMap<string, readonly Entry[]>;
  readonly others: readonly Entry[];
}

/** Sorts all hooks that could listen to an event into the index of that event. */
export function indexEvent(entries: readonly Entry[], event: EventName): EventIndex {
  const named = new Map<string, Entry[]>();
  const others: Entry[] = [];
  for (const entry of entries) {
    const tools = entry.hook.toolsFor(event);
    if (tools === "never") continue;
    if (tools === "any") others.push(entry);
    else for (const tool of tools) append(named, tool, entry);
  }
  return { named, others };
}

/** The enabled hooks that listen to an event with this tool, in the order in which they run. */
export function listeners(index: EventIndex, event: EventName, tool: string | undefined): readonly Hook[] {
  const named = tool === undefined ? [] : (index.named.get(tool) ?? []);
  return [...named, ...index.others]
    .filter(({ hook }) => hook.enabled && hook.hears(event, tool))
    .sort(inOrder)
    .map(({ hook }) => hook);
}

function append(lists: Map<string, Entry[]>, key: string, entry: Entry): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [entry]);
  else list.push(entry);
}
