import type { Command } from "../command.ts";

/** `sluice serve`: the built command has a bundle for it alone, the daemon with its workers. */
export const SERVE: Command = {
  name: "serve",
  summary: "keep the engine in memory, so that calls of agents cost next to nothing",
  usage: "[--status | --stop]",
  options: {
    status: { type: "boolean", means: "only say whether an engine runs; exit code 1 when none does" },
    stop: { type: "boolean", means: "end the engine that runs" },
    launched: { type: "boolean", means: "say nothing; how a call starts it" },
    hand: { type: "boolean", means: "run hooks for an engine; how an engine starts it" },
  },
  load: () => import("./serve.ts"),
};
