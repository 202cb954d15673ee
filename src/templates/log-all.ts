import { APPEND, NOW, sh } from "./shell-text.ts";
import { template } from "./template.ts";

/** An observer never decides: it only monitors, and a log that cannot be written is a recorded failure, no denial. */
export const logAll = template({
  title: "Log every event",
  why: "Afterwards nobody knows what the agent did, and when.",
  spec: {
    name: "log_all",
    event: "*",
    description: "Appends a line for every event to sluice/events.log in the folder for state (~/.local/state).",
    command: sh`
      ${NOW}
      ${APPEND}
      line=$(printf '[%s] %s %s %s' "$(now)" "$SLUICE_EVENT" "\${SLUICE_SESSION_ID:--}" "\${SLUICE_TOOL_NAME:--}" | tr -d '[:cntrl:]')
      printf '%s\n' "$line" | append events.log || exit 1`,
    mode: "monitor",
    onError: "continue",
    exitCodes: "claude",
    tags: ["log"],
  },
  examples: [
    {
      does: "creates the folder and logs the event with its tool",
      event: "tool:pre_execute",
      tool: "bash",
      args: { command: "ls" },
      expect: "continue",
      after: `grep -q 'tool:pre_execute - bash$' "$XDG_STATE_HOME/sluice/events.log"`,
    },
    {
      does: "stops nothing when the log cannot be written",
      event: "tool:pre_execute",
      tool: "bash",
      args: { command: "ls" },
      files: { state: "a file where the folder should be" },
      expect: "continue",
    },
    {
      does: "keeps a tool's name from forging a line",
      event: "tool:post_execute",
      tool: "mcp__x\n[1970] tool:error",
      expect: "continue",
      after: `[ "$(wc -l < "$XDG_STATE_HOME/sluice/events.log")" -eq 1 ]`,
    },
  ],
});
