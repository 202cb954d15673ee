import { type Command, RECORD_OPTIONS, REPORTER_OPTION, TRUST_OPTION } from "../command.ts";
import { weakensUnless } from "../weakens.ts";
import { EVENT_OPTIONS } from "./event-options.ts";
import { INSIDE } from "./inside-command.ts";
import { PACK_COMMANDS } from "./pack-commands.ts";
import { PERSON_COMMANDS } from "./person-commands.ts";
import { RUN } from "./run-command.ts";
import { SERVE } from "./serve-command.ts";
import { TEAM_COMMANDS } from "./team-commands.ts";

const INSTALL_OPTIONS = {
  scope: { type: "string", value: "user|project", means: "for all your projects (user, the default) or for this one" },
  yes: { type: "boolean", means: "ask nothing" },
  "dry-run": { type: "boolean", means: "only show what would be written" },
  diff: { type: "boolean", means: "show every line that changes" },
} as const;

/** Calls of many machines. */
const STORE_OPTION = {
  type: "string",
  value: "postgres://…",
  means: "of all machines that ship to this database",
} as const;

/** Every verb there is. Help, completion and the documentation are made from this table. */
export const COMMANDS: readonly Command[] = [
  {
    name: "init",
    group: "set up",
    summary: "start here: write a commented .sluice/hooks.yaml, or your own configuration for all projects",
    usage: "[--scope user|project] [--template <name>]… [--yes]",
    options: {
      scope: { type: "string", value: "user|project", means: "for this project (the default) or for all of yours" },
      template: {
        type: "string",
        multiple: true,
        value: "name",
        means: "a template to begin with; may be repeated",
        completesFrom: "templates",
      },
      yes: { type: "boolean", means: "ask nothing" },
    },
    load: () => import("./init.ts"),
  },
  {
    name: "check",
    group: "daily",
    summary: "read the configuration and report its problems with their places",
    usage: "[--strict] [--reporter <name>]",
    options: { strict: { type: "boolean", means: "warnings count as problems" }, ...REPORTER_OPTION },
    load: () => import("./check.ts"),
  },
  {
    name: "list",
    group: "inspect",
    summary: "show which hooks are active here, from which file and line, and why others are not",
    usage: "[event] [--tool <name>]",
    options: { tool: { ...EVENT_OPTIONS.tool, means: "only hooks that match the event with this tool" } },
    completesFrom: "events",
    words: 1,
    load: () => import("./list.ts"),
  },
  ...(["enable", "disable"] as const).map(
    (name): Command => ({
      name,
      group: "decide",
      summary: `turn hooks ${name === "enable" ? "on" : "off"}, in the file in which each is written`,
      usage: "<hook…> [--scope user|project]",
      options: { scope: { type: "string", value: "user|project", means: "which hook is meant, where both have one" } },
      completesFrom: "hooks",
      words: 99,
      ...(name === "disable" ? weakensUnless() : {}),
      load: () => import("./switch.ts"),
    }),
  ),
  {
    name: "events",
    group: "inspect",
    summary: "list every event, its other names, and what a hook can do there",
    usage: "[event]",
    options: {},
    completesFrom: "events",
    words: 99,
    load: () => import("./events.ts"),
  },
  {
    name: "fire",
    group: "decide",
    summary: "run the hooks for one event and show the result of each",
    usage: '<event | "shell command"> [--tool <name>] [--args <json>]',
    options: {
      ...EVENT_OPTIONS,
      ...TRUST_OPTION,
      "stop-on-failure": { type: "boolean", means: "stop at the first hook that denies" },
      strict: { type: "boolean", means: "refuse to run with a configuration that has problems" },
    },
    completesFrom: "events",
    words: 99,
    load: () => import("./fire.ts"),
  },
  {
    name: "install",
    group: "set up",
    summary: "let agents call Sluice: write it into their settings, and nothing else",
    usage: "[agent…] [--scope user|project] [--yes]",
    options: {
      ...INSTALL_OPTIONS,
      http: { type: "boolean", means: "let agents post to the daemon where that is as safe as a command" },
      "no-mcp": { type: "boolean", means: "leave out the MCP server with the tools for intents" },
    },
    completesFrom: "agents",
    words: 99,
    load: () => import("./install.ts"),
  },
  {
    name: "setup",
    group: "set up",
    summary: "find your agents, install guards for all of them, fire the canary, and report what is proven",
    usage: "[agent…] [--dry-run]",
    options: {
      yes: { type: "boolean", means: "ask nothing; without a terminal nothing is asked anyway" },
      "dry-run": INSTALL_OPTIONS["dry-run"],
      diff: INSTALL_OPTIONS.diff,
    },
    completesFrom: "agents",
    words: 99,
    load: () => import("./setup.ts"),
  },
  {
    name: "uninstall",
    group: "recover",
    summary: "take Sluice out of the settings of agents again",
    usage: "[agent…] [--scope user|project] [--yes]",
    options: {
      ...INSTALL_OPTIONS,
      purge: { type: "boolean", means: "also remove your own configuration, where it is as `sluice install` wrote it" },
    },
    completesFrom: "agents",
    words: 99,
    ...weakensUnless("dry-run"),
    load: () => import("./uninstall.ts"),
  },
  {
    name: "import",
    group: "set up",
    summary: "turn hooks that agents, git and hookify have already into hooks of Sluice",
    usage: "[agent | file] [--scope user|project] [--yes]",
    options: {
      ...INSTALL_OPTIONS,
      scope: { type: "string", value: "user|project", means: "from and for this project (the default), or for you" },
    },
    completesFrom: "agents",
    words: 1,
    load: () => import("./import.ts"),
  },
  {
    name: "doctor",
    group: "inspect",
    summary: "check everything between your agents and their hooks, fire a canary, report what is wrong",
    usage: "[--strict] [--verbose]",
    options: {
      strict: { type: "boolean", means: "end with 1 also when an agent was not seen working yet" },
      verbose: { type: "boolean", means: "also what is in order, and what never changes" },
    },
    load: () => import("./doctor.ts"),
  },
  RUN,
  {
    name: "explain",
    group: "inspect",
    summary: "show which part of which rule matched on which value, without running anything",
    usage: '<event | "shell command"> [--tool <name>] [--args <json>] [--effects]',
    options: {
      ...EVENT_OPTIONS,
      all: { type: "boolean", means: "also the rules of guards that do not match" },
      effects: {
        type: "boolean",
        means: "only what the command line or the tool call does, as `sluice/effects` reports it",
      },
      shell: { type: "string", value: "name", means: "with --effects: the shell of the line: bash, powershell or cmd" },
    },
    completesFrom: "events",
    words: 99,
    load: () => import("./explain.ts"),
  },
  {
    name: "why",
    group: "daily",
    summary: "explain a past decision: which hooks ran, how each answered, and which rule matched",
    usage: "[id] [--last <number>] [--since 2h] [--project .|all]",
    options: {
      last: { type: "string", value: "number", means: "list the latest decisions instead" },
      ...RECORD_OPTIONS,
    },
    words: 1,
    load: () => import("./why.ts"),
  },
  {
    name: "log",
    group: "daily",
    summary: "list the calls of agents and what became of each, one line a call, the newest last",
    usage: "[--follow] [--since 2h] [--action deny,ask] [--project .|all]",
    options: {
      follow: { type: "boolean", means: "continue with calls as they come, until it is interrupted" },
      last: { type: "string", value: "number", means: "how many; 100 when left out, all of them with --since" },
      store: STORE_OPTION,
      ...RECORD_OPTIONS,
    },
    load: () => import("./log.ts"),
  },
  {
    name: "replay",
    group: "decide",
    summary: "judge recorded calls by a changed policy: what would open, what would be stopped; nothing is run",
    usage:
      "[--since 30d] [--from journal|<agent>|<file>] [--policy <file|folder|pack|git:REF>] [--against git:REF|recorded]",
    options: {
      since: { type: "string", value: "30d", means: "calls from then on: 12h, 7d, a date; 30 days when left out" },
      from: {
        type: "string",
        value: "journal|agent|file",
        means:
          "where calls are found: the journal, an agent's own history, or a file of records, transcripts or payloads",
        completesFrom: "agents",
      },
      policy: {
        type: "string",
        value: "file|folder|pack|git:REF",
        means: "the newer policy; the working tree's when left out",
      },
      against: {
        type: "string",
        value: "git:REF|file|folder|pack|recorded",
        means: "the older policy; the last commit's when left out, what was recorded where there is none",
      },
      html: { type: "string", value: "file", means: "write the report as one page for a browser" },
      reporter: { type: "string", value: "github|sarif|junit", means: "print it for a build server" },
      approve: {
        type: "string",
        value: "known",
        means: "show which calls `approve: known` would have approved instead",
      },
      contain: {
        type: "string",
        value: "unknown|all",
        means: "show which calls `contain` would have run in a box, and which of them talk to the network",
      },
      accept: { type: "string", value: "hash", means: "exit with 0 although what this hash names would open" },
      "make-tests": { type: "string", value: "file", means: "write what differs as tests for `sluice test`" },
    },
    load: () => import("./replay.ts"),
  },
  {
    name: "suggest",
    group: "decide",
    summary:
      "what your recorded calls support: narrow exceptions, rules, hooks that are ready to be enforced or have no effect",
    usage: "[--since 30d] [--project .|all]",
    options: {
      since: { type: "string", value: "30d", means: "calls from then on: 12h, 7d, a date; 30 days when left out" },
      project: { type: "string", value: "folder|all", means: "the project; the one around this folder when left out" },
    },
    load: () => import("./suggest.ts"),
  },
  {
    name: "trace",
    group: "inspect",
    summary:
      "the record of changes: verify its hash chain, find the author of a line and its intent, list changes that no record explains",
    usage: "[verify | find <file:line | hash> | list | audit [--base REF] | export | report --html | map]",
    options: {
      base: {
        type: "string",
        value: "ref",
        means: "with `audit`: also what was committed since this branch left that branch, tag or commit",
      },
      last: { type: "string", value: "number", means: "with `list`: how many changes; 20 when left out" },
      html: { type: "boolean", means: "with `report`: one page for a browser, on standard output" },
      ...REPORTER_OPTION,
    },
    completes: ["verify", "find", "list", "audit", "export", "report", "map"],
    words: 2,
    load: () => import("./trace.ts"),
  },
  {
    name: "test",
    group: "daily",
    summary: "try the examples of hooks and the files of tests, without an agent",
    usage: "[hook | file]… [--watch] [--coverage]",
    options: {
      watch: { type: "boolean", means: "run again whenever configuration, scripts or tests change" },
      ...REPORTER_OPTION,
      coverage: { type: "boolean", means: "also show rules that never decided and hooks without examples" },
      only: { type: "string", value: "text", means: "only hooks and tests with this text in their name" },
      live: { type: "boolean", means: "also run hooks that ask models or servers" },
      ...TRUST_OPTION,
    },
    completesFrom: "hooks",
    words: 99,
    load: () => import("./test.ts"),
  },
  SERVE,
  {
    name: "ui",
    group: "inspect",
    summary: "watch calls as they happen, look into them and try rules, in a browser on this machine",
    usage:
      "[--port <n>] [--no-open] [--store postgres://…] [--export <file.html> [--since 7d] [--session <id>] [--redact]]",
    options: {
      store: STORE_OPTION,
      port: { type: "string", value: "n", means: "the port; any free one when left out" },
      "no-open": { type: "boolean", means: "open no browser" },
      export: { type: "string", value: "file.html", means: "write calls into one file that needs no server, and end" },
      since: { type: "string", value: "7d", means: "from when on calls are exported; 7 days when left out" },
      session: { type: "string", multiple: true, value: "id", means: "export only this session" },
      redact: { type: "boolean", means: "export no commands, paths or contents, only what was decided" },
    },
    load: () => import("./ui.ts"),
  },
  {
    name: "stats",
    group: "inspect",
    summary: "show how long calls took, what failed and what was let through, per hook and project",
    usage: "[--days <number>] [--project .|all] [--watch]",
    options: {
      watch: { type: "boolean", means: "show it again every two seconds" },
      all: { type: "boolean", means: "all projects, as with --project all" },
      project: RECORD_OPTIONS.project,
      days: { type: "string", value: "number", means: "how far back; 7 when left out" },
    },
    load: () => import("./stats.ts"),
  },
  ...PERSON_COMMANDS,
  {
    name: "undo",
    group: "daily",
    summary: "bring back what a call destroyed: files, branches, stashes; or list what is kept",
    usage: "[id | --last | --session <id>] [path…] [--list] [--dry-run] [--force]",
    options: {
      last: { type: "boolean", means: "the latest call of this project" },
      session: { type: "string", value: "id", means: "every call of a session" },
      list: { type: "boolean", means: "only list what is kept" },
      all: { type: "boolean", means: "with --list and --last: every project" },
      "dry-run": { type: "boolean", means: "only show what would come back" },
      force: { type: "boolean", means: "also files that have changed since; what they hold now is kept first" },
    },
    words: 99,
    load: () => import("./undo.ts"),
  },
  ...TEAM_COMMANDS,
  INSIDE,
  {
    name: "intents",
    group: "decide",
    summary: "declare pieces of work, what each owns, and how far it is",
    usage: "[list | board | show <id> | new <name> | start <id> | done <id> | scope add <id> <glob…>]",
    options: {
      id: { type: "string", value: "id", means: "new: the id; the next free one when left out" },
      name: { type: "string", value: "text", means: "new: what is to be done" },
      scope: { type: "string", multiple: true, value: "glob", means: "new: a path or glob it owns; may be repeated" },
      constraint: { type: "string", multiple: true, value: "text", means: "new: what it keeps to; may be repeated" },
      criterion: { type: "string", multiple: true, value: "text", means: "new: when it is done; may be repeated" },
    },
    completes: ["list", "board", "show", "new", "start", "done", "scope"],
    completesFrom: "intents",
    words: 99,
    load: () => import("./intents.ts"),
  },
  {
    name: "mcp",
    group: "programs",
    summary: "offer intents to agents as tools of an MCP server, on standard input and output",
    usage: "",
    options: {},
    load: () => import("./mcp.ts"),
  },
  ...PACK_COMMANDS,
  {
    name: "completion",
    group: "set up",
    summary: "print the completion script for your shell",
    usage: "<bash|zsh|fish>",
    options: {
      words: {
        type: "string",
        value: "source",
        means: "only the completions, one a line: hooks, intents, agents, templates, events",
      },
    },
    completes: ["bash", "zsh", "fish"],
    words: 1,
    load: () => import("./completion.ts"),
  },
];

/** The command of that name, if there is one. */
export function commandNamed(name: string): Command | undefined {
  return COMMANDS.find((command) => command.name === name);
}
