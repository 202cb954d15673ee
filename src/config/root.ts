import { existsSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import { statsAt } from "../trust/real-path.ts";

/** The project that a folder belongs to: the nearest one above with hooks of its own, else the repository, else itself. */
export function findRoot(folder: string, seen: Seen = new Map()): string {
  return configuredRoot(folder, seen) ?? repositoryOf(folder, seen);
}

/** What was found in folders, for whoever asks about several at one moment. */
type Seen = Map<string, readonly string[]>;

/** The nearest folder above that has hooks of its own, if there is one. */
export function configuredRoot(folder: string, seen: Seen = new Map()): string | undefined {
  return marked(folder, CONFIGURED, seen);
}

/** The repository that a folder belongs to, else the folder itself. */
export function repositoryOf(folder: string, seen: Seen = new Map()): string {
  return marked(folder, [".git"], seen) ?? resolve(folder);
}

/** The folders of configuration that a project does not have: nothing lies below what is not there. */
export function missingTops(root: string): readonly string[] {
  const tops = topsIn(root);
  return tops.length === TOPS.length ? [] : TOPS.filter((top) => !tops.includes(top));
}

function marked(folder: string, marks: readonly string[], seen: Seen): string | undefined {
  for (let path = resolve(folder); ; path = dirname(path)) {
    const inside = within(path);
    const tops = seen.get(path) ?? topsIn(path);
    seen.set(path, tops);
    for (const mark of marks) {
      const [top = mark] = mark.split("/", 1);
      if (tops.includes(top) && (top === mark || existsSync(inside + mark))) return path;
    }
    if (inside === path) return undefined;
  }
}

function within(path: string): string {
  return path.endsWith(sep) ? path : path + sep;
}

/**
 * Which of the marks lie right in a folder. Every call asks about the same few folders, so that is remembered for as long
 * as the folder is the same: where an entry comes or goes, its time changes. Clocks of disks are coarse, so what changed
 * just now is looked at each time.
 */
function topsIn(folder: string): readonly string[] {
  const stats = statsAt(folder);
  const state = stats && `${stats.dev} ${stats.ino} ${stats.mtimeMs} ${stats.ctimeMs}`;
  const known = KNOWN.get(folder);
  if (state !== undefined && known?.state === state) return known.tops;
  const inside = within(folder);
  const tops = TOPS.filter((top) => existsSync(inside + top));
  KNOWN.delete(folder);
  if (KNOWN.size >= MOST_KNOWN) KNOWN.clear();
  if (stats && state && Math.abs(Date.now() - Math.max(stats.mtimeMs, stats.ctimeMs)) > SETTLED_MS)
    KNOWN.set(folder, { state, tops });
  return tops;
}

/** What makes a folder a project with hooks. */
const CONFIGURED = [
  ".sluice",
  ".src/opencode/hooks.json",
  ".src/forge/hooks.json",
  ".opencode/hooks.json",
  ".forge/hooks.json",
];
const TOPS: readonly string[] = [...new Set([...CONFIGURED.map((mark) => mark.split("/", 1)[0] ?? mark), ".git"])];
const KNOWN = new Map<string, { readonly state: string; readonly tops: readonly string[] }>();
const MOST_KNOWN = 200;
/** Some disks tell times in steps of two seconds. */
const SETTLED_MS = 2500;
