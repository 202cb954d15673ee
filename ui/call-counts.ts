import type { CallRow } from "../src/ui-server/wire.ts";

/** What calls can be chosen by, each with all values that occur. */
export const CHOICES = ["agent", "machine", "project", "tool", "hook"] as const;
export type ChoiceName = (typeof CHOICES)[number];

/** How often each value occurs that calls can be chosen by. */
export class CallCounts {
  readonly #counts = Object.fromEntries(CHOICES.map((name) => [name, new Map()])) as Record<
    ChoiceName,
    Map<string, number>
  >;

  /** Adds a call, or takes it out. */
  add(call: CallRow, by: 1 | -1): void {
    for (const name of CHOICES)
      for (const value of valuesOf(call, name)) {
        const counts = this.#counts[name];
        const count = (counts.get(value) ?? 0) + by;
        if (count > 0) counts.set(value, count);
        else counts.delete(value);
      }
  }

  /** Every value that occurs, the most frequent first. */
  frequent(name: ChoiceName): readonly string[] {
    return [...this.#counts[name]]
      .sort((one, other) => other[1] - one[1])
      .slice(0, MAX_VALUES)
      .map(([value]) => value);
  }
}

function valuesOf({ agent, machine, root, tool, hooks = [] }: CallRow, name: ChoiceName): readonly string[] {
  const value = { agent, machine, project: root, tool, hook: undefined }[name];
  return name === "hook" ? hooks : value === undefined ? [] : [value];
}

const MAX_VALUES = 200;
