import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type RuntimeDir, runtimeDirOf, whyNoRuntimeDir } from "../../src/server/runtime-dir.ts";
import { systemOf } from "../../src/server/system.ts";

/** Quarters as on Windows; only the names of the pipes are files here. */
export function pipeRuntimeDir(): RuntimeDir {
  const home = mkdtempSync(join(realpathSync(tmpdir()), "p-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const system = { ...systemOf("win32"), profile: home, pipes: join(home, "sluice-") };
  const made = runtimeDirOf(["node", "sluice"], { env: { XDG_STATE_HOME: join(home, "s") } }, system);
  const why = whyNoRuntimeDir(made);
  if (why !== undefined) throw new Error(why);
  return made;
}
