import { type Agent, type Does, type Ended, goesOn, type Handed, stopped, TOOL_INPUT } from "./agent.ts";

/** Kiro, as its manuals say: an exit code for tools, text for the model at the beginning of things. */
export const kiro: Agent = { id: "kiro", ...TOOL_INPUT, reads };

function reads({ stdout, stderr, exitCode }: Ended, { hookEvent, payload }: Handed): Does {
  switch (hookEvent.toLowerCase()) {
    case "pretooluse":
      return exitCode === 2 ? stopped(stderr) : goesOn({ input: payload.tool_input });
    case "sessionstart":
    case "agentspawn":
    case "userpromptsubmit":
      return goesOn(exitCode === 0 ? { told: stdout } : { shown: stderr });
    default:
      return goesOn();
  }
}
