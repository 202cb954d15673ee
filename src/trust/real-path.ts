import { lstatSync, realpathSync, type Stats, statSync } from "node:fs";

/** The path without any link, in the case that the disk knows; the path itself where there is nothing yet. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Whether a path is that folder or lies in it. */
export function isWithin(folder: string, path: string): boolean {
  return (
    path === folder ||
    path.startsWith(/[\\/]$/.test(folder) ? folder : `${folder}${folder.includes("\\") ? "\\" : "/"}`)
  );
}

/** What lies right at a path, be it a link that leads nowhere; nothing when there is nothing, or nobody may look. */
export function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** What lies at the end of a path, links followed; nothing when there is nothing, or nobody may look. */
export function statsAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
