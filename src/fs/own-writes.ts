import { join } from "node:path";
import { sha256 } from "./read-once.ts";
import { readRegularText } from "./regular-file.ts";
import { makePrivateDir, type StateHome, stateDir } from "./state-dir.ts";
import { writePrivate } from "./write-atomic.ts";

/** Records what Sluice is about to write to a file, so that `isOwnWrite` recognizes the change. */
export function noteOwnWrite(path: string, content: string, where: StateHome = {}): void {
  try {
    makePrivateDir(folderIn(where));
    writePrivate(noteOf(path, where), sha256(content));
  } catch {
    // The change itself matters more; without the note it is reported as one of unknown origin.
  }
}

/** Whether a file's content is what Sluice wrote last. */
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
