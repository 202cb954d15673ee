import type { Bundle } from "../launcher/load-bundle.ts";

/** The parts of the bundle `command.cjs`. The modules of a part are evaluated when the part is loaded. */
export const parts: Bundle["parts"] = {
  daemon: () => import("./bin-daemon.ts"),
  command: () => import("./bin-command.ts"),
};
