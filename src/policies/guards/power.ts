import { DENY, type Guard } from "./guard.ts";

/** The machine is not stopped. */
export const power: Guard = {
  title: "Stopping or restarting the machine",
  why: "Everything that is open ends with the machine.",
  rules: [
    {
      name: "power",
      yieldsTo: ["kill-all"],
      ...DENY,
      reason: "Stops or restarts the machine.",
      does: "stops or restarts the machine{by}",
      ask: "to do it",
    },
  ],
  stops: () => ["shutdown -h now", "reboot", "poweroff", "systemctl reboot", "init 0"],
  passes: () => ["uptime", "echo reboot", "systemctl status reboot.target", "git commit -m 'handle shutdown'"],
};
