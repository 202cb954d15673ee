import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { ensurePrivateDir } from "../fs/state-dir.ts";
import { DRAFT, writePrivate } from "../fs/write-atomic.ts";

/** What was kept, and when by both clocks. */
export interface Kept {
  readonly wall: number;
  readonly steady: number;
  /** A result as JSON. */
  readonly text: string;
}

/** Kept results as files that only their owner reads; a file that is not whole counts as none. */
export class CacheFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  read(key: string): Kept | undefined {
    const path = this.#path(key);
    try {
      if (!ensurePrivateDir(this.#folder) || statSync(path).size > MOST_BYTES) return undefined;
      return readKept(readFileSync(path, "utf8"));
    } catch {
      return undefined;
    }
  }

  /** A cache that cannot be written is a slower one, nothing worse. */
  write(key: string, kept: Kept): void {
    try {
      if (ensurePrivateDir(this.#folder)) {
        writePrivate(this.#path(key), JSON.stringify({ ...kept, sum: sumOf(kept) }));
      }
    } catch {
      // The next question is asked again.
    }
  }

  remove(key: string): void {
    rmSync(this.#path(key), { force: true });
  }

  /** Removes what is stale, broken or forgotten, and the oldest beyond so many. */
  sweep(isFresh: (kept: Kept) => boolean, most: number): number {
    const files = this.#files();
    const doomed = new Set(files.filter(({ name }) => !this.#isWorthKeeping(name, isFresh)));
    const rest = files.filter((file) => !doomed.has(file)).sort((one, other) => other.changed - one.changed);
    for (const file of rest.slice(most)) doomed.add(file);
    for (const { name } of doomed) rmSync(join(this.#folder, name), { force: true });
    return doomed.size;
  }

  get size(): number {
    return this.#files().length;
  }

  #isWorthKeeping(name: string, isFresh: (kept: Kept) => boolean): boolean {
    if (name.endsWith(DRAFT)) return false;
    const kept = this.read(name.slice(0, -SUFFIX.length));
    return kept !== undefined && isFresh(kept);
  }

  #files(): { name: string; changed: number }[] {
    try {
      return readdirSync(this.#folder)
        .filter((name) => name.endsWith(SUFFIX) || name.endsWith(DRAFT))
        .map((name) => ({
          name,
          changed: statSync(join(this.#folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
        }));
    } catch {
      return [];
    }
  }

  #path(key: string): string {
    return join(this.#folder, `${key}${SUFFIX}`);
  }
}

function readKept(content: string): Kept | undefined {
  const { wall, steady, text, sum } = JSON.parse(content) as Record<string, unknown>;
  if (typeof wall !== "number" || typeof steady !== "number" || typeof text !== "string") return undefined;
  const kept = { wall, steady, text };
  return sum === sumOf(kept) ? kept : undefined;
}

function sumOf({ wall, steady, text }: Kept): string {
  return createHash("sha256")
    .update(JSON.stringify([wall, steady, text]))
    .digest("hex");
}

const SUFFIX = ".json";
const MOST_BYTES = 256 * 1024;
