import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";

/** Files of tests below a folder, in order; links are not followed, and what others made is not looked at. */
export function findTestFiles(root: string): { readonly files: readonly string[]; readonly isWhole: boolean } {
  const files: string[] = [];
  const waiting = [root];
  let seen = 0;
  for (let folder = waiting.shift(); folder !== undefined && seen < MOST_ENTRIES; folder = waiting.shift()) {
    for (const entry of entriesOf(folder)) {
      seen++;
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) waiting.push(join(folder, entry.name));
      else if (entry.isFile() && isTestFile(entry.name)) files.push(join(folder, entry.name));
    }
  }
  return { files: files.sort(), isWhole: seen < MOST_ENTRIES };
}

/** Whether a file holds tests, by its name. */
export function isTestFile(path: string): boolean {
  return /\.hooks\.test\.(ya?ml|json)$/.test(path);
}

/** Folders whose files are not the project's own. */
export const SKIPPED: ReadonlySet<string> = new Set(["node_modules", ".git", "dist"]);

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // A folder that may not be read holds no tests for us.
    return [];
  }
}

const MOST_ENTRIES = 100_000;
