import { setTimeout } from "node:timers/promises";
import { EVENTS } from "../../event/catalogue.ts";
import { coldCommand } from "../../server/cold-command.ts";
import { runtimeDirOf } from "../../server/runtime-dir.ts";
import { costOfStart } from "../../server/start-cost.ts";
import { journalFolder } from "../../trace/journal.ts";
import type { DecisionRecord, ResultRecord } from "../../trace/record.ts";
import { type CommandInput, USAGE } from "../command.ts";
import { shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { chosenRecords, recordQuery, toldAction, wouldHave } from "../recorded-calls.ts";
import { columns, type Paint, paintFor, plural, visible } from "../show/terminal-text.ts";

/** Shows how long calls took, what failed and what was let through. */
export async function run(input: CommandInput): Promise<Exit> {
  const days = daysOf(input.text("days"));
  const startMs = costOfStart(runtimeDirOf(coldCommand(), input.io));
  for (;;) {
    const projects = callStatistics(since(days, input));
    const saved = projects.reduce((sum, { resident }) => sum + resident, 0) * startMs;
    if (input.has("json"))
      input.io.out(JSON.stringify({ days, start_ms: startMs, saved_ms: Math.round(saved), projects }));
    else show(projects, days, startMs, input);
    if (!input.has("watch")) return "done";
    await setTimeout(WATCH_MS);
    if (input.io.isTerminal && !input.has("json")) input.io.write(1, "\u001b[2J\u001b[H");
  }
}

function* since(days: number, input: CommandInput): Generator<DecisionRecord> {
  const query = { ...recordQuery(input), since: new Date(Date.now() - days * DAY_MS).toISOString() };
  for (const record of chosenRecords(journalFolder(input.io.env), query)) if (record.kind === "decision") yield record;
}

function show(projects: readonly ProjectStatistics[], days: number, startMs: number, { io }: CommandInput): void {
  const paint = paintFor(io);
  if (projects.length === 0) io.out(`No call was decided here in ${days} days; --project all looks at every project.`);
  for (const project of projects) {
    const { root, calls, resident, hooks } = project;
    io.out(paint.strong(visible(shortPath(root, io))));
    io.out(`  ${plural(calls, "call")}: ${outcomesText(project)}; ${timesText(project)}`);
    if (resident > 0)
      io.out(`  ${resident} by the daemon: at least ${seconds(resident * startMs)} of starting node saved`);
    const rows = hooks.map((hook) => row(hook, paint));
    if (rows.length > 0) for (const line of columns([HEAD.map(paint.dim), ...rows], io.width - 2)) io.out(`  ${line}`);
  }
  const open = projects.flatMap(({ hooks }) => hooks).filter(({ failOpens }) => failOpens > 0);
  if (open.length > 0)
    io.out(
      paint.bad(
        `${open.map(({ hook }) => visible(hook)).join(", ")} failed and let calls pass; \`on_error: deny\` blocks them instead.`,
      ),
    );
}

function row(
  { hook, calls, p50, p95, p99, denials, asks, wouldDeny, wouldAsk, failures, failOpens }: HookStatistics,
  paint: Paint,
): string[] {
  return [
    visible(hook),
    String(calls),
    ...[p50, p95, p99].map(ms),
    String(denials),
    String(asks),
    wouldDeny > 0 ? paint.warn(String(wouldDeny)) : "0",
    wouldAsk > 0 ? paint.warn(String(wouldAsk)) : "0",
    failures > 0 ? paint.warn(String(failures)) : "0",
    failOpens > 0 ? paint.bad(String(failOpens)) : "0",
  ];
}

/** What became of the calls, in words. */
function outcomesText({ denied, asked, would_deny, would_ask }: ProjectStatistics): string {
  const watched = `; hooks in monitor mode would have denied ${would_deny} and asked about ${would_ask}`;
  return `${denied} denied, ${asked} asked about${would_deny + would_ask > 0 ? watched : ""}`;
}

function timesText({ p50, p95, p99 }: Times): string {
  return `p50 ${ms(p50)}, p95 ${ms(p95)}, p99 ${ms(p99)}`;
}

function ms(value: number): string {
  return `${value < 10 ? value.toFixed(2) : Math.round(value)} ms`;
}

function seconds(value: number): string {
  return `${(value / 1000).toFixed(1)} s`;
}

function daysOf(text: string | undefined): number {
  const days = text === undefined ? DAYS : Number(text);
  if (Number.isFinite(days) && days > 0) return days;
  throw USAGE.notCounted({ option: "days", text: text ?? "", of: "days" });
}

const HEAD = ["hook", "calls", "p50", "p95", "p99", "deny", "ask", "would deny", "would ask", "failed", "let through"];
const DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;
const WATCH_MS = 2000;

/** How long something took, over many times; in milliseconds. */
interface Times {
  readonly calls: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** What is known about one hook in one project. */
interface HookStatistics extends Times {
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
interface ProjectStatistics extends Times {
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
function callStatistics(records: Iterable<DecisionRecord>): ProjectStatistics[] {
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
