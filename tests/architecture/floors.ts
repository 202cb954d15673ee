import { ADAPTERS } from "../../src/adapters/index.ts";

/**
 * Who may know whom: a room imports only from rooms on lower floors. Each room stands as low as its needs allow;
 * a door is a file directly in `src/`, by its name.
 */
export const FLOORS: Readonly<Record<string, number>> = {
  problem: 1,
  pattern: 1,
  fs: 1,
  archive: 2,
  http: 2,
  launcher: 2,
  event: 2,
  effects: 3,
  stores: 3,
  hook: 4,
  trust: 4,
  decision: 5,
  trace: 6,
  registry: 6,
  rule: 6,
  llm: 6,
  request: 6,
  adapters: 6,
  runners: 7,
  config: 8,
  templates: 8,
  "policies/guards": 8,
  "policies/contain": 9,
  "policies/intent": 9,
  "policies/protect": 9,
  "policies/undo": 9,
  bundle: 9,
  engine: 9,
  approvals: 9,
  install: 9,
  ship: 10,
  decide: 10,
  contain: 11,
  hosts: 11,
  examples: 11,
  explain: 11,
  replay: 11,
  suggest: 12,
  doctor: 12,
  programs: 12,
  mcp: 12,
  server: 12,
  check: 12,
  packs: 13,
  "agent-hooks": 13,
  "extension-host": 13,
  "ui-server": 13,
  cli: 14,
  index: 15,
  plugin: 15,
  testing: 15,
};

/** Rooms that only compute: no disk, no process, no clock of Node. */
export const PURE_ROOMS = [
  "problem",
  "pattern",
  "event",
  "effects",
  "hook",
  "decision",
  "rule",
  "registry",
  "policies/guards",
];

/** Folders that are a table, with their `index.ts` as the list of rows. */
export const TABLE_FOLDERS = [
  "adapters",
  "runners",
  "templates",
  "policies/guards",
  "cli/commands",
  "effects/programs",
];

/** Rooms whose `index.ts` lists what other rooms may use of them. */
export const DOOR_FOLDERS = ["effects"];

/** Every agent of the adapter table, by the start of its file name, with the names that it is known by. */
export const AGENTS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  ADAPTERS.filter(({ id }) => id !== "json")
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ id }) => {
      const name = id === "claude-code" ? id : id.replace(/-(?:cli|code)$/, "");
      return [name, [name, `${name}-cli`, `${name}-code`]];
    }),
);
