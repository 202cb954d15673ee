import { readdirSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { GAP } from "../effects/parse/command.ts";
import type { ReadFile } from "../fs/read-once.ts";

/** The files of a project whose paths end as a pattern does; what only the run knows may be anything. */
export function listedFiles(root: string, pattern: string, read: ReadFile): string[] {
  const ending = endingOf(pattern);
  const files = listOnce(root, read).filter((path) => ending.test(relative(root, path)));
  return files.slice(0, MOST_SIBLINGS);
}

/** The files beside each other that a pattern means. */
export function matchedFiles(pattern: string): string[] {
  return filesIn(dirname(pattern)).filter((path) => endingOf(basename(pattern)).test(path));
}

function filesIn(folder: string): string[] {
  return entriesOf(folder)
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => join(folder, name))
    .sort()
    .slice(0, MOST_SIBLINGS);
}

/** The files that are found by name in a folder: its own, and those of the packages in it. */
export function searchedFiles(folder: string): string[] {
  const packages = entriesOf(folder).filter((entry) => entry.isDirectory());
  const inside = packages.slice(0, MOST_SIBLINGS).flatMap(({ name }) => filesIn(join(folder, name)));
  return [...filesIn(folder), ...inside.slice(0, MOST_SIBLINGS)];
}

/** As long as files are not read again, folders are not listed again. */
function listOnce(root: string, read: ReadFile): readonly string[] {
  const files = LISTED.get(read)?.root === root ? LISTED.get(read)?.files : undefined;
  if (files !== undefined) return files;
  const fresh = { root, files: filesBelow(root) };
  LISTED.set(read, fresh);
  return fresh.files;
}

function filesBelow(root: string): string[] {
  const files: string[] = [];
  const folders = [root];
  for (let looked = 0; looked < MOST_FOLDERS; looked++) {
    const folder = folders.shift();
    if (folder === undefined) break;
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (!entry.isDirectory()) files.push(path);
      else if (!FOREIGN.has(entry.name)) folders.push(path);
    }
  }
  return files;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function endingOf(pattern: string): RegExp {
  return new RegExp(`(?:^|/)${pattern.replace(LEADING, "").replaceAll(SPECIAL, meaning)}$`, "s");
}

function meaning(sign: string): string {
  if (sign === GAP || sign === "**") return ".*";
  if (sign === "*") return "[^/]*";
  return sign === "?" || sign.length > 1 ? "." : `\\${sign}`;
}

const LEADING = new RegExp(`^(?:\\.{0,2}/|${GAP}/)+`);
const SPECIAL = new RegExp(`${GAP}|\\*\\*|\\[[^\\]/]*\\]|[\\\\^$.*+?()[\\]{}|]`, "g");
const FOREIGN = new Set(["node_modules", ".git"]);
const MOST_FOLDERS = 500;
const MOST_SIBLINGS = 200;
const LISTED = new WeakMap<ReadFile, { readonly root: string; readonly files: readonly string[] }>();
