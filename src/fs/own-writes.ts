import { join } from "node:path";
import { sha256 } from "./read-once.ts";
import { makePrivateDir, stateDir, type StateHome } from "./state-dir.ts";
import { writePrivate } from "./write-atomic.ts";
import { readRegularText } from "./regular-file.ts";

/** Notes what Sluice is about to write into a file, so that the change can be told from one that others make. */
export function noteOwnWrite(path: string, content: string, where: StateHome = {}): void {
  try {
    makePrivateDir(folderIn(where));
    writePrivate(noteOf(path, where), sha256(content));
  } catch {
    // The change itself matters more; without the note it is told to the user as one of unknown origin.
  }
}

/** Whether what a file says now is what Sluice wrote last. */
export function isOwnWrite(path: string, content: string, where: StateHome = {}): boolean {
  try {
    return readRegularText(noteOf(path, where)) === sha256(content);
  } catch {
    return false;
  }
}

function noteOf(path: string, where: StateHome): string {
  return join(folderIn(where), sha256(path).slice(0, 32));
}

function folderIn(where: StateHome): string {
  return join(stateDir(where), "written");
}
