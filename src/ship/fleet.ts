import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../event/json.ts";
import { readRegularText } from "../fs/regular-file.ts";
import { problems } from "../problem/problem.ts";
import { pathOf, REPORT_ENDING } from "./file-sink.ts";
import type { MachineReport } from "./sink.ts";

/** How many machines have which bundle, and which of them need a person. */
export interface FleetStatus {
  readonly machines: number;
  /** Machines by the version of their bundle; 0 stands for none. */
  readonly bundles: Readonly<Record<string, number>>;
  readonly versions: Readonly<Record<string, number>>;
  /** Machines that have not reported for a day. */
  readonly silent: readonly MachineReport[];
  readonly troubled: readonly MachineReport[];
}

/** The reports of all machines, from the target that they ship to. */
export async function fleetReports(target: string): Promise<readonly MachineReport[]> {
  if (/^postgres(?:ql)?:/i.test(target)) return (await import("./postgres-read.ts")).storedReports(target);
  if (!target.startsWith("file:")) throw PROBLEMS.noReports({ target });
  const folder = pathOf(target);
  return readdirSync(folder)
    .filter((name) => name.endsWith(REPORT_ENDING))
    .map((name) => reportIn(folder, name));
}

/** One machine's report; one that is torn or of another kind is a machine that needs a person, and hides no other. */
function reportIn(folder: string, name: string): MachineReport {
  try {
    const read: unknown = JSON.parse(readRegularText(join(folder, name)));
    if (isObject(read) && typeof read.machine === "string" && typeof read.at === "string")
      return read as unknown as MachineReport;
  } catch {
    // Told below, with its name.
  }
  return {
    machine: name.slice(0, -REPORT_ENDING.length),
    at: new Date().toISOString(),
    sluice: "unknown",
    bundle: undefined,
    confirmed: undefined,
    problem: `its report cannot be read: ${join(folder, name)}; its next \`sluice ship\` writes it anew`,
  };
}

/** Adds reports up. */
export function fleetStatus(reports: readonly MachineReport[], now = Date.now()): FleetStatus {
  const bundles: Record<string, number> = {};
  const versions: Record<string, number> = {};
  for (const { bundle = 0, sluice } of reports) {
    bundles[bundle] = (bundles[bundle] ?? 0) + 1;
    versions[sluice] = (versions[sluice] ?? 0) + 1;
  }
  return {
    machines: reports.length,
    bundles,
    versions,
    silent: reports.filter(({ at }) => !(now - Date.parse(at) <= SILENT_MS)),
    troubled: reports.filter(({ problem }) => problem !== undefined && problem !== null),
  };
}

const SILENT_MS = 86_400_000;

const PROBLEMS = problems("ship", {
  noReports: ({ target }: { target: string }) => ({
    what: `${target} has no reports of machines that can be read here.`,
    fix: "Name what machines ship to: postgres://… or a folder, file:///share/.",
  }),
});
