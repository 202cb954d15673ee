import type { Programs } from "./program.ts";
import { ACCOUNTS } from "./accounts.ts";
import { AGENT_PATCHES } from "./agent-patches.ts";
import { ARCHIVES } from "./archives.ts";
import { CLOUDS } from "./clouds.ts";
import { CONTAINERS } from "./containers.ts";
import { CURL } from "./curl.ts";
import { DATABASES } from "./databases.ts";
import { DISKS } from "./disks.ts";
import { EDITORS } from "./editors.ts";
import { FILES } from "./files.ts";
import { GIT } from "./git.ts";
import { HOSTING } from "./hosting.ts";
import { KERNEL } from "./kernel.ts";
import { MACHINES } from "./machines.ts";
import { MACOS } from "./macos.ts";
import { NETWORK } from "./network.ts";
import { OTHER_HISTORIES } from "./other-histories.ts";
import { OUTPUTS } from "./outputs.ts";
import { PACKAGES } from "./packages.ts";
import { PERMISSIONS } from "./permissions.ts";
import { PROCESSES } from "./processes.ts";
import { READERS } from "./readers.ts";
import { SERVICES } from "./services.ts";
import { SHARING } from "./sharing.ts";
import { SHELLS } from "./shells.ts";
import { SYSTEM_PACKAGES } from "./system-packages.ts";
import { WINDOWS } from "./windows.ts";

/** Every program whose doings are known, table by table; a table is made when one of its programs is asked for. */
export const TABLES: readonly (() => Programs)[] = [
  () => FILES,
  () => READERS,
  () => PERMISSIONS,
  () => ARCHIVES,
  () => EDITORS,
  () => AGENT_PATCHES,
  () => OUTPUTS,
  () => GIT,
  () => OTHER_HISTORIES,
  () => HOSTING,
  () => CURL,
  () => NETWORK,
  () => SHARING,
  () => PACKAGES,
  () => SYSTEM_PACKAGES,
  () => CONTAINERS,
  () => MACHINES,
  () => CLOUDS,
  () => DATABASES,
  () => PROCESSES,
  () => SERVICES,
  () => DISKS,
  () => ACCOUNTS,
  () => KERNEL,
  () => SHELLS,
  () => MACOS,
  () => WINDOWS,
];
