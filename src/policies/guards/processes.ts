import type { Guard } from "./guard.ts";
import { by, type Part } from "./part.ts";

/** Only what is meant is ended. */
export const processes: Guard = {
  title: "Ending every process",
  why: "Work that is open elsewhere is lost with its process.",
  rules: [
    {
      name: "kill-all",
      standard: "deny",
      strict: "deny",
      paranoid: "deny",
      reason: "Ends every process, or all of a user.",
      tells: (part) => ({
        does: `ends ${endedBy(part)}`,
        ask: "which process is to end, and end that one by its number",
      }),
    },
    {
      name: "kill",
      paranoid: "ask",
      reason: "Ends processes.",
      tells: (part) => ({
        does: `ends processes${by(part)}`,
        ask: "whether these processes may end",
      }),
    },
  ],
  get stops() {
    return [
      "kill -9 -1",
      "kill -KILL -1",
      "kill 1",
      "pkill -9 -u root",
      "killall -u me",
      "pkill .",
      "killall5",
      "kill -9 $(ps -eo pid=)",
    ];
  },
  get passes() {
    return ["kill 4242", "kill -9 4242", "kill -1 4242", "pkill -f vite", "killall node", "kill %1", "kill -l"];
  },
};

function endedBy({ words }: Part): string {
  const at = words.findIndex(({ text }) => /^(?:-\w*[uU]|--user|--euid)$/.test(text));
  const user = words[at + 1]?.text;
  if (at >= 0 && user !== undefined) return `every process of ${user}`;
  return words.at(-1)?.text === "1" ? "the first process, and with it all others" : "every process that it can reach";
}
