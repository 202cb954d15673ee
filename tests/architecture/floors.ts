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
  "policies/intent": 9,
  "policies/protect": 9,
  "policies/undo": 9,
  bundle: 9,
  engine: 9,
  install: 9,
  ship: 10,
  decide: 10,
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

/** Every agent, by the name it is listed under and the names it is known by. */
export const AGENTS: Readonly<Record<string, readonly string[]>> = {
  "claude-code": ["claude-code"],
  codex: ["codex", "codex-cli"],
  gemini: ["gemini", "gemini-cli"],
  cursor: ["cursor"],
  copilot: ["copilot", "copilot-cli"],
  opencode: ["opencode"],
  qwen: ["qwen", "qwen-code"],
  droid: ["droid"],
  cline: ["cline"],
  windsurf: ["windsurf"],
  kiro: ["kiro"],
  auggie: ["auggie"],
  amp: ["amp"],
};
