import type { RunFiles } from "./run-files.ts";

/** The approved files of a hook, with their hashes. */
export interface Pin {
  readonly root: string;
  readonly files: RunFiles["files"];
  /** The folder with the copies of approved files. */
  readonly folder: string;
  /** Whether the files on the disk are still the approved ones. */
  readonly isStill: () => boolean;
}

const PINS = new WeakMap<object, Pin>();

/** Makes these parts of a hook run only the approved bytes from now on. */
export function pinParts(parts: readonly object[], pin: Pin): void {
  for (const part of parts) PINS.set(part, pin);
}

/** The approved files of a project's hook; undefined for hooks that need no approval. */
export function pinOf(hook: object): Pin | undefined {
  return PINS.get(hook);
}
