import type { Guard } from "./guard.ts";

/** Only what is meant is ended. */
export const processes: Guard = {
  title: "Ending every process",
  why: "Work that is open elsewhere is lost with its process.",
  rules: [
    {
      value: "kill-all",
      standard: "deny",
      strict: "deny",
      paranoid: "deny",
      reason: "This ends every process, or all of a user.",
      remedy: "pgrep -fl node",
    },
    { value: "kill", paranoid: "ask", reason: "This ends processes.", remedy: "ps aux" },
  ],
  stops: [
    "kill -9 -1",
    "kill -KILL -1",
    "kill 1",
    "pkill -9 -u root",
    "killall -u me",
    "pkill .",
    "killall5",
    "kill -9 $(ps -eo pid=)",
  ],
  passes: ["kill 4242", "kill -9 4242", "kill -1 4242", "pkill -f vite", "killall node", "kill %1", "kill -l"],
};
