import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { codeCachePath, endTurn, takeTurn, writeCodeCache } from "./code-cache.ts";
import { type Build, type BundleEntry, bundleFrom, type LoadedBundle } from "./load-bundle.ts";

/** What tells the launcher to compile a bundle. */
export const COMPILE = "compile-bundle";

/** Has a bundle compiled in a process that is not waited for: when this one ends, or soon where it stays. */
export function compileLater(bundle: string, build: Build, stays: boolean): void {
  if (stays) setTimeout(startCompiling, SOON_MS, bundle, build).unref();
  else process.on("exit", () => startCompiling(bundle, build));
}

/** The process gets the flags of this one, because V8 reads compiled code back only under the flags it was written with. */
function startCompiling(bundle: string, { launcher, id }: Build): void {
  const path = codeCachePath(bundle, id);
  if (path === undefined || !takeTurn(path)) return;
  // Loaded here, because a call that has its compiled code needs no processes.
  const { spawn } = createRequire(launcher)("node:child_process") as typeof import("node:child_process");
  const child = spawn(process.execPath, [...process.execArgv, launcher, COMPILE, bundle], {
    cwd: dirname(path),
    detached: true,
    windowsHide: true,
    stdio: "ignore",
  });
  child.on("error", () => endTurn(path));
  child.unref();
}

/**
 * Uses a bundle as agents and people use it, with a home of its own, and keeps what V8 has compiled by then: also the
 * functions that V8 compiles only when they are called.
 */
export async function compileBundle(
  bundle: string,
  build: Build,
  evaluated: (loaded: LoadedBundle) => BundleEntry,
): Promise<void> {
  const path = codeCachePath(bundle, build.id);
  if (path === undefined) return;
  const { tmpdir } = await import("node:os");
  const home = mkdtempSync(join(tmpdir(), "sluice-compile-"));
  try {
    const { env } = process;
    for (const name of Object.keys(env)) if (OWN.test(name)) delete env[name];
    Object.assign(env, { HOME: home, SLUICE_RESIDENT: "0" });
    process.chdir(home);
    const loaded = bundleFrom(bundle, build);
    await evaluated(loaded).warmUp();
    writeCodeCache(path, loaded.compiled());
  } finally {
    // A folder that is still worked in cannot be removed everywhere.
    process.chdir(tmpdir());
    rmSync(home, { recursive: true, force: true });
    endTurn(path);
  }
}

/** What would lead to the user's own hooks and state. */
const OWN = /^(?:SLUICE_.*|XDG_.*|USERPROFILE)$/;
const SOON_MS = 2000;
