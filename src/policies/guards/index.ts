import { clouds } from "./clouds.ts";
import { containers } from "./containers.ts";
import { databases } from "./databases.ts";
import { disks } from "./disks.ts";
import { downloads } from "./downloads.ts";
import { exhaustion } from "./exhaustion.ts";
import { exposure } from "./exposure.ts";
import { files } from "./files.ts";
import { git } from "./git.ts";
import type { Guard } from "./guard.ts";
import { packages } from "./packages.ts";
import { permissions } from "./permissions.ts";
import { persistence } from "./persistence.ts";
import { power } from "./power.ts";
import { privilege } from "./privilege.ts";
import { processes } from "./processes.ts";
import { publishing } from "./publishing.ts";
import { secrets } from "./secrets.ts";
import { system } from "./system.ts";
import { tools } from "./tools.ts";
import { traces } from "./traces.ts";

export type { Guard, GuardCall, Preset } from "./guard.ts";
export { PRESETS } from "./guard.ts";

/** Every guard, by the name of its hook after `guard:`. */
export const GUARDS = Object.freeze({
  files,
  git,
  secrets,
  downloads,
  packages,
  exposure,
  privilege,
  persistence,
  disks,
  exhaustion,
  permissions,
  processes,
  power,
  traces,
  system,
  publishing,
  containers,
  databases,
  clouds,
  tools,
} as const satisfies Record<string, Guard>);
