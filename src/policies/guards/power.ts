import { DENY, type Guard } from "./guard.ts";
import { by } from "./part.ts";

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
      message: (part) => ({ does: `stops or restarts the machine${by(part)}`, ask: "to do it" }),
    },
  ],
  get stops() {
    return ["shutdown -h now", "reboot", "poweroff", "systemctl reboot", "init 0"];
  },
  get passes() {
    return ["uptime", "echo reboot", "systemctl status reboot.target", "git commit -m 'handle shutdown'"];
  },
};
