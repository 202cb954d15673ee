import { sha256Text } from "../fs/late-builtins.ts";
import { type Durations, noDurations, took } from "../trace/call-sums.ts";
import { answeredAction, isCanary, isOfGate } from "../trace/outcome.ts";
import type { ResultRecord } from "../trace/record.ts";
import { recordedText } from "../trace/recorded-event.ts";
import { mayPass, shapeOf } from "./call-shape.ts";
import type { SourceRecord } from "./call-source.ts";
import type { ReviewGroup } from "./wire.ts";

/** Names in the journal come from outside: a table of them has nothing but what was put there. */
type Table<T> = Record<string, T>;

/** What is added up about calls of one kind: an agent's, a project's, a shape's. */
export interface CallTally {
  calls: number;
  denied: number;
  asked: number;
  modified: number;
  /** Bytes that were kept for `sluice undo`. */
  kept: number;
  /** Milliseconds of all decisions together. */
  ms: number;
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
  /** When it last returned something, in milliseconds. */
  lastFired: number;
  ms: number;
  readonly took: Durations;
  /** Hooks that objected to the same calls, and to how many of them. */
  readonly together: Table<number>;
  /** Hooks that denied calls about which this one only asked, and how many of them. */
  readonly overruled: Table<number>;
  /** What it returned, by the rule of a guard or by the reason, how often, and when last. */
  readonly said: Table<{ count: number; last: number }>;
  /** The latest failure. */
  failure?: { readonly why: string; readonly at: number };
}

/** Objections that are alike: the same hook and rule, about calls of one shape. */
export interface GroupTally {
  readonly hook: string;
  readonly rule?: string;
  readonly shape: string;
  action: string;
  count: number;
  first: number;
  last: number;
  readonly sessions: Table<1>;
  readonly agents: Table<1>;
  readonly projects: Table<1>;
  example: ReviewGroup["example"];
  may: ReviewGroup["may"];
}

/** What the calls of one day, or of several, came to. */
export interface DayTally {
  readonly all: CallTally;
  readonly agents: Table<CallTally>;
  readonly projects: Table<CallTally>;
  /** Shapes of calls that were stopped. */
  readonly shapes: Table<CallTally>;
  readonly hooks: Table<HookTally>;
  readonly groups: Table<GroupTally>;
  /** Tools and machines that calls can be chosen by, and how many records name them. */
  readonly tools: Table<number>;
  readonly machines: Table<number>;
}

/** Adds a record to the day on which it was made. */
export function addRecord(days: Map<string, DayTally>, record: SourceRecord): void {
  if (record.kind !== "decision" || isCanary(record.results)) return;
  const day = localDay(new Date(record.time));
  const tally = days.get(day) ?? noDay();
  days.set(day, tally);
  for (const [table, name] of [
    [tally.tools, record.tool],
    [tally.machines, record.machine],
  ] as const)
    if (name !== undefined) mergeCounts(table, { [name]: 1 });
  const told = answeredAction(record);
  const isObjection = told === "deny" || told === "ask";
  const shape = isObjection ? shapeOf(record) : "";
  if (!record.background) {
    const places = [
      tally.all,
      at(tally.agents, record.agent ?? "", noCalls),
      at(tally.projects, record.root ?? record.cwd ?? "", noCalls),
      ...(isObjection ? [at(tally.shapes, shape, noCalls)] : []),
    ];
    for (const place of places) {
      place.calls++;
      if (told === "deny") place.denied++;
      if (told === "ask") place.asked++;
      if (told === "modify") place.modified++;
      place.kept += record.kept?.bytes ?? 0;
      addTime(place, record.duration_ms);
    }
  }
  for (const result of record.results) {
    addResult(tally, result, record);
    if (isObjection && result.action === record.action) addObjection(tally, result, shape, record);
  }
  for (const [hook, ms] of Object.entries(record.quiet ?? {})) {
    const known = at(tally.hooks, hook, noRuns);
    known.ran++;
    addTime(known, ms);
  }
}

function addTime(place: { ms: number; readonly took: Durations }, ms: number): void {
  if (typeof ms !== "number" || !Number.isFinite(ms)) return;
  place.ms += ms;
  // As many digits as are shown: a year of calls then has a few hundred different times.
  took(place.took, Number(ms.toPrecision(ms < 10 ? 2 : 3)));
}

function addResult(tally: DayTally, result: ResultRecord, record: SourceRecord): void {
  const known = at(tally.hooks, result.hook, noRuns);
  known.ran++;
  addTime(known, result.duration_ms);
  const { action, monitor, failure } = result;
  const when = Date.parse(record.time);
  if (action === "deny") known.denied++;
  if (action === "ask") known.asked++;
  if (action === "modify") known.modified++;
  if (monitor === "deny" || monitor === "ask") known.would++;
  if (failure !== undefined) {
    known.broke++;
    if (when >= (known.failure?.at ?? 0)) known.failure = { why: failure, at: when };
    if (action === "continue" && !result.async && isOfGate(record)) known.letPass++;
  }
  const isFired = action !== "continue" || (monitor !== undefined && monitor !== "continue");
  if (isFired) {
    const text = (result.rule ?? result.reason ?? "").slice(0, MAX_TEXT);
    const isFull = !(text in known.said) && Object.keys(known.said).length >= MAX_SAID;
    const said = at(known.said, isFull ? OTHERS : text, () => ({ count: 0, last: 0 }));
    said.count++;
    said.last = Math.max(said.last, when);
    known.lastFired = Math.max(known.lastFired, when);
  }
  if (action !== "deny" && action !== "ask") return;
  for (const other of record.results) {
    if (other.hook === result.hook || (other.action !== "deny" && other.action !== "ask")) continue;
    known.together[other.hook] = (known.together[other.hook] ?? 0) + 1;
    if (action === "ask" && other.action === "deny")
      known.overruled[other.hook] = (known.overruled[other.hook] ?? 0) + 1;
  }
}

function addObjection(tally: DayTally, { hook, rule }: ResultRecord, shape: string, record: SourceRecord): void {
  const key = sha256Text(JSON.stringify([hook, rule, shape])).slice(0, 16);
  const when = Date.parse(record.time);
  const known = at(
    tally.groups,
    key,
    (): GroupTally => ({
      hook,
      ...(rule !== undefined && { rule }),
      shape,
      action: "",
      count: 0,
      first: when,
      last: 0,
      sessions: table(),
      agents: table(),
      projects: table(),
      example: { id: "", at: 0, text: "", reasons: [] },
      may: { once: false, always: false },
    }),
  );
  known.count++;
  known.first = Math.min(known.first, when);
  known.sessions[record.session_id ?? ""] = 1;
  if (record.agent !== undefined) known.agents[record.agent] = 1;
  if (record.root !== undefined) known.projects[record.root] = 1;
  if (when < known.last) return;
  known.last = when;
  known.action = answeredAction(record);
  known.may = mayPass(record);
  const reasons = record.reasons.map((reason) => reason.slice(0, MAX_TEXT));
  known.example = { id: record.id, at: when, text: recordedText(record).slice(0, MAX_TEXT), reasons };
}

/** Adds the calls of one tally to another. */
export function mergeDay(to: DayTally, from: DayTally): void {
  mergeCalls(to.all, from.all);
  for (const name of ["agents", "projects", "shapes"] as const)
    for (const [key, tally] of Object.entries(from[name])) mergeCalls(at(to[name], key, noCalls), tally);
  for (const [key, tally] of Object.entries(from.hooks)) mergeHook(at(to.hooks, key, noRuns), tally);
  for (const [key, tally] of Object.entries(from.groups)) {
    const known = to.groups[key];
    to.groups[key] = known === undefined ? { ...tally } : mergedGroup(known, tally);
  }
  mergeCounts(to.tools, from.tools);
  mergeCounts(to.machines, from.machines);
}

/** Adds calls to a tally of others. */
export function mergeCalls(to: CallTally, from: CallTally): void {
  for (const name of CALL_COUNTS) to[name] += from[name];
  mergeCounts(to.took, from.took);
}

function mergeHook(to: HookTally, from: HookTally): void {
  for (const name of HOOK_COUNTS) to[name] += from[name];
  for (const name of ["took", "together", "overruled"] as const) mergeCounts(to[name], from[name]);
  to.lastFired = Math.max(to.lastFired, from.lastFired);
  if (from.failure !== undefined && from.failure.at >= (to.failure?.at ?? 0)) to.failure = from.failure;
  for (const [text, { count, last }] of Object.entries(from.said)) {
    const said = at(to.said, text, () => ({ count: 0, last: 0 }));
    said.count += count;
    said.last = Math.max(said.last, last);
  }
}

function mergedGroup(one: GroupTally, other: GroupTally): GroupTally {
  const [early, late] = one.last <= other.last ? [one, other] : [other, one];
  return {
    ...late,
    count: one.count + other.count,
    first: Math.min(one.first, other.first),
    sessions: { ...early.sessions, ...late.sessions },
    agents: { ...early.agents, ...late.agents },
    projects: { ...early.projects, ...late.projects },
  };
}

function mergeCounts(to: Table<number>, from: Table<number>): void {
  for (const [key, count] of Object.entries(from)) to[key] = (to[key] ?? 0) + count;
}

const CALL_COUNTS = ["calls", "denied", "asked", "modified", "kept", "ms"] as const;
const HOOK_COUNTS = ["ran", "denied", "asked", "modified", "would", "broke", "letPass", "ms"] as const;

function at<T>(known: Table<T>, name: string, make: () => T): T {
  // A table that was read from a file has a prototype, which no name may replace.
  const key = name === "__proto__" ? "__proto__ " : name;
  const found = Object.hasOwn(known, key) ? known[key] : undefined;
  if (found !== undefined) return found;
  const fresh = make();
  known[key] = fresh;
  return fresh;
}

function table<T>(): Table<T> {
  return Object.create(null) as Table<T>;
}

/** A tally of nothing. */
export function noDay(): DayTally {
  const ofCalls = {
    all: noCalls(),
    agents: table<CallTally>(),
    projects: table<CallTally>(),
    shapes: table<CallTally>(),
  };
  return { ...ofCalls, hooks: table(), groups: table(), tools: table(), machines: table() };
}

/** A tally of no call. */
export function noCalls(): CallTally {
  return { calls: 0, denied: 0, asked: 0, modified: 0, kept: 0, ms: 0, took: noDurations() };
}

function noRuns(): HookTally {
  return {
    ...{ ran: 0, denied: 0, asked: 0, modified: 0, would: 0, broke: 0, letPass: 0, lastFired: 0, ms: 0 },
    took: noDurations(),
    together: table(),
    overruled: table(),
    said: table(),
  };
}

/** The day of a moment in the time zone of this machine. */
function localDay(date: Date): string {
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
}

/** The last days up to today, the oldest first. */
export function lastDays(count: number, now = new Date()): string[] {
  const day = (back: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - back, 12);
  return Array.from({ length: count }, (_, index) => localDay(day(count - 1 - index)));
}

const MAX_TEXT = 500;
const MAX_SAID = 200;
const OTHERS = "\0others";
