import { computed, effect, signal } from "@preact/signals";
import { filtersIn, type RowFilters, rowTest } from "../src/ui-server/row-filters.ts";
import { address, go, withQuery } from "./address.ts";
import { exported, get, isLoggedIn } from "./api.ts";
import { CHOICES, type ChoiceName } from "./call-counts.ts";
import { allCalls, type Call, type CallList, listOf } from "./calls.ts";

/** The filters that are set; the same object as before while they are equal. */
export const filters = computed<RowFilters>(() => {
  lastFilters = sameOr(lastFilters, filtersIn(new URLSearchParams(address.value.query)));
  return lastFilters;
});

let lastFilters: RowFilters = {};

/** The value before, if the new one is equal: what is drawn from it is not drawn again. */
function sameOr<T>(before: T, now: T): T {
  return JSON.stringify(before) === JSON.stringify(now) ? before : now;
}

/** Sets or takes away one filter. */
export function setFilter(name: string, value: string): void {
  go(withQuery({ [name]: value }), { replace: true });
}

/** Narrows to a stretch of time, in milliseconds since 1970. */
export function setTime(from: number | undefined, to: number | undefined): void {
  const text = (at: number | undefined) => (at === undefined ? undefined : String(Math.round(at)));
  go(withQuery({ from: text(from), to: text(to), last: undefined }), { replace: true });
}

/** The list that filters leave: the whole journal is searched, unless all of it is here. */
export function searched(set: RowFilters): CallList {
  allCalls.changes.value;
  return allCalls.hasOlder ? listOf(set) : allCalls;
}

/** The filters that are searched for: those of the address, a moment after a person has typed. */
const settled = signal(filters.value);
effect(() => {
  const set = filters.value;
  if (set.text === settled.peek().text) {
    settled.value = set;
    return;
  }
  const timer = setTimeout(() => (settled.value = set), TYPED_MS);
  return () => clearTimeout(timer);
});

const TYPED_MS = 200;

/** Calls that filters leave, newest first. */
export interface ShownCalls {
  readonly items: readonly Call[];
  readonly denied: number;
  /** What came in front of those that were shown before; nothing when they are others. */
  readonly came?: readonly Call[];
  readonly isReading: boolean;
  /** The list that they are of: it reads older ones. */
  readonly list: CallList;
}

/** The calls that the filters leave now. What comes is put in front; all calls are looked at only when the filters change. */
export const shown = computed<ShownCalls>(() => {
  const wanted = searched(settled.value);
  const isReading = wanted.isReading.value || (wanted !== allCalls && settled.value !== filters.value);
  const isFound = wanted.changes.value > 0;
  // Until the journal has answered, what is here is shown.
  const list = isFound ? wanted : allCalls;
  const version = list.changes.value;
  const set = filters.value;
  const { cameLast } = list;
  const isOneMore = last.list === list && last.set === set && last.version === version - 1 && cameLast !== undefined;
  const isSame = last.list === list && last.set === set && last.version === version;
  const { calls: before } = last;
  const found = isSame ? [] : ((isOneMore && cameLast) || list.calls).filter(rowTest(set));
  const denied = found.reduce((sum, call) => sum + Number(call.action === "deny"), 0);
  const now = { isReading, list: wanted };
  const calls = isSame
    ? { ...before, ...now }
    : isOneMore
      ? { ...now, items: found.concat(before.items), denied: denied + before.denied, came: found }
      : { ...now, items: found, denied };
  last = { list, set, version, calls };
  return calls;
});

let last: {
  readonly list: CallList;
  readonly set?: object;
  readonly version: number;
  readonly calls: ShownCalls;
} = {
  list: allCalls,
  version: -1,
  calls: { items: [], denied: 0, isReading: true, list: allCalls },
};

/** What calls of the last month can be chosen by. */
const known = signal<Readonly<Partial<Record<ChoiceName, readonly string[]>>>>({});
effect(() => {
  if (isLoggedIn.value && exported === undefined)
    get<typeof known.value>("/api/choices").then(
      (found) => (known.value = found),
      () => {},
    );
});

/** Every value that a filter can have, the most frequent first; the same lists as before while they are equal. */
export const choices = computed<Readonly<Record<ChoiceName, readonly string[]>>>(() => {
  allCalls.changes.value;
  const now = Object.fromEntries(
    CHOICES.map((name) => [name, [...new Set([...allCalls.counts.frequent(name), ...(known.value[name] ?? [])])]]),
  ) as unknown as typeof lastChoices;
  lastChoices = sameOr(lastChoices, now);
  return lastChoices;
});

let lastChoices = {} as Readonly<Record<ChoiceName, readonly string[]>>;
