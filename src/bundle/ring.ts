import { hostname, userInfo } from "node:os";
import { sha256 } from "../fs/read-once.ts";
import { readRegularText } from "../fs/regular-file.ts";

/** A name for this machine and user that identifies neither: reports and rings are made with it. */
export function machineName(idFile = "/etc/machine-id", user = userName()): string {
  return sha256(`sluice machine\n${machineId(idFile)}\n${user}`).slice(0, 16);
}

/** The place of a machine among all, from 0 to 100: a bundle for 10 % is for machines below 10. */
export function ringOf(machine: string): number {
  return Number.parseInt(sha256(`ring\n${machine}`).slice(0, 8), 16) / (0xffffffff / 100);
}

function machineId(file: string): string {
  try {
    return readRegularText(file).trim() || hostname();
  } catch {
    return hostname();
  }
}

/** In containers a user may have a number alone. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "");
  }
}
