import { setImmediate, setTimeout } from "node:timers/promises";
import { releaseLockFile, takeLockFile } from "../fs/lock.ts";
import type { StateHome } from "../fs/state-dir.ts";
import { problems } from "../problem/problem.ts";
import { StoreUnavailable } from "../stores/store.ts";
import { type Redactor, redactor, secretsIn } from "../trace/redact.ts";
import { type BatchLimits, readBatch, type ShippedPositions } from "./journal-reader.ts";
import {
  type ProgressFile,
  progressFile,
  readProgress,
  type ShipProgress,
  withoutCredentials,
  writeProgress,
} from "./ship-progress.ts";
import { type MachineReport, type ShippedRecord, type Sink, type SinkReceipt, shippedRecord } from "./sink.ts";

/** What is shipped, and where to. */
export interface ShipOptions extends StateHome {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of the journal. */
  readonly journal: string;
  readonly target: string;
  readonly machine: string;
  /** Opens the target; what it kept between two runs is given back to it. */
  readonly open: (memory: unknown) => Promise<OpenSink>;
  /** Ends when everything is shipped, or when the target cannot be reached. */
  readonly once: boolean;
  readonly withArguments: boolean;
  readonly signal: AbortSignal;
  readonly report?: (() => MachineReport) | undefined;
  /** Told about every batch and every failure. */
  readonly onProgress?: (progress: ShipProgress) => void;
  readonly limits?: BatchLimits;
  /** Milliseconds before the first retry. */
  readonly retryMs?: number;
}

/** A sink with what it wants to keep until the next batch. */
export interface OpenSink extends Sink {
  memory?(): unknown;
}

/**
 * Ships the journal to a target: batch by batch, each acknowledged before the progress moves, so that every record arrives at
 * least once. Nothing here is on the path of a decision; a target that is away costs nothing but the disk of the journal.
 */
export async function shipJournal(options: ShipOptions): Promise<ShipProgress> {
  const file = progressFile(options.target, options);
  if (!takeLockFile(file.lock, Number.POSITIVE_INFINITY))
    throw PROBLEMS.busy({ target: withoutCredentials(options.target) });
  try {
    return await shipLocked(options, file);
  } finally {
    releaseLockFile(file.lock);
  }
}

async function shipLocked(options: ShipOptions, file: ProgressFile): Promise<ShipProgress> {
  const { env, once, signal, onProgress = () => {} } = options;
  const redact = redactor(secretsIn(env));
  let progress = readProgress(file, options.target);
  let sink: OpenSink | undefined;
  let ahead: ReadyBatch | undefined;
  let [failures, reported] = [0, 0];
  const keep = (next: ShipProgress) => {
    progress = next;
    writeProgress(file, progress);
    onProgress(progress);
  };
  try {
    while (!signal.aborted) {
      const { batch, positions, broken } = ahead ?? (await nextBatch(progress.positions, redact, options));
      ahead = undefined;
      try {
        sink ??= await options.open(progress.memory);
        const receipt = batch.length === 0 ? Promise.resolve(NONE) : sink.send(batch);
        // The next batch is made ready while the target stores this one.
        const [{ acknowledged, dropped }, next] = await Promise.all([
          receipt,
          batch.length === 0 ? undefined : nextBatch(positions, redact, options),
        ]);
        if (options.report !== undefined && sink.report !== undefined && Date.now() - reported > REPORT_MS) {
          await sink.report(options.report());
          reported = Date.now();
        }
        failures = 0;
        // At the end of the journal it is looked at once more: something may have been written meanwhile.
        if (next !== undefined && next.batch.length > 0) ahead = next;
        if (batch.length > 0 || broken > 0)
          keep({
            ...progress,
            positions,
            shipped: progress.shipped + acknowledged.length,
            dropped: progress.dropped + dropped.length,
            ...(broken > 0 && { unread: (progress.unread ?? 0) + broken }),
            at: new Date().toISOString(),
            problem: dropped[0] && `${dropped.length} of the last records were refused: ${dropped[0].why}`,
            memory: sink.memory?.(),
          });
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        keep({ ...progress, problem: error.message });
        await sink?.close().catch(() => {});
        sink = undefined;
        if (once && ++failures > MAX_FAILURES_ONCE) break;
        await pause(error.afterMs ?? backoff(failures, options.retryMs ?? RETRY_MS), signal);
        failures += once ? 0 : 1;
        continue;
      }
      if (batch.length > 0) continue;
      if (once) break;
      await pause(POLL_MS, signal);
    }
  } finally {
    await sink?.close().catch(() => {});
  }
  return progress;
}

interface ReadyBatch {
  readonly batch: readonly ShippedRecord[];
  /** How far the journal is shipped when all of it has arrived. */
  readonly positions: ShippedPositions;
  readonly broken: number;
}

/** Reads the next records and makes them ready to leave, in small steps between which the target is attended to. */
async function nextBatch(from: ShippedPositions, redact: Redactor, options: ShipOptions): Promise<ReadyBatch> {
  const { journal, machine, withArguments, limits = LIMITS } = options;
  const { records, positions, broken } = readBatch(journal, from, limits);
  const batch: ShippedRecord[] = [];
  for (const [index, record] of records.entries()) {
    if (index % STEP === 0) await setImmediate();
    batch.push(shippedRecord(record, machine, { redact, withArguments }));
  }
  return { batch, positions, broken };
}

/** Twice as long each time, up to a minute, and never at the same moment as other machines. */
function backoff(failures: number, first: number): number {
  return Math.min(first * 2 ** failures, LONGEST_RETRY_MS) * (0.5 + Math.random() / 2);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(Math.min(ms, LONGEST_RETRY_MS), undefined, { signal }).catch(() => {});
}

const NONE: SinkReceipt = { acknowledged: [], dropped: [] };
const LIMITS: BatchLimits = { records: 1000, bytes: 2 * 1024 * 1024 };
const STEP = 100;
const POLL_MS = 500;
const RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;
const REPORT_MS = 60_000;
const MAX_FAILURES_ONCE = 2;

const PROBLEMS = problems("ship", {
  busy: ({ target }: { target: string }) => ({
    what: `Another process ships to ${target} already.`,
    fix: "Let it do so, or end it first.",
  }),
});
