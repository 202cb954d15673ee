import { setImmediate } from "node:timers/promises";
import { type Durations, noDurations, took } from "../trace/call-sums.ts";
import { isCanary, isOfGate, toldAction } from "../trace/outcome.ts";
import type { DecisionRecord, ResultRecord } from "../trace/record.ts";
import type { CallSource } from "./call-source.ts";
import { shapeOf } from "./review-routes.ts";

/** What is added up about calls of one kind: a day's, an agent's, a project's, a shape's. */
export interface CallTally {
  calls: number;
  denied: number;
  asked: number;
  modified: number;
  /** Bytes that were kept for `sluice undo`. */
  kept: number;
  readonly took: Durations;
}

/** What is added up about one hook. */
export interface HookTally {
  ran: number;
  denied: number;
  asked: number;
  modified: number;
  /** What it would have stopped in monitor mode. */
  would: number;
  broke: number;
  /** Runs that broke at a gate and let the call pass. */
  letPass: number;
  /** When it last said something, in milliseconds. */
  lastFired: number;
  readonly took: Durations;
  /** Hooks that objected to the same calls, and to how many of them. */
  readonly together: Map<string, number>;
  /** Hooks that denied calls about which this one only asked, and how many of them. */
  readonly overruled: Map<string, number>;
  /** What it said, by the rule of a guard or by the reason, how often, and when last. */
  readonly said: Map<string, { count: number; last: number }>;
}

/** What a stretch of the journal came to. */
export interface JournalTally {
  readonly all: CallTally;
  readonly days: Map<string, CallTally>;
  readonly agents: Map<string, CallTally>;
  readonly projects: Map<string, CallTally>;
  readonly hooks: Map<string, HookTally>;
  /** Shapes of calls that were stopped. */
  readonly shapes: Map<string, CallTally>;
}

/** Adds the last days up. Pages that ask at the same time, or shortly after, share one reading. */
export function tallyCalls(source: CallSource, days: number): Promise<JournalTally> {
  const key = `${days} ${source.name}`;
  if (shared?.key === key && Date.now() - shared.at < FRESH_MS) return shared.tally;
  const fresh = { key, at: Date.now(), tally: readTally(source, days) };
  shared = fresh;
  const forget = () => {
    if (shared === fresh) shared = undefined;
  };
  const forgetSoon = () => setTimeout(forget, FRESH_MS).unref();
  fresh.tally.then(forgetSoon, forgetSoon);
  return fresh.tally;
}

let shared: { readonly key: string; readonly at: number; readonly tally: Promise<JournalTally> } | undefined;

async function readTally(source: CallSource, days: number): Promise<JournalTally> {
  const oldest = new Date(Date.now() - days * DAY_MS).toISOString();
  const tally: JournalTally = {
    all: noCalls(),
    days: new Map(),
    agents: new Map(),
    projects: new Map(),
    hooks: new Map(),
    shapes: new Map(),
  };
  let looked = 0;
  for await (const record of source.records(oldest)) {
    if (record.time < oldest) break;
    if (++looked % PIECE === 0) await setImmediate();
    if (record.kind === "decision" && !isCanary(record.results)) add(tally, record);
  }
  return tally;
}

function add(tally: JournalTally, record: DecisionRecord): void {
  if (!record.background) {
    const told = toldAction(record);
    const places = [
      tally.all,
      at(tally.days, localDay(new Date(record.time)), noCalls),
      at(tally.agents, record.agent ?? "", noCalls),
      at(tally.projects, record.root ?? record.cwd ?? "", noCalls),
      ...(told === "deny" || told === "ask" ? [at(tally.shapes, shapeOf(record), noCalls)] : []),
    ];
    for (const place of places) {
      place.calls++;
      if (told === "deny") place.denied++;
      if (told === "ask") place.asked++;
      if (told === "modify") place.modified++;
      place.kept += record.kept?.bytes ?? 0;
      took(place.took, record.duration_ms);
    }
  }
  for (const result of record.results) addResult(tally, result, record);
  for (const [hook, ms] of Object.entries(record.quiet ?? {})) {
    const known = at(tally.hooks, hook, noRuns);
    known.ran++;
    took(known.took, ms);
  }
}

function addResult(tally: JournalTally, result: ResultRecord, record: DecisionRecord): void {
  const known = at(tally.hooks, result.hook, noRuns);
  known.ran++;
  took(known.took, result.duration_ms);
  const { action, monitor, failure } = result;
  if (action === "deny") known.denied++;
  if (action === "ask") known.asked++;
  if (action === "modify") known.modified++;
  if (monitor === "deny" || monitor === "ask") known.would++;
  if (failure !== undefined) known.broke++;
  if (failure !== undefined && action === "continue" && !result.async && isOfGate(record)) known.letPass++;
  const isFired = action !== "continue" || (monitor !== undefined && monitor !== "continue");
  if (isFired) {
    const when = Date.parse(record.time);
    const said = at(known.said, result.rule ?? result.reason ?? "", () => ({ count: 0, last: 0 }));
    said.count++;
    said.last = Math.max(said.last, when);
    known.lastFired = Math.max(known.lastFired, when);
  }
  if (action !== "deny" && action !== "ask") return;
  for (const other of record.results) {
    if (other.hook === result.hook || (other.action !== "deny" && other.action !== "ask")) continue;
    known.together.set(other.hook, (known.together.get(other.hook) ?? 0) + 1);
    if (action === "ask" && other.action === "deny")
      known.overruled.set(other.hook, (known.overruled.get(other.hook) ?? 0) + 1);
  }
}

function at<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}

/** A tally of nothing. */
export function noCalls(): CallTally {
  return { calls: 0, denied: 0, asked: 0, modified: 0, kept: 0, took: noDurations() };
}

function noRuns(): HookTally {
  return {
    ran: 0,
    denied: 0,
    asked: 0,
    modified: 0,
    would: 0,
    broke: 0,
    letPass: 0,
    lastFired: 0,
    took: noDurations(),
    together: new Map(),
    overruled: new Map(),
    said: new Map(),
  };
}

/** The day of a moment where this machine stands. */
export function localDay(date: Date): string {
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
}

const DAY_MS = 24 * 60 * 60 * 1000;
const PIECE = 500;
const FRESH_MS = 3000;
