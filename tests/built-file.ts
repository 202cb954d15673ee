import { existsSync } from "node:fs";
import { resolve } from "node:path";

const DIST = resolve(import.meta.dirname, "../dist");

/** The path of a file of the built package; throws with the command that builds it if it is missing. */
export function builtFile(name: string): string {
  const path = resolve(DIST, name);
  if (existsSync(path)) return path;
  throw new Error(`${path} is missing: the package is not built. Run \`${BUILD}\`, then the tests again.`);
}

const BUILD = "node scripts/build.mjs --no-types --quiet";
