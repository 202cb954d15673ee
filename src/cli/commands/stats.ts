import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { tidyJournal } from "../../decide/tidy-journal.ts";
import { coldCommand } from "../../server/cold-command.ts";
import { runtimeDirOf } from "../../server/runtime-dir.ts";
import { costOfStart } from "../../server/start-cost.ts";
import {
  figuresOf,
  type HookStatistics,
  type ProjectStatistics,
  sumsOf,
  type Times,
} from "../../trace/call-statistics.ts";
import { addProject, addRecord, type CallSums, noSums, ProjectIndex, type ProjectSums } from "../../trace/call-sums.ts";
import type { ReadCounts } from "../../trace/file-lines.ts";
import { journalFolder } from "../../trace/journal.ts";
import { filesIn, recordsOf } from "../../trace/read.ts";
import { type CommandInput, USAGE } from "../command.ts";
import { shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { readableJournal, recordQuery } from "../recorded-calls.ts";
import { columns, type Paint, paintFor, plural, visible } from "../show/terminal-text.ts";
import { warnOfBroken } from "./log.ts";

/** Shows how long calls took, what failed and what was let through. */
export async function run(input: CommandInput): Promise<Exit> {
  const days = daysOf(input.text("days"));
  for (;;) {
    const counts: ReadCounts = { broken: 0 };
    const projects = figuresOf(projectsSince(days, counts, input));
    const resident = projects.reduce((sum, project) => sum + project.resident, 0);
    const isJson = input.has("json");
    // Measuring it starts node some times: only what is shown is measured.
    const startMs = isJson || resident > 0 ? costOfStart(runtimeDirOf(coldCommand(), input.io)) : 0;
    if (isJson)
      input.io.out(JSON.stringify({ days, start_ms: startMs, saved_ms: Math.round(resident * startMs), projects }));
    else show(projects, days, startMs, input);
    warnOfBroken(counts, readableJournal(journalFolder(input.io.env)), input);
    if (!input.has("watch")) {
      await tidyJournal(input.io.env);
      return "done";
    }
    await setTimeout(WATCH_MS);
    if (input.io.isTerminal && !input.has("json")) input.io.write(1, "\u001b[2J\u001b[H");
  }
}

/** The sums of the projects that are meant, over so many days. Only a day that began before is read record by record. */
function projectsSince(days: number, counts: ReadCounts, input: CommandInput): ProjectSums[] {
  const since = new Date(Date.now() - days * DAY_MS).toISOString();
  const { isHere } = recordQuery(input);
  const folder = readableJournal(journalFolder(input.io.env));
  const all = noSums();
  const index = new ProjectIndex();
  for (const name of filesIn(folder)) {
    // The name of a file is its day.
    if (name.slice(0, since.indexOf("T")) < since.slice(0, since.indexOf("T"))) break;
    const whole = sumsOf(folder, name);
    counts.broken += whole.broken;
    if (whole.last < since) continue;
    const { projects } = whole.first >= since ? whole : sumsSince(join(folder, name), since);
    for (const project of projects) if (isHere(project)) addProject(index.of(project, all), project);
  }
  return all.projects;
}

function sumsSince(path: string, since: string): CallSums {
  const [sums, index] = [noSums(), new ProjectIndex()];
  for (const record of recordsOf(path)) if (record.time >= since) addRecord(sums, record, index);
  return sums;
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

/** The results of the calls, as text. */
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
