import type { Durations, HookSums, ProjectSums } from "./call-sums.ts";

/** How long something took, over many times; in milliseconds. */
export interface Times {
  readonly calls: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** What is known about one hook in one project. */
export interface HookStatistics extends Times, Omit<HookSums, "took"> {
  readonly hook: string;
}

/** What is known about the calls in one project. */
export interface ProjectStatistics extends Times, Omit<ProjectSums, "took" | "hooks" | "root" | "cwd"> {
  readonly root: string;
  /** Slowest first. */
  readonly hooks: readonly HookStatistics[];
}

/** Puts sums into figures, project by project; the busiest comes first. */
export function figuresOf(projects: readonly ProjectSums[]): ProjectStatistics[] {
  return projects
    .map(({ root, cwd = "", took, hooks, ...counts }) => ({
      root: root ?? cwd,
      ...times(took),
      ...counts,
      hooks: Object.entries(hooks)
        .map(([hook, { took: ran, ...tally }]) => ({ hook, ...times(ran), ...tally }))
        .sort((one, other) => other.p95 - one.p95),
    }))
    .filter(({ calls, hooks }) => calls > 0 || hooks.length > 0)
    .sort((one, other) => other.calls - one.calls);
}

/** The percentiles of many times. */
export function times(took: Durations): Times {
  const sorted = Object.entries(took)
    .map(([ms, count]) => ({ ms: Number(ms), count }))
    .sort((one, other) => one.ms - other.ms);
  const calls = sorted.reduce((sum, { count }) => sum + count, 0);
  const within = (share: number) => {
    let left = Math.ceil(calls * share);
    for (const { ms, count } of sorted) {
      left -= count;
      if (left <= 0) return ms;
    }
    return 0;
  };
  return { calls, p50: within(0.5), p95: within(0.95), p99: within(0.99) };
}

/** All times together. */
export function totalMs(took: Durations): number {
  return Object.entries(took).reduce((sum, [ms, count]) => sum + Number(ms) * count, 0);
}
