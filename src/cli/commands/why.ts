import { ADAPTERS } from "../../adapters/index.ts";
import { backgroundNote } from "../../decide/journal.ts";
import { explainRecord } from "../../explain/explain-call.ts";
import { problems } from "../../problem/problem.ts";
import type { ReadCounts } from "../../trace/file-lines.ts";
import { journalFolder } from "../../trace/journal.ts";
import { answeredAction, isUnstopped, wouldHave } from "../../trace/outcome.ts";
import { findRecord, records } from "../../trace/read.ts";
import type { DecisionRecord } from "../../trace/record.ts";
import { acknowledgeTampering } from "../../trace/tampering.ts";
import { type CommandInput, countIn } from "../command.ts";
import { rootOf, shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { chosenRecords, readableJournal, recordQuery } from "../recorded-calls.ts";
import { logLine } from "../show/log-line.ts";
import { showRecord } from "../show/record.ts";
import { warnOfBroken } from "./log.ts";

/** Explains one past decision, by default the last one here that stopped a call, or lists the latest ones. */
export async function run(input: CommandInput): Promise<Exit> {
  const { io } = input;
  const folder = readableJournal(journalFolder(io.env));
  const counts: ReadCounts = { broken: 0 };
  const last = input.text("last");
  if (last !== undefined) {
    const listed = latest(folder, countIn(last, "last", "decisions"), counts, input);
    if (input.has("json")) io.out(JSON.stringify({ decisions: listed, broken_lines: counts.broken }, null, 2));
    else if (listed.length === 0) io.out(NOTHING_YET);
    else for (const record of listed) io.out(logLine(record, io));
  } else {
    const [id] = input.words;
    const record = id === undefined ? lastObjection(folder, counts, input) : recordWith(folder, id, counts);
    const background = backgroundOf(record, folder);
    const hooks = await explainRecord(record, {
      stated: input.has("root") ? rootOf(input) : undefined,
      here: rootOf(input),
      env: io.env,
      trustHash: input.text("trust-hash"),
    });
    if (input.has("json"))
      io.out(JSON.stringify({ ...record, explained: hooks, ...(background && { background }) }, null, 2));
    else for (const line of showRecord(record, hooks, io, background)) io.out(line);
    // A person at a terminal has looked at it; the terminal of an agent is not a person's.
    if (record.event === "tampering" && io.isTerminal && !isInAgent(io.env) && acknowledgeTampering(record.id, io.env))
      io.err("This notice ends here: no agent and no `sluice doctor` reports it any more.");
  }
  warnOfBroken(counts, folder, input);
  return "done";
}

function isInAgent(env: CommandInput["io"]["env"]): boolean {
  return ADAPTERS.some(({ marks = [] }) => marks.some((name) => env[name] !== undefined));
}

function latest(folder: string, count: number, counts: ReadCounts, input: CommandInput): DecisionRecord[] {
  const found: DecisionRecord[] = [];
  for (const record of chosenRecords(folder, recordQuery(input), counts)) {
    found.push(record);
    if (found.length >= count) break;
  }
  return found;
}

/** The last decision that denied or asked; with --action the last of that kind. */
function lastObjection(folder: string, counts: ReadCounts, input: CommandInput): DecisionRecord {
  const query = recordQuery(input);
  let watched: DecisionRecord | undefined;
  for (const record of chosenRecords(folder, query, counts)) {
    if (input.has("action") || OBJECTIONS.includes(answeredAction(record)) || isUnstopped(record)) return record;
    if (watched === undefined && wouldHave(record) !== undefined) watched = record;
  }
  if (watched !== undefined) return watched;
  throw PROBLEMS.noObjection({ folder, place: query.root && shortPath(query.root, input.io) });
}

const OBJECTIONS = ["deny", "ask"];
const NOTHING_YET =
  "No decision is remembered here yet; `sluice fire` makes one, and `--project all` looks everywhere.";

function recordWith(folder: string, id: string, counts: ReadCounts): DecisionRecord {
  if (!/^[0-9a-f]{1,6}$/i.test(id)) throw PROBLEMS.noId({ id });
  const search = findRecord(folder, id, counts);
  switch (search.found) {
    case "one":
      return search.record;
    case "several":
      throw PROBLEMS.ambiguous({ id, ids: search.records.map((record) => record.id) });
    case "none":
      throw PROBLEMS.unknownId({ id });
  }
}

/** The run of `async` hooks that the record of a call mentions, once it has ended. */
function backgroundOf({ time, notes }: DecisionRecord, folder: string): DecisionRecord | undefined {
  if (notes === undefined) return undefined;
  // A hook that ends at once is written down before a call that others keep waiting.
  const oldest = new Date(Date.parse(time) - LONGEST_CALL_MS).toISOString();
  for (const record of records(folder)) {
    if (record.time < oldest) break;
    if (record.background && notes.includes(backgroundNote(record.id))) return record;
  }
  return undefined;
}

const LONGEST_CALL_MS = 60 * 60 * 1000;

const PROBLEMS = problems("why", {
  noObjection: ({ folder, place }: { folder: string; place: string | undefined }) => ({
    what: `No remembered decision denied or asked anything${place === undefined ? "" : ` in ${place}`}; ${folder} was searched.`,
    fix: "`sluice why --last 10` lists the latest decisions of every kind; --project all looks at every project.",
  }),
  noId: ({ id }: { id: string }) => ({
    what: `"${id}" is not the id of a decision; an id has six digits and letters from a to f.`,
    fix: "`sluice why --last 10` lists the latest decisions with their ids.",
  }),
  ambiguous: ({ id, ids }: { id: string; ids: readonly string[] }) => ({
    what: `${ids.length} decisions begin with "${id}": ${[...new Set(ids)].slice(0, 8).join(", ")}${ids.length > 8 ? ", …" : ""}.`,
    fix: `Write more of it: sluice why ${ids[0]}`,
  }),
  unknownId: ({ id }: { id: string }) => ({
    what: `No remembered decision has the id "${id}"; decisions are kept for 30 days, or as long as \`journal: { keep }\` is set.`,
    fix: "`sluice why --last 10` lists the latest decisions with their ids.",
  }),
});
