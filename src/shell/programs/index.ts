import type { Program, Programs } from "../program.ts";
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

/** Every program whose doings are known, by its names. */
export const PROGRAMS: readonly Programs[] = [
  FILES,
  READERS,
  PERMISSIONS,
  ARCHIVES,
  EDITORS,
  AGENT_PATCHES,
  OUTPUTS,
  GIT,
  OTHER_HISTORIES,
  HOSTING,
  CURL,
  NETWORK,
  SHARING,
  PACKAGES,
  SYSTEM_PACKAGES,
  CONTAINERS,
  MACHINES,
  CLOUDS,
  DATABASES,
  PROCESSES,
  SERVICES,
  DISKS,
  ACCOUNTS,
  KERNEL,
  SHELLS,
  MACOS,
  WINDOWS,
];

/** The row of a program; cmdlets and programs of Windows are known in any case, with or without `.exe`. */
export function programNamed(name: string): Program | undefined {
  const found = FOUND.get(name) ?? rowOf(name);
  if (found !== undefined) return found;
  const plain = name.toLowerCase().replace(/\.(?:exe|cmd|bat)$/, "");
  return plain === name ? undefined : rowOf(plain);
}

/** Looks where a name stands: to index every name takes longer than to decide about a command. */
function rowOf(name: string): Program | undefined {
  const word = ` ${name} `;
  const at = name.includes(" ") ? -1 : NAMES.findIndex((names) => names.includes(word));
  if (at === -1) return undefined;
  const table = PROGRAMS[at] as Programs;
  for (const names in table)
    if (` ${names} `.includes(word)) {
      FOUND.set(name, table[names] as Program);
      return table[names];
    }
  return undefined;
}

/** What was asked for before. */
const FOUND = new Map<string, Program>();

/** The names in each table. */
const NAMES: readonly string[] = PROGRAMS.map((table) => ` ${Object.keys(table).join(" ")} `);
