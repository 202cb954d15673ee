import { closeSync, mkdirSync, openSync, realpathSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where a path of a random tree leads, by the operating system's own word. */
export interface Compared {
  readonly path: string;
  /** Nothing when the system would not write there at all. */
  readonly system: string | undefined;
}

/** Numbers that come again with the same seed. */
export function dice(seed: number): (sides: number) => number {
  let state = seed >>> 0;
  return (sides) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

/** Makes a folder with random folders, files and links, lets somebody look at random paths in it, asks the system, and takes it away again. */
export function tryTree(folder: string, roll: (sides: number) => number, look: (path: string) => void): Compared[] {
  mkdirSync(folder);
  try {
    for (let count = 0; count < 8; count++) grow(folder, roll);
    return Array.from({ length: 6 }, () => {
      const path = `${folder}/${randomPath(roll)}`;
      look(path);
      return { path, system: writtenTo(path) };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function grow(folder: string, roll: (sides: number) => number): void {
  const place = join(folder, randomName(roll), ...(roll(2) === 0 ? [randomName(roll)] : []));
  try {
    switch (roll(4)) {
      case 0:
        mkdirSync(place, { recursive: true });
        break;
      case 1:
        writeFileSync(place, "");
        break;
      default:
        symlinkSync(roll(4) === 0 ? `${folder}/${randomPath(roll)}` : randomPath(roll), place);
    }
  } catch {
    // It stands in the way of what is there.
  }
}

function randomPath(roll: (sides: number) => number): string {
  const parts = Array.from({ length: 1 + roll(4) }, () =>
    roll(4) === 0 ? ".." : roll(8) === 0 ? "." : randomName(roll),
  );
  return parts.join(roll(10) === 0 ? "//" : "/");
}

function randomName(roll: (sides: number) => number): string {
  return "abcd"[roll(4)] ?? "a";
}

/** Asks the system by writing there. */
function writtenTo(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    try {
      closeSync(openSync(path, "w"));
      const found = realpathSync.native(path);
      unlinkSync(found);
      return found;
    } catch {
      return undefined;
    }
  }
}
