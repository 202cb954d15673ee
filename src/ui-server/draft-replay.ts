import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { layersWithDrafts } from "../decide/layers.ts";
import { journalCalls, latestCalls } from "../replay/journal-calls.ts";
import { policyOfLayers } from "../replay/policy-source.ts";
import { replayCalls } from "../replay/replay-calls.ts";
import type { ReplaySummary } from "./wire-policy.ts";

/** Texts that are not saved, and the project whose recorded calls are judged by them. */
export interface DraftReplay {
  readonly drafts: readonly { readonly path: string; readonly text: string }[];
  readonly root: string;
  readonly home: string;
  /** The folder of the journal. */
  readonly journal: string;
  /** Milliseconds of processor time after which it ends. Other work of the machine does not shorten it. */
  readonly limit: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Judges recorded calls by a draft, the latest calls first, then more days: each summary replaces the one before it. */
export type ReplayDraft = (replay: DraftReplay, env: Environment, signal: AbortSignal) => AsyncIterable<ReplaySummary>;

/** Judges in this process. Between the results it reports how far the days that are being judged have come. */
export const replayDraft: ReplayDraft = async function* (replay, env, signal) {
  const began = process.cpuUsage();
  const over = new AbortController();
  const ended = AbortSignal.any([signal, over.signal]);
  let latest = NO_SUMMARY;
  for (const days of STRETCHES) {
    const from = Date.now() - (days || 1) * DAY_MS;
    let part = 0;
    const judging = summaryOf(days, replay, env, ended, (time) => {
      part = Math.min(1, Math.max(0, (Date.parse(time) - from) / (Date.now() - from)));
      const { user, system } = process.cpuUsage(began);
      if ((user + system) / 1000 > replay.limit) over.abort();
    });
    for (;;) {
      const pause = new AbortController();
      const summary = await Promise.race([judging, setTimeout(PROGRESS_MS, undefined, pause)]).finally(() =>
        pause.abort(),
      );
      if (signal.aborted) return;
      if (summary !== undefined && !over.signal.aborted) latest = summary;
      if (summary !== undefined) break;
      yield { ...latest, state: "more", next: { days: days || 1, part } };
    }
    if (over.signal.aborted) return yield { ...latest, state: "cut" };
    yield latest;
  }
};

async function summaryOf(
  days: number,
  { drafts, root, home, journal }: DraftReplay,
  env: Environment,
  signal: AbortSignal,
  onCall: (time: string) => void,
): Promise<ReplaySummary> {
  const where = { env, ...(home !== "" && { home }) };
  const since = new Date(Date.now() - days * DAY_MS).toISOString();
  const isHere = (call: { readonly root?: string; readonly cwd?: string }) => (call.root ?? call.cwd) === root;
  const texts = new Map(drafts.map(({ path, text }) => [path, text]));
  const report = await replayCalls({
    calls: days === 0 ? latestCalls(journal, isHere, MAX_LATEST) : journalCalls(journal, { since, isHere }),
    before: policyOfLayers("saved", layersWithDrafts(root, new Map(), where), env),
    after: policyOfLayers("not saved", layersWithDrafts(root, texts, where), env),
    env,
    since: days === 0 ? "" : since,
    signal,
    onCall: ({ time }) => onCall(time),
  });
  return {
    state: days === STRETCHES.at(-1) ? "done" : "more",
    days,
    total: report.total,
    judged: report.judged,
    cannotTell: report.cannot_tell,
    changes: report.changes
      .filter(({ cause }) => cause === "change")
      .slice(0, MAX_CHANGES)
      .map(({ from, to, count, sessions, shape, said, last }) => ({
        from,
        to,
        count,
        sessions,
        shape,
        said,
        last: Date.parse(last),
      })),
  };
}

/** Judges in a process of its own, which this command line starts and which ends with the request: the pages answer meanwhile, and agents come first. */
export function replayInProcess([program, ...args]: readonly [string, ...string[]]): ReplayDraft {
  return async function* (replay, env, signal) {
    const child = spawn(program, args, { env, stdio: ["pipe", "pipe", "ignore"], signal });
    const failed = new Promise<never>((_, reject) => child.once("error", reject));
    failed.catch(() => {});
    try {
      child.stdin.on("error", () => {});
      child.stdin.end(JSON.stringify(replay));
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      for (;;) {
        const { done, value } = await Promise.race([lines.next(), failed]);
        if (done) return;
        yield JSON.parse(value) as ReplaySummary;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      child.kill("SIGKILL");
    }
  };
}

/** Days that are judged, one stretch after the other: first only the latest calls, known at once; the last is the whole answer. */
const STRETCHES = [0, 1, 7, 30] as const;
const MAX_LATEST = 200;
const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_CHANGES = 100;
const PROGRESS_MS = 300;

/** A summary of nothing. */
export const NO_SUMMARY: ReplaySummary = { state: "more", days: 0, total: 0, judged: 0, cannotTell: {}, changes: [] };
