import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../event/attempt.ts";
import { canonicalJson, toJsonText } from "../event/json.ts";
import { sha256Text } from "../fs/late-builtins.ts";
import { readRegularText } from "../fs/regular-file.ts";
import { ensurePrivateDir } from "../fs/state-dir.ts";
import { DRAFT, writePrivate } from "../fs/write-atomic.ts";
import { type Clock, SYSTEM_CLOCK } from "./ledger.ts";

/** How long answers are kept, how many, and where. */
export interface ResponseCacheOptions extends Asked {
  readonly ttlSeconds?: number;
  /** More than so many are not kept; the one that was used least lately goes first. */
  readonly max?: number;
  /** Where they outlive the process; in memory alone when left out. */
  readonly directory?: string;
  readonly clock?: Clock;
}

/** Who was asked; another model, or another system prompt, is another question. */
export interface Asked {
  readonly model?: string;
  readonly system?: string;
}

/** Answers to questions that were asked before. What comes out is always a fresh copy. */
export class ResponseCache<Result extends object = Record<string, unknown>> {
  readonly ttlSeconds: number;
  readonly max: number;
  readonly #asked: Asked;
  readonly #clock: Clock;
  readonly #folder: CacheFolder | undefined;
  readonly #kept = new Map<string, Kept>();

  constructor(options: ResponseCacheOptions = {}) {
    this.ttlSeconds = options.ttlSeconds ?? 300;
    this.max = options.max ?? 1000;
    this.#asked = options;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
    this.#folder = options.directory === undefined ? undefined : new CacheFolder(options.directory);
  }

  get size(): number {
    return this.#kept.size;
  }

  /** The answer to this question about this data, while it is fresh. */
  get(prompt: string, data: unknown, asked: Asked = this.#asked): Result | undefined {
    const key = keyOf(prompt, data, asked);
    const kept = this.#kept.get(key) ?? this.#folder?.read(key);
    this.#kept.delete(key);
    if (kept === undefined) return undefined;
    if (!this.#isFresh(kept)) {
      this.#folder?.remove(key);
      return undefined;
    }
    this.#remember(key, kept);
    return JSON.parse(kept.text) as Result;
  }

  /** Keeps an answer; a failure is never kept. */
  put(prompt: string, data: unknown, result: Result, asked: Asked = this.#asked): void {
    if (isFailure(result)) return;
    const key = keyOf(prompt, data, asked);
    const kept = { wall: this.#clock.wall(), steady: this.#clock.steady(), text: toJsonText(result) };
    this.#remember(key, kept);
    this.#folder?.write(key, kept);
    if ((this.#folder?.size ?? 0) > this.max) this.cleanup();
  }

  /** Removes results that are no longer fresh; returns how many. */
  cleanup(): number {
    const stale = [...this.#kept].filter(([, kept]) => !this.#isFresh(kept));
    for (const [key] of stale) this.#kept.delete(key);
    return stale.length + (this.#folder?.sweep((kept) => this.#isFresh(kept), this.max) ?? 0);
  }

  #remember(key: string, kept: Kept): void {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > this.max && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** By both clocks: one that was set back neither revives an answer nor keeps it for ever. */
  #isFresh({ wall, steady }: Kept): boolean {
    const ages = [this.#clock.wall() - wall, this.#clock.steady() - steady];
    return ages.every((age) => age >= 0 && age < this.ttlSeconds * 1000);
  }
}

function keyOf(prompt: string, data: unknown, { model = "", system = "" }: Asked): string {
  return sha256Text(JSON.stringify([FORMAT, model, system, prompt, canonicalJson(data)]));
}

function isFailure(result: object): boolean {
  const { failure, error, success } = result as Record<string, unknown>;
  return (failure ?? undefined) !== undefined || (error ?? undefined) !== undefined || success === false;
}

/** What was kept, and when by both clocks. */
interface Kept {
  readonly wall: number;
  readonly steady: number;
  /** A result as JSON. */
  readonly text: string;
}

/** Cached results as files that only their owner can read; an incomplete file is ignored. */
class CacheFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  read(key: string): Kept | undefined {
    const path = this.#path(key);
    try {
      if (!ensurePrivateDir(this.#folder) || statSync(path).size > MAX_BYTES) return undefined;
      return readKept(readRegularText(path));
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
    return (
      attempt(() =>
        readdirSync(this.#folder)
          .filter((name) => name.endsWith(SUFFIX) || name.endsWith(DRAFT))
          .map((name) => ({
            name,
            changed: statSync(join(this.#folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
          })),
      ) ?? []
    );
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
  return sha256Text(JSON.stringify([wall, steady, text]));
}

/** Grows whenever kept answers would be read differently. */
const FORMAT = 1;

const SUFFIX = ".json";
const MAX_BYTES = 256 * 1024;
