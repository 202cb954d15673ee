import type { Guard } from "./guard.ts";

/** The machine stays on. */
export const power: Guard = {
  title: "Stopping or restarting the machine",
  why: "Everything that is open ends with the machine.",
  rules: [
    {
      value: "power",
      standard: "deny",
      strict: "deny",
      paranoid: "deny",
      reason: "This stops or restarts the machine. Ask the user to do it.",
    },
  ],
  stops: ["shutdown -h now", "reboot", "poweroff", "systemctl reboot", "init 0"],
  passes: ["uptime", "echo reboot", "systemctl status reboot.target", "git commit -m 'handle shutdown'"],
};
