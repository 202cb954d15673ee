import type { Command } from "../command.ts";

/** Runs contained calls, and decides about what they have changed. */
export const INSIDE: Command = {
  name: "inside",
  group: "recover",
  summary: "run the command of a contained call in its box; list what boxes hold, keep it or drop it",
  usage: "<id> -- <command> | --list | --show <id> [--diff] | --keep <id> [path…] | --drop <id> [path…]",
  options: {
    list: { type: "boolean", means: "list contained calls, the newest first" },
    show: { type: "boolean", means: "show what a call has changed, and what became of it" },
    diff: { type: "boolean", means: "with --show: every line that differs, what is deleted first" },
    keep: { type: "boolean", means: "put held changes into the project; only at a terminal of your own" },
    drop: { type: "boolean", means: "throw held changes away" },
    network: { type: "boolean", means: "serve the allowed hosts of a call that runs; started by the box itself" },
    all: { type: "boolean", means: "with --list: every project" },
    yes: { type: "boolean", means: "with --keep: ask nothing; never for an agent" },
  },
  words: Number.POSITIVE_INFINITY,
  load: () => import("./inside.ts"),
};
