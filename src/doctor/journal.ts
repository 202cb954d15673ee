import { journalFolder } from "../trace/journal.ts";
import { type ReadCounts, records } from "../trace/read.ts";
import { type Finding, fine, note, wrong } from "./finding.ts";

/** What the journal of the last day says: how often hooks were called, failed, or could not read an agent. */
export function examineJournal(env: Readonly<Record<string, string | undefined>>, now = Date.now()): Finding[] {
  const counts: ReadCounts = { broken: 0 };
  const failed = new Map<string, number>();
  const unknown = new Set<string>();
  let [calls, unreadable] = [0, 0];
  for (const record of records(journalFolder(env), counts)) {
    if (Date.parse(record.time) < now - DAY_MS || calls >= MOST) break;
    calls++;
    for (const { hook, failure } of record.results) if (failure) failed.set(hook, (failed.get(hook) ?? 0) + 1);
    if (record.kind === "unreadable") unreadable++;
    if (record.kind === "unknown_moment") unknown.add(`${record.agent} ${record.event}`);
  }
  if (calls === 0) return [note("no call was recorded in the last day; no agent has called, or no hook heard it.")];
  return [
    fine(`${calls} calls were recorded in the last day`),
    ...[...failed].map(([hook, times]) =>
      wrong(`hook "${hook}" failed ${times} times in the last day.`, "`sluice why --last 20` shows when and how."),
    ),
    ...(unreadable === 0 ? [] : [wrong(`${unreadable} payloads could not be read; gates were shut.`, LOOK)]),
    ...[...unknown].map((moment) => note(`${moment} is a moment that this version does not know; it passed.`)),
    ...(counts.broken === 0 ? [] : [note(`${counts.broken} lines of the journal are torn.`)]),
  ];
}

const DAY_MS = 24 * 60 * 60 * 1000;
const MOST = 20_000;
const LOOK = "`sluice why --last 20` shows them.";
