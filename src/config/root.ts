import { existsSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";

/** The project that a folder belongs to: the nearest one above with hooks of its own, else the repository, else itself. */
export function findRoot(folder: string): string {
  return configuredRoot(folder) ?? marked(folder, [".git"]) ?? resolve(folder);
}

/** The nearest folder above that has hooks of its own, if there is one. */
export function configuredRoot(folder: string): string | undefined {
  return marked(folder, CONFIGURED);
}

function marked(folder: string, marks: readonly string[]): string | undefined {
  for (let path = resolve(folder); ; path = dirname(path)) {
    const inside = path.endsWith(sep) ? path : path + sep;
    for (const mark of marks) if (existsSync(inside + mark)) return path;
    if (inside === path) return undefined;
  }
}

/** What makes a folder a project with hooks. */
const CONFIGURED = [
  ".sluice",
  ".src/opencode/hooks.json",
  ".src/forge/hooks.json",
  ".opencode/hooks.json",
  ".forge/hooks.json",
];
