import type { Command } from "../command.ts";

/** `sluice serve`: the built command has a bundle for it alone, the daemon with its workers. */
export const SERVE: Command = {
  name: "serve",
  group: "programs",
  summary: "keep the daemon in memory, so that calls of agents cost next to nothing",
  usage: "[--status | --stop]",
  options: {
    status: { type: "boolean", means: "only report whether a daemon runs; exit code 1 if none does" },
    stop: { type: "boolean", means: "end the daemon that runs" },
    launched: { type: "boolean", means: "print nothing; used when a call starts it" },
    project: {
      type: "string",
      value: "folder",
      means: "make a client for this project's lines first; how its calls start it",
    },
    worker: { type: "boolean", means: "run hooks for a daemon; how a daemon starts it" },
  },
  load: () => import("./serve.ts"),
};
