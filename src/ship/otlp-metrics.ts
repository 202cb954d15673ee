import type { DecisionRecord } from "../trace/record.ts";
import { attributesOf, GEN_AI, hasLetPass, METRICS, nanos, SLUICE } from "./otlp-model.ts";

/** What was counted since a target is shipped to: it is sent whole each time, so that a batch sent twice is counted once. */
export interface MetricSums {
  /** When counting began, in milliseconds. */
  readonly since: number;
  readonly decisions: Readonly<Record<string, number>>;
  readonly failures: Readonly<Record<string, number>>;
  readonly durations: Readonly<Record<string, HookDurations>>;
}

interface HookDurations {
  readonly count: number;
  readonly sum: number;
  readonly buckets: readonly number[];
}

/** Sums that were kept, or new ones. */
export function readSums(memory: unknown, now: number): MetricSums {
  const { since, decisions, failures, durations } = Object(memory) as Partial<MetricSums>;
  return typeof since === "number" && decisions && failures && durations
    ? { since, decisions, failures, durations }
    : { since: now, decisions: {}, failures: {}, durations: {} };
}

/** The sums with some more records in them. */
export function withRecords(sums: MetricSums, records: readonly DecisionRecord[]): MetricSums {
  const decisions: Record<string, number> = { ...sums.decisions };
  const failures: Record<string, number> = { ...sums.failures };
  const durations: Record<string, { count: number; sum: number; buckets: number[] }> = {};
  for (const [hook, known] of Object.entries(sums.durations))
    durations[hook] = { ...known, buckets: [...known.buckets] };
  for (const record of records) {
    if (!record.background) count(decisions, keyOf(record.agent ?? "", record.event, record.action));
    const isPassed = String(hasLetPass(record));
    for (const { hook, failure, duration_ms: ms } of record.results) {
      if (failure !== undefined) count(failures, keyOf(hook, failure, isPassed));
      const name = hook in durations || Object.keys(durations).length < MAX_HOOKS ? hook : OTHER;
      durations[name] ??= { count: 0, sum: 0, buckets: Array.from({ length: BOUNDS.length + 1 }, () => 0) };
      const known = durations[name];
      const at = BOUNDS.findIndex((bound) => ms <= bound);
      const bucket = at === -1 ? BOUNDS.length : at;
      known.buckets[bucket] = (known.buckets[bucket] ?? 0) + 1;
      known.count++;
      known.sum += ms;
    }
  }
  return { since: sums.since, decisions, failures, durations };
}

/** The sums as OTLP metrics. */
export function metricsOf(sums: MetricSums, now: number): object[] {
  const during = { startTimeUnixNano: nanos(sums.since), timeUnixNano: nanos(Math.max(now, sums.since)) };
  const counter = (counts: Readonly<Record<string, number>>, names: readonly string[]) => ({
    aggregationTemporality: CUMULATIVE,
    isMonotonic: true,
    dataPoints: Object.entries(counts).map(([key, asInt]) => ({
      ...during,
      asInt: String(asInt),
      attributes: attributesOf(
        Object.fromEntries(key.split(SEPARATOR).map((part, index) => [names[index] ?? "", part])),
      ),
    })),
  });
  const histogram = {
    aggregationTemporality: CUMULATIVE,
    dataPoints: Object.entries(sums.durations).map(([hook, { count: total, sum, buckets }]) => ({
      ...during,
      count: String(total),
      sum,
      bucketCounts: buckets.map(String),
      explicitBounds: BOUNDS,
      attributes: attributesOf({ [SLUICE.hook]: hook }),
    })),
  };
  return [
    { ...METRICS.decisions, sum: counter(sums.decisions, [GEN_AI.agent, SLUICE.event, SLUICE.action]) },
    { ...METRICS.failures, sum: counter(sums.failures, [SLUICE.hook, SLUICE.failure, LET_PASS]) },
    { ...METRICS.hookDuration, histogram },
  ].filter((metric) => ("sum" in metric ? metric.sum : metric.histogram).dataPoints.length > 0);
}

function keyOf(...parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll(SEPARATOR, " ")).join(SEPARATOR);
}

/** What has too many names is counted under one. */
function count(counts: Record<string, number>, key: string): void {
  const name = key in counts || Object.keys(counts).length < MAX_SERIES ? key : OTHER;
  counts[name] = (counts[name] ?? 0) + 1;
}

const SEPARATOR = "\n";
const LET_PASS = "let_pass";
const OTHER = "other";
const MAX_SERIES = 1000;
const MAX_HOOKS = 200;
const CUMULATIVE = 2;
/** Milliseconds. */
const BOUNDS: readonly number[] = [
  0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000,
];
