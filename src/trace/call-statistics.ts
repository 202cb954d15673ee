import { EVENTS } from "../event/catalogue.ts";
import { toldAction, wouldHave } from "./outcome.ts";
import type { DecisionRecord, ResultRecord } from "./record.ts";

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
  /** Runs in monitor mode that would have denied, and those that would have asked. */
  readonly wouldDeny: number;
  readonly wouldAsk: number;
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
  /** Calls that were denied, and those that the user was to decide: as the agent was told. */
  readonly denied: number;
  readonly asked: number;
  /** Calls that hooks in monitor mode would have denied, and those they would have asked about. */
  readonly would_deny: number;
  readonly would_ask: number;
  /** Slowest first. */
  readonly hooks: readonly HookStatistics[];
}

/** Adds up what the journal knows, project by project; the busiest comes first. */
export function callStatistics(records: Iterable<DecisionRecord>): ProjectStatistics[] {
  const projects = new Map<string, ProjectTally>();
  for (const record of records) {
    const root = record.root ?? record.cwd ?? "";
    const project: ProjectTally = projects.get(root) ?? emptyProject();
    projects.set(root, project);
    if (!record.background) project.took.push(record.duration_ms);
    if (record.resident) project.resident++;
    const told = toldAction(record);
    if (told === "deny") project.denied++;
    if (told === "ask") project.asked++;
    const would = wouldHave(record);
    if (would === "deny") project.would_deny++;
    if (would === "ask") project.would_ask++;
    for (const result of record.results) count(tallyOf(result.hook, project), result, isGate(record));
    for (const [hook, ms] of Object.entries(record.quiet ?? {})) tallyOf(hook, project).took.push(ms);
  }
  return [...projects]
    .map(([root, { took, hooks, ...counts }]) => ({
      root,
      ...times(took),
      ...counts,
      hooks: [...hooks]
        .map(([hook, { took: ran, ...tally }]) => ({ hook, ...times(ran), ...tally }))
        .sort((one, other) => other.p95 - one.p95),
    }))
    .sort((one, other) => other.calls - one.calls);
}

interface ProjectTally {
  readonly took: number[];
  resident: number;
  denied: number;
  asked: number;
  would_deny: number;
  would_ask: number;
  readonly hooks: Map<string, Tally>;
}

function emptyProject(): ProjectTally {
  return { took: [], resident: 0, denied: 0, asked: 0, would_deny: 0, would_ask: 0, hooks: new Map() };
}

interface Tally {
  readonly took: number[];
  denials: number;
  asks: number;
  wouldDeny: number;
  wouldAsk: number;
  failures: number;
  failOpens: number;
}

function tallyOf(hook: string, { hooks }: ProjectTally): Tally {
  const tally = hooks.get(hook) ?? emptyTally();
  hooks.set(hook, tally);
  return tally;
}

function emptyTally(): Tally {
  return { took: [], denials: 0, asks: 0, wouldDeny: 0, wouldAsk: 0, failures: 0, failOpens: 0 };
}

function count(tally: Tally, { duration_ms, action, monitor, failure, async }: ResultRecord, isGate: boolean): void {
  tally.took.push(duration_ms);
  if (failure !== undefined) tally.failures++;
  // An `async` hook neither stops a call nor lets one pass.
  if (async) return;
  if (action === "deny") tally.denials++;
  if (action === "ask") tally.asks++;
  if (monitor === "deny") tally.wouldDeny++;
  if (monitor === "ask") tally.wouldAsk++;
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
