import { type Agent, type Does, type Ended, goesOn, type Handed, part, stopped } from "./agent.ts";

/** Windsurf's Cascade, as its manual says: an exit code, and nothing else. */
export const windsurf: Agent = {
  id: "windsurf",
  inputOf: (payload) => part(payload, "tool_info"),
  withInput: (payload, input) => ({ ...payload, tool_info: input }),
  reads,
};

function reads({ stderr, exitCode }: Ended, { hookEvent, payload }: Handed): Does {
  if (hookEvent.startsWith("pre_") && exitCode === 2) return stopped(stderr);
  return goesOn({ input: part(payload, "tool_info") });
}
