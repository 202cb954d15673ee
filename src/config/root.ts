import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The project that a folder belongs to: the nearest one above with hooks of its own, else the repository, else itself. */
export function findRoot(folder: string): string {
  const above = [...ancestors(resolve(folder))];
  const marked = (marks: readonly string[]) => above.find((path) => marks.some((mark) => existsSync(join(path, mark))));
  return marked(CONFIGURED) ?? marked([".git"]) ?? above[0] ?? folder;
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
