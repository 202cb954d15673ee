import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Quarters, quartersOf, whyNoQuarters } from "../../src/server/quarters.ts";
import { systemOf } from "../../src/server/system.ts";

/** Quarters as on Windows; only the names of the pipes are files here. */
export function pipeQuarters(): Quarters {
  const home = mkdtempSync(join(realpathSync(tmpdir()), "p-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const system = { ...systemOf("win32"), profile: home, pipes: join(home, "sluice-") };
  const made = quartersOf(["node", "sluice"], { env: { XDG_STATE_HOME: join(home, "s") } }, system);
  const why = whyNoQuarters(made);
  if (why !== undefined) throw new Error(why);
  return made;
}
