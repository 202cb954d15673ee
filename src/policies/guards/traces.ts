import type { Guard } from "./guard.ts";

/** What was done stays visible. */
export const traces: Guard = {
  title: "Removing traces",
  why: "The record is needed to find out what happened.",
  rules: [
    {
      value: ["forget-history", "delete-history"],
      standard: "deny",
      strict: "deny",
      paranoid: "deny",
      reason: "This removes the record of what was done.",
      remedy: "history | tail -20",
    },
  ],
  stops: [
    "history -c",
    "rm ~/.bash_history",
    "> ~/.zsh_history",
    "journalctl --vacuum-time=1s",
    "unset HISTFILE",
    "rm -f /var/log/auth.log",
  ],
  passes: ["history", "tail -50 app.log", "journalctl -u nginx -n 20", "rm app.log", "cat /var/log/syslog"],
};
