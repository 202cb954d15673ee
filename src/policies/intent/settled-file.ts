import type { Stats } from "node:fs";
import { entryAt } from "../../fs/resolve-path.ts";

/**
 * What was read from a file, for as long as the file is the same: its place on the disk, its length and its times. A file
 * that changed just now is read each time, for the clocks of disks are coarse; so is what is a link or not there.
 */
export class SettledFiles<Read> {
  readonly #known = new Map<string, { readonly state: string; readonly read: Read }>();

  /** `found` is what the disk says about the file, for whoever has asked already. */
  read(path: string, read: () => Read, found = entryAt(path)): Read {
    const state = stateOf(found);
    const known = this.#known.get(path);
    if (state !== undefined && known?.state === state) return known.read;
    const fresh = read();
    this.#known.delete(path);
    if (this.#known.size >= MOST) this.#known.clear();
    // What was looked at before reading must still hold after it.
    if (state !== undefined && stateOf(entryAt(path)) === state) this.#known.set(path, { state, read: fresh });
    return fresh;
  }
}

function stateOf(found: Stats | undefined): string | undefined {
  if (!found?.isFile() || Date.now() - Math.max(found.mtimeMs, found.ctimeMs) < SETTLED_MS) return undefined;
  const { dev, ino, mode, uid, size, mtimeMs, ctimeMs } = found;
  return `${dev} ${ino} ${mode} ${uid} ${size} ${mtimeMs} ${ctimeMs}`;
}

const MOST = 200;
const SETTLED_MS = 100;
