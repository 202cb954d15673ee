import { whyNoPerson } from "../../approvals/person.ts";
import { ownHooks } from "../../check/own-hooks.ts";
import type { Hook } from "../../hook/hook.ts";
import { Problem } from "../../problem/problem.ts";
import { withLittleMemory } from "../../replay/little-memory.ts";
import { openings, type ReplayReport, reportJson } from "../../replay/replay-report.ts";
import { callHistory } from "../../suggest/call-history.ts";
import { writeEdit } from "../../suggest/config-edit.ts";
import { type EditReplay, replayEdits } from "../../suggest/replay-edit.ts";
import { type Suggestion, suggestions } from "../../suggest/suggestions.ts";
import { writeTest } from "../../suggest/write-test.ts";
import { journalFolder } from "../../trace/journal.ts";
import { records } from "../../trace/read.ts";
import type { DecisionRecord } from "../../trace/record.ts";
import type { CommandInput } from "../command.ts";
import { configurationOf, shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { momentOf, recordQuery } from "../recorded-calls.ts";
import { diffText } from "../show/diff.ts";
import { oneLine, paintFor, plural } from "../show/terminal-text.ts";
import { sureFor } from "./confirm.ts";

/** Shows what history supports, each with its calls, its edit and what it would have changed; writes what a person confirms. */
export async function run(input: CommandInput): Promise<Exit> {
  return suggestWith(input, { sure: sureFor(input.io, "suggest"), isPerson: whyNoPerson(input.io) === undefined });
}

/** How questions are asked, and whether there is a person to answer them. */
interface Asking {
  readonly sure: (question: string) => Promise<boolean>;
  readonly isPerson: boolean;
}

/** The same with another way to ask questions. */
export async function suggestWith(input: CommandInput, { sure, isPerson }: Asking): Promise<Exit> {
  const { io } = input;
  const since = momentOf(input.text("since") ?? "30d");
  const { isHere, matches } = recordQuery(input);
  const journal = journalFolder(io.env);
  const history = callHistory(recordsSince(journal, since, matches));
  const find = () => suggestions({ history, ...editable(input), env: io.env });
  let found = find();
  const replay: EditReplay = { journal, since, isHere, env: io.env };
  let reports = found.length === 0 ? NO_REPORTS : await replayed(found, replay);
  if (input.has("json")) {
    const told = found.map((one) => json(one, reports.get(one)));
    io.out(JSON.stringify({ since, calls: history.total, suggestions: told }, null, 2));
    return "done";
  }
  if (found.length === 0) {
    io.out(
      `Nothing to suggest: no change follows from ${plural(history.total, "call")} since ${since.slice(0, DATE)}.`,
    );
    return "done";
  }
  const seen = new Set<string>();
  for (let one = found[0]; one !== undefined; one = found.find((next) => !seen.has(keyOf(next)))) {
    seen.add(keyOf(one));
    const report = reports.get(one);
    const position = `${seen.size} of ${seen.size + found.filter((next) => !seen.has(keyOf(next))).length}`;
    for (const line of shown(one, position, report, input)) io.out(line);
    if (isPerson && one.edit !== undefined && (await sure("Write this?"))) {
      write(one, input);
      // What is left changes files that are others now.
      found = find();
      reports = await replayed(
        found.filter((next) => !seen.has(keyOf(next))),
        replay,
      );
    }
    io.out("");
  }
  if (!isPerson && found.some(({ edit }) => edit !== undefined))
    io.err("Nothing was written. In a terminal of your own, `sluice suggest` asks about each.");
  return "done";
}

/** The hooks that a person may change here: those of packs and of a manager stay as they are. */
function editable(input: CommandInput): { readonly root: string; readonly hooks: readonly Hook[] } {
  const { root, written, files } = configurationOf(input);
  const ofPacks = new Set(files.filter(({ pack }) => pack !== undefined).map(({ path }) => path));
  const isOwn = ({ layer, origin }: Hook) => layer !== "managed" && !ofPacks.has(origin?.place.file ?? "");
  return { root, hooks: ownHooks(written).filter(isOwn) };
}

function keyOf({ kind, about, title }: Suggestion): string {
  return [kind, about, title].join("\0");
}

function* recordsSince(
  journal: string,
  since: string,
  matches: (record: DecisionRecord) => boolean,
): Generator<DecisionRecord> {
  for (const record of records(journal, undefined, (name) => name.slice(0, DATE) >= since.slice(0, DATE)))
    if (record.time >= since && matches(record)) yield record;
}

/** What each edit would have changed about recorded calls. */
async function replayed(
  found: readonly Suggestion[],
  replay: EditReplay,
): Promise<ReadonlyMap<Suggestion, ReplayReport>> {
  const edited = found.flatMap((one) => (one.edit === undefined ? [] : [{ one, edit: one.edit }]));
  const reports = await withLittleMemory(() =>
    replayEdits(
      edited.map(({ edit }) => edit),
      replay,
    ),
  );
  return new Map(edited.flatMap(({ one }, at) => (reports[at] === undefined ? [] : [[one, reports[at]] as const])));
}

const NO_REPORTS: ReadonlyMap<Suggestion, ReplayReport> = new Map();

function shown(one: Suggestion, position: string, report: ReplayReport | undefined, { io }: CommandInput): string[] {
  const paint = paintFor(io);
  const calls = one.calls.map(
    ({ id, text, agent = "" }) => `    ${paint.dim(id)}  ${oneLine(text, 100)}  ${paint.dim(agent)}`,
  );
  const more = one.count - one.calls.length;
  return [
    `${paint.dim(position)}  ${paint.strong(one.title)}`,
    `  ${one.why}${one.sessions > 1 ? ` (${one.sessions} sessions)` : ""}`,
    ...calls,
    ...(more > 0 && calls.length > 0 ? [paint.dim(`    and ${more} more`)] : []),
    ...(one.edit === undefined
      ? [`  ${paint.name(one.next ?? "")}`]
      : [
          `  ${shortPath(one.edit.path, io)} ${one.edit.before === undefined ? "is new" : "changes"}:`,
          ...diffText(one.edit, io),
        ]),
    ...(report === undefined ? [] : [`  ${replayLine(report)}`]),
  ];
}

function replayLine({ total, judged, changes }: ReplayReport): string {
  const own = changes.filter(({ cause }) => cause === "change");
  const count = (list: typeof own) => list.reduce((sum, one) => sum + one.count, 0);
  const opened = count(openings(own));
  const closed = count(own) - opened;
  return `Of ${total} recorded calls, ${opened} would pass that were stopped, and ${closed} would be treated more strictly${judged < total ? `; ${total - judged} cannot be told` : ""}.`;
}

/** Writes the edit, and a test for it if the call can be repeated. */
function write({ edit, test }: Suggestion, { io }: CommandInput): void {
  if (edit === undefined) return;
  writeEdit(edit);
  io.out(`  Written: ${shortPath(edit.path, io)}.`);
  if (test === undefined) return;
  try {
    io.out(`  A test covers it: ${shortPath(writeTest(test.record, test.expect).file, io)}.`);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    io.out(`  No test was written: ${error.message}`);
  }
}

function json({ edit, test, ...rest }: Suggestion, report: ReplayReport | undefined): object {
  return {
    ...rest,
    ...(edit && { edit: { file: edit.path, before: edit.before ?? null, after: edit.after } }),
    ...(test && { test: { id: test.record.id, expect: test.expect } }),
    ...(report && { replay: reportJson(report) }),
  };
}

const DATE = "2000-01-01".length;
