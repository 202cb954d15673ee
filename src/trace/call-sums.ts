import { answeredAction, isCanary, isOfGate, OUTCOMES, wouldHave } from "./outcome.ts";
import type { DecisionRecord, ResultRecord } from "./record.ts";

/** How often something took so many milliseconds: four digits of each time are kept. */
export type Durations = Record<string, number>;

/** What is added up about one hook in one project. */
export interface HookSums {
  readonly took: Durations;
  denials: number;
  /** Runs after which the user was to decide. */
  asks: number;
  /** Runs in monitor mode that would have denied, and those that would have asked. */
  wouldDeny: number;
  wouldAsk: number;
  /** Runs that broke, whatever that came to mean. */
  failures: number;
  /** Runs that broke at a gate and let the call pass. */
  failOpens: number;
}

/** Sums over the calls in one project; without times if none of the calls was decided. */
export interface ProjectSums {
  /** The project; where none is known, the folder of the call. */
  readonly root?: string;
  readonly cwd?: string;
  readonly took: Durations;
  /** Calls that the daemon decided. */
  resident: number;
  /** Calls that were denied, and those that the user was asked about: as the agent was answered. */
  denied: number;
  asked: number;
  /** Calls that hooks in monitor mode would have denied, and those they would have asked about. */
  would_deny: number;
  would_ask: number;
  readonly hooks: Record<string, HookSums>;
}

/** What is known about a stretch of the journal; calls that `sluice doctor` made up are left out. */
export interface CallSums {
  records: number;
  broken: number;
  /** The times of the first and the last record. */
  first: string;
  last: string;
  /** How many records name an agent, a tool, a hook, a session, and came to an outcome. */
  readonly agents: Record<string, number>;
  readonly tools: Record<string, number>;
  readonly hooks: Record<string, number>;
  readonly sessions: Record<string, number>;
  readonly outcomes: Record<string, number>;
  readonly projects: ProjectSums[];
}

/** Sums of nothing. */
export function noSums(): CallSums {
  return {
    records: 0,
    broken: 0,
    first: "",
    last: "",
    agents: table(),
    tools: table(),
    hooks: table(),
    sessions: table(),
    outcomes: table(),
    projects: [],
  };
}

/** Adds one record to sums. */
export function addRecord(sums: CallSums, record: DecisionRecord, projects: ProjectIndex): void {
  if (isCanary(record.results)) return;
  const { time, agent, tool, session_id: session, results } = record;
  sums.records++;
  if (sums.first === "" || time < sums.first) sums.first = time;
  if (time > sums.last) sums.last = time;
  if (agent !== undefined) one(sums.agents, agent);
  if (tool !== undefined) one(sums.tools, tool);
  if (session !== undefined) one(sums.sessions, session);
  for (const { hook } of results) one(sums.hooks, hook);
  for (const [name, holds] of Object.entries(OUTCOMES)) if (holds(record)) one(sums.outcomes, name);
  const project = projects.of(record, sums);
  if (record.kind === "decision") addCall(project, record);
}

/** Finds the project of a record among sums. */
export class ProjectIndex {
  readonly #known = new Map<string, ProjectSums>();

  of({ root, cwd }: Pick<DecisionRecord, "root" | "cwd">, sums: CallSums): ProjectSums {
    const key = root ?? `\0${cwd ?? ""}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const fresh: ProjectSums = {
      ...(root === undefined ? {} : { root }),
      ...(root === undefined && cwd !== undefined ? { cwd } : {}),
      took: table(),
      resident: 0,
      denied: 0,
      asked: 0,
      would_deny: 0,
      would_ask: 0,
      hooks: table(),
    };
    this.#known.set(key, fresh);
    sums.projects.push(fresh);
    return fresh;
  }
}

function addCall(project: ProjectSums, record: DecisionRecord): void {
  if (!record.background) took(project.took, record.duration_ms);
  if (record.resident) project.resident++;
  const told = answeredAction(record);
  if (told === "deny") project.denied++;
  if (told === "ask") project.asked++;
  const would = wouldHave(record);
  if (would === "deny") project.would_deny++;
  if (would === "ask") project.would_ask++;
  for (const result of record.results) addResult(hookIn(project, result.hook), result, isOfGate(record));
  for (const [hook, ms] of Object.entries(record.quiet ?? {})) took(hookIn(project, hook).took, ms);
}

function hookIn({ hooks }: ProjectSums, name: string): HookSums {
  const known = Object.hasOwn(hooks, name) ? hooks[name] : undefined;
  if (known !== undefined) return known;
  const fresh = { took: table<number>(), denials: 0, asks: 0, wouldDeny: 0, wouldAsk: 0, failures: 0, failOpens: 0 };
  hooks[name] = fresh;
  return fresh;
}

function addResult(
  sums: HookSums,
  { duration_ms, action, monitor, failure, async }: ResultRecord,
  isGate: boolean,
): void {
  took(sums.took, duration_ms);
  if (failure !== undefined) sums.failures++;
  // An `async` hook neither stops a call nor lets one pass.
  if (async) return;
  if (action === "deny") sums.denials++;
  if (action === "ask") sums.asks++;
  if (monitor === "deny") sums.wouldDeny++;
  if (monitor === "ask") sums.wouldAsk++;
  if (failure !== undefined && isGate && action === "continue") sums.failOpens++;
}

/** Adds the calls of one project to those of another stretch of time. */
export function addProject(to: ProjectSums, from: ProjectSums): void {
  merge(to.took, from.took);
  for (const name of PROJECT_COUNTS) to[name] += from[name];
  for (const [hook, sums] of Object.entries(from.hooks)) {
    const own = hookIn(to, hook);
    merge(own.took, sums.took);
    for (const name of HOOK_COUNTS) own[name] += sums[name];
  }
}

const PROJECT_COUNTS = ["resident", "denied", "asked", "would_deny", "would_ask"] as const;
const HOOK_COUNTS = ["denials", "asks", "wouldDeny", "wouldAsk", "failures", "failOpens"] as const;

/** Counts one time. */
export function took(durations: Durations, ms: number): void {
  if (typeof ms === "number" && Number.isFinite(ms)) one(durations, String(Number(ms.toPrecision(DIGITS))));
}

function merge(to: Durations, from: Durations): void {
  for (const [ms, times] of Object.entries(from)) to[ms] = (to[ms] ?? 0) + times;
}

/** No times yet. */
export function noDurations(): Durations {
  return table();
}

/** Names in the journal come from outside: a table of them has nothing but what was put there. */
function table<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

function one(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

const DIGITS = 4;
