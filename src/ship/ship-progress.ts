import { join } from "node:path";
import { sha256 } from "../fs/read-once.ts";
import { readRegularText } from "../fs/regular-file.ts";
import { makePrivateDir, type StateHome, stateDir } from "../fs/state-dir.ts";
import { writePrivate } from "../fs/write-atomic.ts";
import type { ShippedPositions } from "./journal-reader.ts";

/** How far the journal was shipped to one target. */
export interface ShipProgress {
  /** The target, without credentials. */
  readonly target: string;
  readonly positions: ShippedPositions;
  readonly shipped: number;
  readonly dropped: number;
  /** Lines of the journal that could not be read, and so were not shipped. */
  readonly unread?: number | undefined;
  /** When the last batch was acknowledged; ISO 8601. */
  readonly at?: string | undefined;
  /** Why the last batch was not. */
  readonly problem?: string | undefined;
  /** What the target keeps between two batches: sums of metrics. */
  readonly memory?: unknown;
}

/** Where the progress is kept; only one process at a time ships to a target. */
export interface ProgressFile {
  readonly path: string;
  readonly lock: string;
}

/** The file of a target's progress. */
export function progressFile(target: string, where: StateHome): ProgressFile {
  const folder = join(stateDir(where), "ship");
  makePrivateDir(folder);
  const path = join(folder, `${sha256(target).slice(0, 16)}.json`);
  return { path, lock: `${path}.lock` };
}

/** Reads how far it got; at the beginning of the journal where there is none. */
export function readProgress({ path }: ProgressFile, target: string): ShipProgress {
  try {
    const read = JSON.parse(readRegularText(path)) as ShipProgress;
    if (typeof read.positions === "object" && Number.isInteger(read.shipped)) return read;
  } catch {}
  return { target: withoutCredentials(target), positions: {}, shipped: 0, dropped: 0 };
}

/** Keeps how far it got, in one step. */
export function writeProgress({ path }: ProgressFile, progress: ShipProgress): void {
  writePrivate(path, `${JSON.stringify(progress)}\n`);
}

/** A target as it may be shown and written down. */
export function withoutCredentials(target: string): string {
  return target.replace(/\/\/[^/@]*@/, "//").replace(/[?#].*$/s, "");
}
