import { DENY, type Guard } from "./guard.ts";
import { by, named } from "./part.ts";

/** The record of what was done is kept. */
export const traces: Guard = {
  title: "Removing traces",
  why: "The record is needed to find out what happened.",
  rules: [
    {
      name: "forget-history",
      ...DENY,
      reason: "Switches off or empties the record of what was done.",
      does: (part) =>
        part.paths.length > 0
          ? `empties ${named(part)}, the record of what was done`
          : `switches off or empties the record of what was done${by(part)}`,
      ask: "to do it, if the record has to go",
    },
    {
      name: "delete-history",
      ...DENY,
      reason: "Removes the record of what was done.",
      does: "removes {paths}, the record of what was done",
      ask: "to remove {paths}",
    },
  ],
  stops: () => [
    "history -c",
    "rm ~/.bash_history",
    "> ~/.zsh_history",
    "journalctl --vacuum-time=1s",
    "unset HISTFILE",
    "rm -f /var/log/auth.log",
  ],
  passes: () => ["history", "tail -50 app.log", "journalctl -u nginx -n 20", "rm app.log", "cat /var/log/syslog"],
};
