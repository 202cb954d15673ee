import { GAP, processOwner } from "../../effects/index.ts";
import { DENY, type Guard } from "./guard.ts";
import type { Part } from "./part.ts";

/** Only the intended processes are ended. */
export const processes: Guard = {
  title: "Ending every process",
  why: "Work that is open elsewhere is lost with its process.",
  rules: [
    {
      name: "kill-all",
      ...DENY,
      reason: "Ends every process, or all of a user.",
      does: (part) => `ends ${endedBy(part)}`,
      ask: "which process is to end, and end that one by its number",
    },
    {
      name: "kill",
      paranoid: "ask",
      reason: "Ends processes.",
      does: "ends processes{by}",
      ask: "whether these processes may end",
    },
  ],
  stops: () => [
    "kill -9 -1",
    "kill -KILL -1",
    "kill 1",
    "pkill -9 -u root",
    "killall -u me",
    "pkill --uid me",
    "pkill .",
    "killall5",
    "kill -9 $(ps -eo pid=)",
  ],
  passes: () => [
    "kill 4242",
    "kill -9 4242",
    "kill -1 4242",
    "pkill -f vite",
    "pkill -HUP nginx",
    "killall node",
    "killall -USR1 node",
    "kill %1",
    "kill -l",
  ],
};

function endedBy({ program, words }: Part): string {
  const texts = words.map(({ text }) => text);
  const user = processOwner(program, texts);
  if (user !== undefined)
    return `every process of ${user.includes(GAP) ? "a user that is only known at run time" : user}`;
  return texts.at(-1) === "1" ? "the first process, and with it all others" : "every process that it can reach";
}
