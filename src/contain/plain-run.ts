import { existsSync } from "node:fs";
import { type Box, type BoxEnd, commitLock, writeEnd, writeReceipt } from "../policies/contain/box-store.ts";
import { removeBoxFolder } from "../policies/contain/probe.ts";
import { readChanges } from "./read-changes.ts";
import { runBox } from "./run-box.ts";

/**
 * Runs a box. If the program has changed nothing and missed no network, that ends the call, and nothing else of Sluice is
 * loaded; undefined if there is more to do: then the end of the program is stored.
 */
export async function ranWithoutTrace(
  box: Box,
  env: Readonly<Record<string, string | undefined>>,
): Promise<BoxEnd | undefined> {
  // A commit was interrupted: it is ended before the next program reads the project.
  if (existsSync(commitLock(env))) return undefined;
  const ran = await runBox(box);
  if (ran.kind === "used") return undefined;
  if (ran.kind === "failed") {
    writeReceipt(box, { at: new Date().toISOString(), exit: null, changes: [], failed: ran.why });
    return undefined;
  }
  const { start, end } = ran;
  writeEnd(box, end);
  if ((end.offline ?? 0) > 0 || readChanges(start.place, start.layers).length > 0) return undefined;
  writeReceipt(box, { at: new Date().toISOString(), ...end, changes: [] });
  removeBoxFolder(start.place);
  return end;
}
