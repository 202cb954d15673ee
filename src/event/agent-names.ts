/** The agents that Sluice knows, by the names that events carry. Empty until the table of adapters has been loaded. */
export function agentNames(): readonly string[] {
  return KNOWN.size === 0 ? [] : [...KNOWN, ...PROGRAMS];
}

/** Adds agents; the table of adapters, which is above this room, does it when it is loaded. */
export function knowAgents(names: readonly string[]): void {
  for (const name of names) KNOWN.add(name);
}

const KNOWN = new Set<string>();
/** SDKs whose events have a name of their own. */
const PROGRAMS: readonly string[] = ["claude-agent-sdk"];
