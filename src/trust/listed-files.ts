import { basename, dirname, join, relative } from "node:path";
import { GAP } from "../effects/parse/command.ts";
import type { ObservedDisk } from "./observed-disk.ts";

/** The files of a project whose paths end as the pattern does; a part that is only known at run time matches anything. */
export function listedFiles(root: string, pattern: string, disk: ObservedDisk): string[] {
  const ending = endingOf(pattern);
  const files = filesBelow(root, disk).filter((path) => ending.test(relative(root, path)));
  return files.slice(0, MAX_SIBLINGS);
}

/** The files in one folder that match a pattern. */
export function matchedFiles(pattern: string, disk: ObservedDisk): string[] {
  return filesIn(dirname(pattern), disk).filter((path) => endingOf(basename(pattern)).test(path));
}

function filesIn(folder: string, disk: ObservedDisk): string[] {
  return disk
    .list(folder)
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => join(folder, name))
    .sort()
    .slice(0, MAX_SIBLINGS);
}

/** The files that can be found by name in a folder: its own, and those of the packages in it. */
export function searchedFiles(folder: string, disk: ObservedDisk): string[] {
  const packages = disk.list(folder).filter((entry) => entry.isDirectory());
  const inside = packages.slice(0, MAX_SIBLINGS).flatMap(({ name }) => filesIn(join(folder, name), disk));
  return [...filesIn(folder, disk), ...inside.slice(0, MAX_SIBLINGS)];
}

function filesBelow(root: string, disk: ObservedDisk): string[] {
  const files: string[] = [];
  const folders = [root];
  for (let looked = 0; looked < MAX_FOLDERS; looked++) {
    const folder = folders.shift();
    if (folder === undefined) break;
    for (const entry of disk.list(folder)) {
      const path = join(folder, entry.name);
      if (!entry.isDirectory()) files.push(path);
      else if (!FOREIGN.has(entry.name)) folders.push(path);
    }
  }
  return files;
}

function endingOf(pattern: string): RegExp {
  return new RegExp(`(?:^|/)${pattern.replace(LEADING, "").replaceAll(SPECIAL, meaning)}$`, "s");
}

function meaning(sign: string): string {
  if (sign === "**/") return "(?:.*/)?";
  if (sign === GAP || sign === "**") return ".*";
  if (sign === "*") return "[^/]*";
  return sign === "?" || sign.length > 1 ? "." : `\\${sign}`;
}

const LEADING = new RegExp(`^(?:\\.{0,2}/|${GAP}/)+`);
const SPECIAL = new RegExp(`${GAP}|\\*\\*/?|\\[[^\\]/]*\\]|[\\\\^$.*+?()[\\]{}|]`, "g");
const FOREIGN = new Set(["node_modules", ".git"]);
const MAX_FOLDERS = 500;
const MAX_SIBLINGS = 200;
