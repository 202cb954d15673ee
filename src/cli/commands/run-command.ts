import { type Command, TRUST_OPTION } from "../command.ts";

/** `sluice run`: the built command has a bundle for it alone, because an agent waits for every call. */
export const RUN: Command = {
  name: "run",
  group: "programs",
  summary: "what agents call: payload on standard input, the agent's own answer on standard output",
  usage: "[agent] [--moment <name>]",
  options: {
    moment: {
      type: "string",
      value: "name",
      means: "the agent's own name of the hook event, where its payload has none",
    },
    cold: { type: "boolean", means: "decide in this process, without the daemon" },
    start: { type: "boolean", means: "decide in this process, and start the daemon for the calls to come" },
    background: {
      type: "string",
      value: "id",
      means: "only run the async hooks of a call, and record their results under this id",
    },
    lost: { type: "boolean", means: "run nothing: the daemon ended while it ran the hooks of this call" },
    ...TRUST_OPTION,
  },
  isGate: true,
  completesFrom: "agents",
  words: 1,
  load: () => import("./run.ts"),
};
