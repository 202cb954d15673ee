import type { RunFiles } from "./run-files.ts";

/** What an approved hook may run: the files with the hashes that were approved. */
export interface Pin {
  readonly root: string;
  readonly files: RunFiles["files"];
  /** Where the copies of approved files lie. */
  readonly folder: string;
  /** Whether a second look at the disk still finds what was approved. */
  readonly isStill: () => boolean;
}

const PINS = new WeakMap<object, Pin>();

/** From now on these parts of a hook run the approved bytes alone. */
export function pinParts(parts: readonly object[], pin: Pin): void {
  for (const part of parts) PINS.set(part, pin);
}

/** What an approved hook of a project may run; nothing for hooks that need no approval. */
export function pinOf(hook: object): Pin | undefined {
  return PINS.get(hook);
}
