import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Something below a folder. */
export interface Below {
  /** From the folder that was walked. */
  readonly path: string;
  readonly isLink: boolean;
  readonly isFolder: boolean;
}

/** Everything below a folder, links not followed; undefined if it is more than can be read. */
export function walk(folder: string, { deep = true }: { readonly deep?: boolean } = {}): Below[] | undefined {
  const found: Below[] = [];
  const folders = [""];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const entry of entriesOf(join(folder, at))) {
      const path = at === "" ? entry.name : `${at}/${entry.name}`;
      found.push({ path, isLink: entry.isSymbolicLink(), isFolder: entry.isDirectory() });
      if (found.length > MOST) return undefined;
      if (deep && entry.isDirectory()) folders.push(path);
    }
  }
  return found;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

const MOST = 20_000;
