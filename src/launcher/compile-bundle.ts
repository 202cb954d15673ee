import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { codeCachePath, endTurn, takeTurn, writeCodeCache } from "./code-cache.ts";
import { type Build, type BundlePart, bundleFrom, type LoadedBundle, type PartEntry } from "./load-bundle.ts";

/** The argument that has the launcher compile a part of the bundle. */
export const COMPILE = "compile-bundle";

/** Compiles a part in another process that is not waited for: when this process exits, or soon if it keeps running. */
export function compileLater(part: BundlePart, build: Build, stays: boolean): void {
  if (stays) setTimeout(startCompiling, SOON_MS, part, build).unref();
  else process.on("exit", () => startCompiling(part, build));
}

/** The process gets the flags of this one, because V8 reads compiled code back only under the flags it was written with. */
function startCompiling(part: BundlePart, { launcher, id }: Build): void {
  const path = codeCachePath(part, id);
  if (path === undefined || !takeTurn(path)) return;
  // Loaded here, because a call that has its compiled code needs no processes.
  const { spawn } = createRequire(launcher)("node:child_process") as typeof import("node:child_process");
  const child = spawn(process.execPath, [...process.execArgv, launcher, COMPILE, part], {
    cwd: dirname(path),
    detached: true,
    windowsHide: true,
    stdio: "ignore",
  });
  child.on("error", () => endTurn(path));
  child.unref();
}

/**
 * Uses a part as agents and users do, in a temporary home directory, and stores what V8 has compiled by then. This
 * includes the functions that V8 compiles only when they are called.
 */
export async function compileBundle(
  part: BundlePart,
  build: Build,
  evaluated: (loaded: LoadedBundle, part: BundlePart) => Promise<PartEntry>,
): Promise<void> {
  const path = codeCachePath(part, build.id);
  if (path === undefined) return;
  const { tmpdir } = await import("node:os");
  const home = mkdtempSync(join(tmpdir(), "sluice-compile-"));
  try {
    const { env } = process;
    for (const name of Object.keys(env)) if (OWN.test(name)) delete env[name];
    Object.assign(env, { HOME: home, SLUICE_RESIDENT: "0" });
    process.chdir(home);
    const loaded = bundleFrom(part, build);
    await (await evaluated(loaded, part)).warmUp();
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
