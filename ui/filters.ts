import { computed } from "@preact/signals";
import { address, go, withQuery } from "./address.ts";
import { CHOICES, type ChoiceName, frequentValues } from "./call-counts.ts";
import { type Call, calls, cameLast, changes } from "./calls.ts";

/** What the timeline can be narrowed by; all of it is in the address. */
export const FILTERS = [
  ...(["agent", "machine", "project", "session", "tool", "action", "hook", "text"] as const),
  ...(["last", "from", "to"] as const),
] as const;

/** Times that are counted back from now: the name in the address, what it is called, and from when to when in minutes. */
export const TIMES = [
  ["15m", "last 15 minutes", 15, 0],
  ["1h", "last hour", 60, 0],
  ["around1h", "about an hour ago", 90, 45],
  ["3h", "last 3 hours", 180, 0],
  ["24h", "last 24 hours", 1440, 0],
  ["7d", "last 7 days", 10_080, 0],
] as const;

export type FilterName = (typeof FILTERS)[number];

/** The filters that are set; the same object as before while they are equal. */
export const filters = computed<Readonly<Partial<Record<FilterName, string>>>>(() => {
  const query = new URLSearchParams(address.value.query);
  const now = Object.fromEntries(FILTERS.flatMap((name) => (query.get(name) ? [[name, query.get(name) ?? ""]] : [])));
  lastFilters = sameOr(lastFilters, now);
  return lastFilters;
});

let lastFilters: Readonly<Partial<Record<FilterName, string>>> = {};

/** The value before, if the new one is equal: what is drawn from it is not drawn again. */
function sameOr<T>(before: T, now: T): T {
  return JSON.stringify(before) === JSON.stringify(now) ? before : now;
}

/** Sets or takes away one filter. */
export function setFilter(name: FilterName, value: string): void {
  go(withQuery({ [name]: value }), { replace: true });
}

/** Narrows to a stretch of time, in milliseconds since 1970. */
export function setTime(from: number | undefined, to: number | undefined): void {
  const text = (at: number | undefined) => (at === undefined ? undefined : String(Math.round(at)));
  go(withQuery({ from: text(from), to: text(to), last: undefined }), { replace: true });
}

/** Calls that filters leave, newest first. */
export interface ShownCalls {
  readonly items: readonly Call[];
  readonly denied: number;
  /** What came in front of those that were shown before; nothing when they are others. */
  readonly came?: readonly Call[];
}

/** The calls that the filters leave now. What comes is put in front; all calls are looked at only when the filters change. */
export const shown = computed<ShownCalls>(() => {
  const version = changes.value;
  const set = filters.value;
  const isOneMore = last.set === set && last.version === version - 1 && cameLast !== undefined;
  const found = passing((isOneMore && cameLast) || calls, set);
  const denied = found.reduce((sum, call) => sum + Number(call.action === "deny"), 0);
  const { calls: before } = last;
  last = {
    set,
    version,
    calls: isOneMore
      ? { items: found.concat(before.items), denied: denied + before.denied, came: found }
      : { items: found, denied },
  };
  return last.calls;
});

let last: { readonly set?: object; readonly version: number; readonly calls: ShownCalls } = {
  version: -1,
  calls: { items: [], denied: 0 },
};

function passing(all: readonly Call[], set: typeof filters.value): readonly Call[] {
  const tests = Object.entries(set).map(([name, value]) => TESTS[name as FilterName](value));
  return tests.length === 0 ? all.slice() : all.filter((call) => tests.every((test) => test(call)));
}

const TESTS: Readonly<Record<FilterName, (value: string) => (call: Call) => boolean>> = {
  agent: (value) => (call) => call.agent === value,
  machine: (value) => (call) => call.machine === value,
  project: (value) => (call) => call.root === value,
  session: (value) => (call) => call.session === value || call.parent === value,
  last: (value) => {
    const [, , from = Number.POSITIVE_INFINITY, to = 0] = TIMES.find(([name]) => name === value) ?? [];
    const now = Date.now();
    return ({ at }) => at >= now - from * 60_000 && at <= now - to * 60_000 + 5000;
  },
  from: (value) => (call) => call.at >= Number(value),
  to: (value) => (call) => call.at <= Number(value),
  tool: (value) => (call) => call.tool === value,
  action: (value) => (call) =>
    value === "would" ? call.would !== undefined : value === "failed" ? call.failed === true : call.action === value,
  hook: (value) => (call) => call.hooks?.includes(value) ?? false,
  text: (value) => {
    const words = value.toLowerCase().split(/\s+/).filter(Boolean);
    const [first = ""] = words;
    if (words.length === 1) return (call) => call.words.includes(first);
    return (call) => words.every((word) => call.words.includes(word));
  },
};

/** Every value that a filter can have, the most frequent first; the same lists as before while they are equal. */
export const choices = computed<Readonly<Record<ChoiceName, readonly string[]>>>(() => {
  changes.value;
  const now = Object.fromEntries(CHOICES.map((name) => [name, frequentValues(name)])) as typeof lastChoices;
  lastChoices = sameOr(lastChoices, now);
  return lastChoices;
});

let lastChoices = {} as Readonly<Record<ChoiceName, readonly string[]>>;
