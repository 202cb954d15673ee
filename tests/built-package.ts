import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import type { Plugin } from "vitest/config";

/** Builds the package that tests install and run, while Vitest gets ready. */
export function builtPackage(): Plugin {
  const root = resolve(import.meta.dirname, "..");
  const building = spawn(process.execPath, ["scripts/build.mjs", "--no-types", "--quiet"], {
    cwd: root,
    stdio: "inherit",
  });
  const ended = once(building, "close");
  return {
    name: "built-package",
    async configureServer() {
      const [code] = await ended;
      if (code !== 0) throw new Error(`node scripts/build.mjs ended with ${code}`);
    },
  };
}
