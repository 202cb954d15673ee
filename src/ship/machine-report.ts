import { readStatus } from "../bundle/bundle-state.ts";
import { ageOf, type ManagedSettings, readCurrentBundle } from "../config/managed-bundle.ts";
import type { StateHome } from "../fs/state-dir.ts";
import type { MachineReport } from "./sink.ts";

/** What this machine tells about itself: its version, its bundle, and what is wrong with that. */
export function machineReport(
  machine: string,
  version: string,
  managed: ManagedSettings | undefined,
  where: StateHome,
  now = Date.now(),
): MachineReport {
  const current = managed && readCurrentBundle(where);
  const aged = managed && current && ageOf(current, managed, now).why;
  const missing = managed !== undefined && current === undefined ? "no bundle was fetched yet" : undefined;
  return {
    machine,
    at: new Date(now).toISOString(),
    sluice: version,
    bundle: current?.version,
    confirmed: current && new Date(current.confirmed).toISOString(),
    problem: aged ?? (managed && readStatus(where)?.problem?.what) ?? missing,
  };
}
