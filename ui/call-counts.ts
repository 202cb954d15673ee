import type { CallRow } from "../src/ui-server/wire.ts";

/** What calls can be chosen by, each with all values that occur. */
export type ChoiceName = "agent" | "machine" | "project" | "tool" | "hook";

/** Adds a call to the counts, or takes it out. */
export function countCall(call: CallRow, by: 1 | -1): void {
  for (const name of CHOICES) for (const value of valuesOf(call, name)) add(counts[name], value, by);
}

/** Every value that occurs, the most frequent first. */
export function frequentValues(name: ChoiceName): readonly string[] {
  return [...counts[name]]
    .sort((one, other) => other[1] - one[1])
    .slice(0, MAX_VALUES)
    .map(([value]) => value);
}

function valuesOf({ agent, machine, root, tool, hooks = [] }: CallRow, name: ChoiceName): readonly string[] {
  const value = { agent, machine, project: root, tool, hook: undefined }[name];
  return name === "hook" ? hooks : value === undefined ? [] : [value];
}

function add(map: Map<string, number>, value: string, by: 1 | -1): void {
  const count = (map.get(value) ?? 0) + by;
  if (count > 0) map.set(value, count);
  else map.delete(value);
}

export const CHOICES: readonly ChoiceName[] = ["agent", "machine", "project", "tool", "hook"];
const counts: Readonly<Record<ChoiceName, Map<string, number>>> = {
  agent: new Map(),
  machine: new Map(),
  project: new Map(),
  tool: new Map(),
  hook: new Map(),
};
const MAX_VALUES = 200;
