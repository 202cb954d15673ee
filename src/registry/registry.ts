import type { EventName } from "../event/catalogue.ts";
import type { EventFacts } from "../event/field.ts";
import { Hook, LAYERS, switchCount } from "../hook/hook.ts";
import type { HookInput } from "../hook/hook-input.ts";

/** Who listens. It finds hooks and runs none. */
export class HookRegistry {
  /** In the order in which they run. */
  #entries: Entry[] = [];
  #turns = 0;
  /** Per event: who could listen, found by tool. */
  #indexes = new Map<EventName, EventIndex>();
  /** Per event and tool: the hooks that are enabled and listen to both. */
  #remembered = new Map<EventName, Map<string | undefined, readonly Hook[]>>();
  #switches = switchCount();
  #changes = 0;

  /** The registry that a whole program shares. */
  static getInstance(): HookRegistry {
    shared ??= newRegistry();
    return shared;
  }

  /** Forgets the shared registry; the next `getInstance` begins a new, empty one. */
  static resetInstance(): void {
    shared = undefined;
  }

  /** Adds a hook and returns its removal. */
  register(given: Hook | HookInput): () => void {
    const entry = { hook: asHook(given), turn: this.#turns++ };
    this.#entries.splice(placeFor(entry, this.#entries), 0, entry);
    this.#forget();
    return () => {
      this.#keep((other) => other !== entry);
    };
  }

  /** Adds hooks: all of them, or none when one cannot be read. */
  loadHooks(hooks: Iterable<Hook | HookInput>): void {
    for (const hook of Array.from(hooks, asHook)) this.#entries.push({ hook, turn: this.#turns++ });
    this.#entries.sort(inOrder);
    this.#forget();
  }

  /** Removes every hook with that pattern, to the letter; says whether there was one. */
  unregister(pattern: string): boolean {
    return this.#keep(({ hook }) => hook.eventPattern !== pattern);
  }

  clear(): void {
    this.#keep(() => false);
  }

  get hooks(): Hook[] {
    return this.#entries.map(({ hook }) => hook);
  }

  /** How often the hooks have changed: for what is worked out of all of them. */
  get changes(): number {
    return this.#changes;
  }

  get size(): number {
    return this.#entries.length;
  }

  /** The enabled hooks that listen to this event, in the order in which they run. */
  getHooks(event: EventFacts): Hook[] {
    const hooks = this.#listening(event.type, event.toolName);
    const all = hooks.some((hook) => hook.looksAtData)
      ? hooks.filter((hook) => !hook.looksAtData || hook.fits(event))
      : hooks;
    return all.slice();
  }

  /** Whether any hook that is switched on listens to an event of that name, about that tool. */
  isMatched(event: EventName, tool: string | undefined): boolean {
    return this.#listening(event, tool).length > 0;
  }

  #listening(event: EventName, tool: string | undefined): readonly Hook[] {
    if (this.#switches !== switchCount()) {
      this.#forget();
      this.#switches = switchCount();
    }
    let byTool = this.#remembered.get(event);
    if (byTool === undefined || byTool.size >= MAX_TOOLS) {
      byTool = new Map();
      this.#remembered.set(event, byTool);
    }
    const known = byTool.get(tool);
    if (known !== undefined) return known;
    const hooks = listeners(this.#indexOf(event), event, tool);
    byTool.set(tool, hooks);
    return hooks;
  }

  #indexOf(event: EventName): EventIndex {
    const known = this.#indexes.get(event);
    if (known !== undefined) return known;
    const index = indexEvent(this.#entries, event);
    this.#indexes.set(event, index);
    return index;
  }

  #forget(): void {
    this.#changes++;
    this.#indexes.clear();
    this.#remembered.clear();
  }

  #keep(stays: (entry: Entry) => boolean): boolean {
    const before = this.#entries.length;
    this.#entries = this.#entries.filter(stays);
    this.#forget();
    return this.#entries.length < before;
  }
}

/** The registry of the whole program. */
let shared: HookRegistry | undefined;

/** Outside of the class: the bundler renames a class that names itself, and a user who prints one reads that name. */
function newRegistry(): HookRegistry {
  return new HookRegistry();
}

/** A hook may also be described by what a file would say. */
function asHook(given: Hook | HookInput): Hook {
  return given instanceof Hook ? given : Hook.fromJSON(given);
}

/** Who could listen to one event: by the tool's name or its beginning where that is known, else one after the other. */
interface EventIndex {
  readonly named: ReadonlyMap<string, readonly Entry[]>;
  readonly begun: ReadonlyMap<string, readonly Entry[]>;
  /** How long the keys of `begun` are; a lookup tries each length once. */
  readonly lengths: readonly number[];
  readonly others: readonly Entry[];
}

/** Sorts all hooks that could listen to an event into the index of that event. */
function indexEvent(entries: readonly Entry[], event: EventName): EventIndex {
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
function listeners(index: EventIndex, event: EventName, tool: string | undefined): readonly Hook[] {
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
interface Entry {
  readonly hook: Hook;
  /** Registration number: what decides between equals. */
  readonly turn: number;
}

/** By layer, then priority (low first), then registration. */
function inOrder(one: Entry, other: Entry): number {
  return (
    LAYERS.indexOf(one.hook.layer) - LAYERS.indexOf(other.hook.layer) ||
    one.hook.priority - other.hook.priority ||
    one.turn - other.turn
  );
}

/** The position of a new entry: after everything that runs before it. */
function placeFor(entry: Entry, entries: readonly Entry[]): number {
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

/** Tool names come from agents; a stream of new ones must not fill the memory. */
const MAX_TOOLS = 1000;
