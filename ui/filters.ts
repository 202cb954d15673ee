import { computed } from "@preact/signals";
import { address, go, withQuery } from "./address.ts";
import { type Call, calls, changes } from "./calls.ts";

/** What the timeline can be narrowed by; all of it stands in the address. */
export const FILTERS = ["agent", "machine", "project", "session", "tool", "action", "hook", "text"] as const;

export type FilterName = (typeof FILTERS)[number];

/** The filters that are set. */
export const filters = computed<Readonly<Partial<Record<FilterName, string>>>>(() => {
  const query = new URLSearchParams(address.value.query);
  return Object.fromEntries(FILTERS.flatMap((name) => (query.get(name) ? [[name, query.get(name) ?? ""]] : [])));
});

/** Sets or takes away one filter. */
export function setFilter(name: FilterName, value: string): void {
  go(withQuery({ [name]: value }), { replace: true });
}

/** The calls that the filters leave, newest first. */
export const shown = computed<readonly Call[]>(() => {
  changes.value;
  const tests = Object.entries(filters.value).map(([name, value]) => TESTS[name as FilterName](value));
  return tests.length === 0 ? [...calls] : calls.filter((call) => tests.every((test) => test(call)));
});

const TESTS: Readonly<Record<FilterName, (value: string) => (call: Call) => boolean>> = {
  agent: (value) => (call) => call.agent === value,
  machine: (value) => (call) => call.machine === value,
  project: (value) => (call) => call.root === value,
  session: (value) => (call) => call.session === value || call.parent === value,
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

export type ChoiceName = Extract<FilterName, "agent" | "machine" | "project" | "tool" | "hook">;

/** Every value that a filter can have, the most frequent first. */
export const choices = computed<Readonly<Record<ChoiceName, readonly string[]>>>(() => {
  changes.value;
  const counts = {
    agent: new Map<string, number>(),
    machine: new Map(),
    project: new Map(),
    tool: new Map(),
    hook: new Map(),
  };
  const count = (map: Map<string, number>, value: string | undefined) =>
    value !== undefined && map.set(value, (map.get(value) ?? 0) + 1);
  for (const call of calls) {
    count(counts.agent, call.agent);
    count(counts.machine, call.machine);
    count(counts.project, call.root);
    count(counts.tool, call.tool);
    for (const hook of call.hooks ?? []) count(counts.hook, hook);
  }
  const sorted = (map: Map<string, number>) =>
    [...map]
      .sort((one, other) => other[1] - one[1])
      .slice(0, 200)
      .map(([value]) => value);
  return {
    agent: sorted(counts.agent),
    machine: sorted(counts.machine),
    project: sorted(counts.project),
    tool: sorted(counts.tool),
    hook: sorted(counts.hook),
  };
});
