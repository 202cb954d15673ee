import type { ReadCounts } from "../../trace/file-lines.ts";
import { followRecords, journalEnds } from "../../trace/follow.ts";
import { journalFolder } from "../../trace/journal.ts";
import type { DecisionRecord } from "../../trace/record.ts";
import { type CommandInput, countIn } from "../command.ts";
import { shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { chosenRecords, type RecordQuery, readableJournal, recordQuery } from "../recorded-calls.ts";
import { logLine } from "../show/log-line.ts";

/** Shows the calls of agents, one line each and the newest last; with --follow also those that are still to come. */
export async function run(input: CommandInput): Promise<Exit> {
  const { io } = input;
  const store = input.text("store");
  if (store !== undefined) return showStored(store, input);
  const folder = readableJournal(journalFolder(io.env));
  const query = recordQuery(input);
  const follows = input.has("follow");
  const counts: ReadCounts = { broken: 0 };
  const ends = follows ? journalEnds(folder) : undefined;
  const most = countOf(input, follows);
  const { shown, hasMore } = latest(chosenRecords(folder, query, counts), most);
  for (const record of shown) print(record, input);
  if (ends !== undefined) await follow(folder, ends, query, shown, counts, input);
  else if (shown.length === 0) io.err(nothing(query, input));
  else if (hasMore) io.err(`These are the latest ${most}; --since 7d or --last 1000 shows more.`);
  warnOfBroken(counts, folder, input);
  return "done";
}

/** The same of a database that machines ship to; of all their projects unless one is named. */
async function showStored(store: string, input: CommandInput): Promise<Exit> {
  const { storedRecords } = await import("../../ship/postgres-read.ts");
  const text = (option: string) => input.text(option) ?? (option === "project" ? "all" : undefined);
  const query = recordQuery({ ...input, text });
  const most = countOf(input, false);
  const found: DecisionRecord[] = [];
  for await (const record of storedRecords(store, query.since)) {
    if (query.matches(record)) found.push(record);
    if (found.length >= most) break;
  }
  for (const record of found.reverse()) print(record, input);
  if (found.length === 0) input.io.err("No such call is stored there.");
  return "done";
}

/** Says how many lines of the journal were passed over. */
export function warnOfBroken({ broken }: ReadCounts, folder: string, { io }: CommandInput): void {
  if (broken > 0) io.err(`${broken === 1 ? "1 line" : `${broken} lines`} of ${folder} could not be read.`);
}

/** The newest so many, oldest first. */
function latest(
  records: Iterable<DecisionRecord>,
  most: number,
): { readonly shown: DecisionRecord[]; readonly hasMore: boolean } {
  const found: DecisionRecord[] = [];
  for (const record of records) {
    if (found.length >= most) return { shown: found.reverse(), hasMore: true };
    found.push(record);
  }
  return { shown: found.reverse(), hasMore: false };
}

/** Shows what is written from now on, until the user interrupts it or its reader goes. */
async function follow(
  folder: string,
  ends: ReturnType<typeof journalEnds>,
  { matches }: RecordQuery,
  shown: readonly DecisionRecord[],
  counts: ReadCounts,
  input: CommandInput,
): Promise<void> {
  const stop = new AbortController();
  const end = () => stop.abort();
  for (const signal of SIGNALS) process.once(signal, end);
  const known = new Set(shown.map(({ id }) => id));
  try {
    for await (const record of followRecords(folder, ends, { signal: stop.signal, counts })) {
      // Lines that were written while the first ones were read are after the ends as well.
      if (known.has(record.id) || !matches(record)) continue;
      print(record, input);
      if (input.io.isClosed) return;
    }
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
  }
}

function print(record: DecisionRecord, { io, ...input }: CommandInput): void {
  io.out(input.has("json") ? JSON.stringify(record) : logLine(record, io));
}

function countOf(input: CommandInput, follows: boolean): number {
  const stated = input.text("last");
  if (stated !== undefined) return countIn(stated, "last", "calls");
  if (input.has("since")) return Number.POSITIVE_INFINITY;
  return follows ? BEFORE_FOLLOWING : LATEST;
}

function nothing({ root }: RecordQuery, { io, ...input }: CommandInput): string {
  const where = root === undefined ? "" : ` in ${shortPath(root, io)}`;
  const isFiltered = FILTERS.some((option) => input.has(option));
  const everywhere = root === undefined ? "" : " `--project all` looks at every project.";
  return isFiltered
    ? `No such call is recorded${where}.${everywhere}`
    : `No call is recorded${where} yet; \`sluice doctor\` reports whether agents reach Sluice.${everywhere}`;
}

const FILTERS = ["since", "agent", "session", "tool", "action", "hook"];
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const LATEST = 100;
const BEFORE_FOLLOWING = 10;
