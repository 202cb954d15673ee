import type { Command } from "../command.ts";
import { EVENT_OPTIONS } from "../event-from-words.ts";

/** Every verb there is. Help, completion and the documentation are made from this table. */
export const COMMANDS: readonly Command[] = [
  {
    name: "init",
    summary: "start here: write a commented .sluice/hooks.yaml",
    usage: "[--template <name>]… [--yes]",
    options: {
      template: { type: "string", multiple: true, value: "name", means: "a template to begin with; may be repeated" },
      yes: { type: "boolean", means: "ask nothing" },
    },
    load: () => import("./init.ts"),
  },
  {
    name: "check",
    summary: "read the configuration and say what is wrong with it, and where",
    usage: "[--strict]",
    options: { strict: { type: "boolean", means: "warnings count as problems" } },
    load: () => import("./check.ts"),
  },
  {
    name: "list",
    summary: "show which hooks are active here, from which file and line, and why others are not",
    usage: "[event] [--tool <name>]",
    options: { tool: { type: "string", value: "name", means: "only hooks that hear the event with this tool" } },
    completes: "events",
    words: 1,
    load: () => import("./list.ts"),
  },
  {
    name: "events",
    summary: "list every event, its other names, and what a hook can do there",
    usage: "[event]",
    options: {},
    completes: "events",
    words: 99,
    load: () => import("./events.ts"),
  },
  {
    name: "fire",
    summary: "run the hooks for one event by hand and see what each said",
    usage: "<event> [--tool <name>] [--args <json>]",
    options: {
      ...EVENT_OPTIONS,
      "stop-on-failure": { type: "boolean", means: "stop at the first hook that denies" },
      strict: { type: "boolean", means: "refuse to run with a configuration that has problems" },
    },
    completes: "events",
    words: 2,
    load: () => import("./fire.ts"),
  },
  {
    name: "explain",
    summary: "show which part of which rule matched on which value, without running anything",
    usage: '<event | "shell command"> [--tool <name>] [--args <json>]',
    options: EVENT_OPTIONS,
    completes: "events",
    words: 2,
    load: () => import("./explain.ts"),
  },
  {
    name: "templates",
    summary: "list hooks to begin with, show one, or add some to the project",
    usage: "[show <name> | add <name>…]",
    options: {},
    completes: ["show", "add"],
    words: 99,
    load: () => import("./templates.ts"),
  },
  {
    name: "completion",
    summary: "print the completion script for your shell",
    usage: "<bash|zsh|fish>",
    options: {},
    completes: ["bash", "zsh", "fish"],
    words: 1,
    load: () => import("./completion.ts"),
  },
];

/** The command of that name, if there is one. */
export function commandNamed(name: string): Command | undefined {
  return COMMANDS.find((command) => command.name === name);
}
