import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { SharedSettings } from "../config/journal-settings.ts";
import { releaseLockFile, takeLockFile } from "../fs/lock.ts";
import { sha256 } from "../fs/read-once.ts";
import { readRegularText } from "../fs/regular-file.ts";
import { makePrivateDir, type StateHome, stateDir } from "../fs/state-dir.ts";
import { writePrivate } from "../fs/write-atomic.ts";
import { SHARED_BINDINGS } from "../policies/intent/binding.ts";
import { StoreUnavailable } from "../stores/store.ts";
import { addForeignLine, ownLines, type SharedLine } from "./shared-files.ts";

/** A place where machines leave what they have counted. */
export interface SharedStore {
  /** Leaves lines there; those that are there already stay one. */
  put(lines: readonly SharedLine[]): Promise<void>;
  /** What others have left since; the first time everything that is still there. */
  since(
    place: string | undefined,
    machine: string,
  ): Promise<{ lines: readonly SharedLine[]; place: string | undefined }>;
  close(): Promise<void>;
}

/** How far sharing has come, and what prevents it. */
export interface ShareProgress {
  readonly sent: Readonly<Record<string, number>>;
  readonly place?: string | undefined;
  /** The place of the last line that came, for each file of each machine. */
  readonly seen: Readonly<Record<string, number>>;
  readonly given: number;
  readonly taken: number;
  /** When the store was reached last; ISO 8601. */
  readonly at?: string | undefined;
  readonly problem?: string | undefined;
}

/** What is shared, and for how long. */
export interface ShareOptions extends StateHome {
  readonly settings: SharedSettings;
  readonly machine: string;
  readonly open: () => Promise<SharedStore>;
  readonly once: boolean;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: ShareProgress) => void;
  readonly everyMs?: number;
}

/**
 * Exchanges what budgets, rate rules and the memory of denials count with other machines. Lines of others are added to the files
 * of this machine, so that a decision reads files and never waits for the store. While the store is away, what was counted here
 * and what had come until then still applies. Nothing when another process shares already.
 */
export async function shareCounts(options: ShareOptions): Promise<ShareProgress | undefined> {
  const { path, lock } = shareFile(options.settings, options);
  if (!takeLockFile(lock, Number.POSITIVE_INFINITY)) return undefined;
  try {
    // From then on, sessions leave there which intent they select.
    if (options.settings.what.includes("intents")) makePrivateDir(join(stateDir(options), SHARED_BINDINGS));
    return await shareLocked(options, path);
  } finally {
    releaseLockFile(lock);
  }
}

/** How far sharing with a store has come, as it was written down last. */
export function readShareProgress(settings: SharedSettings, where: StateHome): ShareProgress {
  return readProgress(shareFile(settings, where).path);
}

async function shareLocked(options: ShareOptions, path: string): Promise<ShareProgress> {
  const { once, signal, open, onProgress = () => {}, everyMs = EVERY_MS } = options;
  let progress = readProgress(path);
  let store: SharedStore | undefined;
  const keep = (next: ShareProgress) => {
    progress = next;
    writePrivate(path, `${JSON.stringify(next)}\n`);
    onProgress(next);
  };
  try {
    for (;;) {
      let isMore = false;
      try {
        store ??= await open();
        ({ isMore } = await exchange(store, progress, options, keep));
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        keep({ ...progress, problem: error.message });
        await store?.close().catch(() => {});
        store = undefined;
        if (once) break;
      }
      if (once && !isMore) break;
      if (!isMore) await setTimeout(everyMs * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => {});
      if (signal.aborted) break;
    }
  } finally {
    await store?.close().catch(() => {});
  }
  return progress;
}

async function exchange(
  store: SharedStore,
  before: ShareProgress,
  { settings, machine, env, home }: ShareOptions,
  keep: (progress: ShareProgress) => void,
): Promise<{ isMore: boolean }> {
  const state = stateDir({ ...(env && { env }), ...(home !== undefined && { home }) });
  const own = ownLines(state, settings.what, machine, before.sent);
  if (own.lines.length > 0) await store.put(own.lines);
  const { lines, place } = await store.since(before.place, machine);
  const seen: Record<string, number> = { ...before.seen };
  let taken = 0;
  for (const line of lines) {
    const from = `${line.machine} ${line.file} ${line.part}`;
    if (line.machine === machine || line.end <= (seen[from] ?? 0)) continue;
    if (addForeignLine(state, settings.what, line)) taken++;
    delete seen[from];
    seen[from] = line.end;
  }
  keep({
    sent: own.positions,
    place: place ?? before.place,
    seen: Object.fromEntries(Object.entries(seen).slice(-MAX_SEEN)),
    given: before.given + own.lines.length,
    taken: before.taken + taken,
    at: new Date().toISOString(),
  });
  return { isMore: own.lines.length > 0 || lines.length > 0 };
}

function shareFile({ store }: SharedSettings, where: StateHome): { readonly path: string; readonly lock: string } {
  const folder = join(stateDir(where), "ship");
  makePrivateDir(folder);
  const path = join(folder, `shared-${sha256(store).slice(0, 16)}.json`);
  return { path, lock: `${path}.lock` };
}

function readProgress(path: string): ShareProgress {
  try {
    const read = JSON.parse(readRegularText(path)) as ShareProgress;
    if (typeof read.sent === "object" && typeof read.seen === "object" && Number.isInteger(read.given)) return read;
  } catch {}
  return { sent: {}, seen: {}, given: 0, taken: 0 };
}

const EVERY_MS = 5000;
const MAX_SEEN = 5000;
