import { canaryReason } from "../decide/canary.ts";
import { EVENTS } from "../event/catalogue.ts";
import type { DecisionRecord, ResultRecord } from "../trace/record.ts";

/** How long something took, over many times; in milliseconds. */
export interface Times {
  readonly calls: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** What is known about one hook in one project. */
export interface HookStatistics extends Times {
  readonly hook: string;
  readonly denials: number;
  /** Runs after which the user was to decide. */
  readonly asks: number;
  /** Runs that broke, whatever that came to mean. */
  readonly failures: number;
  /** Runs that broke at a gate and let the call pass. */
  readonly failOpens: number;
}

/** What is known about the calls in one project. */
export interface ProjectStatistics extends Times {
  readonly root: string;
  /** Calls that the daemon decided. */
  readonly resident: number;
  /** Slowest first. */
  readonly hooks: readonly HookStatistics[];
}

/** Adds up what the journal knows, project by project; the busiest comes first. */
export function callStatistics(records: Iterable<DecisionRecord>): ProjectStatistics[] {
  const projects = new Map<string, ProjectTally>();
  for (const record of records) {
    if (record.results.some(isCanary)) continue;
    const root = record.root ?? record.cwd ?? "";
    const project: ProjectTally = projects.get(root) ?? { took: [], resident: 0, hooks: new Map() };
    projects.set(root, project);
    if (!record.background) project.took.push(record.duration_ms);
    if (record.resident) project.resident++;
    for (const result of record.results) count(tallyOf(result.hook, project), result, isGate(record));
    for (const [hook, ms] of Object.entries(record.quiet ?? {})) tallyOf(hook, project).took.push(ms);
  }
  return [...projects]
    .map(([root, { took, resident, hooks }]) => ({
      root,
      ...times(took),
      resident,
      hooks: [...hooks]
        .map(([hook, { took: ran, ...counts }]) => ({ hook, ...times(ran), ...counts }))
        .sort((one, other) => other.p95 - one.p95),
    }))
    .sort((one, other) => other.calls - one.calls);
}

interface ProjectTally {
  readonly took: number[];
  resident: number;
  readonly hooks: Map<string, Tally>;
}

interface Tally {
  readonly took: number[];
  denials: number;
  asks: number;
  failures: number;
  failOpens: number;
}

/** What `sluice doctor` makes up is no call of an agent. */
function isCanary({ reason = "" }: ResultRecord): boolean {
  return reason.startsWith(canaryReason(""));
}

function tallyOf(hook: string, { hooks }: ProjectTally): Tally {
  const tally = hooks.get(hook) ?? { took: [], denials: 0, asks: 0, failures: 0, failOpens: 0 };
  hooks.set(hook, tally);
  return tally;
}

function count(tally: Tally, { duration_ms, action, failure, async }: ResultRecord, isGate: boolean): void {
  tally.took.push(duration_ms);
  if (failure !== undefined) tally.failures++;
  // What nobody waits for neither stops a call nor lets one pass.
  if (async) return;
  if (action === "deny") tally.denials++;
  if (action === "ask") tally.asks++;
  if (failure !== undefined && isGate && action === "continue") tally.failOpens++;
}

function isGate({ event }: DecisionRecord): boolean {
  return Object.hasOwn(EVENTS, event) && EVENTS[event as keyof typeof EVENTS].gate;
}

function times(took: readonly number[]): Times {
  const sorted = took.toSorted((one, other) => one - other);
  const within = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
  return { calls: sorted.length, p50: within(0.5), p95: within(0.95), p99: within(0.99) };
}
