import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The project that a folder belongs to: the nearest one above with hooks of its own, else the repository, else itself. */
export function findRoot(folder: string): string {
  return configuredRoot(folder) ?? marked(folder, [".git"]) ?? resolve(folder);
}

/** The nearest folder above that has hooks of its own, if there is one. */
export function configuredRoot(folder: string): string | undefined {
  return marked(folder, CONFIGURED);
}

function marked(folder: string, marks: readonly string[]): string | undefined {
  return [...ancestors(resolve(folder))].find((path) => marks.some((mark) => existsSync(join(path, mark))));
}

function* ancestors(folder: string): Generator<string> {
  yield folder;
  const parent = dirname(folder);
  if (parent !== folder) yield* ancestors(parent);
}

/** What makes a folder a project with hooks. */
const CONFIGURED = [
  ".sluice",
  ".src/opencode/hooks.json",
  ".src/forge/hooks.json",
  ".opencode/hooks.json",
  ".forge/hooks.json",
];
