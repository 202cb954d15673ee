/**
 * Who may know whom: a room imports only from rooms on lower floors. Each room stands as low as its needs allow;
 * a door is a file directly in `src/`, by its name.
 */
export const FLOORS: Readonly<Record<string, number>> = {
  problem: 1,
  pattern: 1,
  event: 2,
  shell: 2,
  trust: 3,
  hook: 3,
  act: 4,
  decision: 4,
  trace: 5,
  registry: 5,
  rule: 5,
  llm: 5,
  request: 5,
  adapters: 5,
  runners: 6,
  intent: 8,
  config: 7,
  templates: 7,
  guards: 7,
  engine: 8,
  install: 8,
  protect: 8,
  hosts: 9,
  examples: 9,
  doctor: 10,
  resident: 10,
  programs: 10,
  mcp: 10,
  cli: 11,
  index: 12,
  plugin: 12,
  testing: 12,
  pipeline: 10,
};

/** Rooms that only compute: no disk, no process, no clock of Node. */
export const PURE_ROOMS = [
  "problem",
  "pattern",
  "event",
  "shell",
  "hook",
  "act",
  "decision",
  "rule",
  "registry",
  "guards",
];

/** Folders that are a table, with their `index.ts` as the list of rows. */
export const TABLE_FOLDERS = ["adapters", "runners", "templates", "guards", "cli/commands", "shell/programs"];

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
