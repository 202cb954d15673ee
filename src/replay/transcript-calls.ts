import { createHash } from "node:crypto";
import { readFileSync, type Stats } from "node:fs";
import { isAbsolute } from "node:path";
import type { Adapter } from "../adapters/adapter.ts";
import { ADAPTERS, adapterFor, adapterNamed } from "../adapters/index.ts";
import type { Payload } from "../adapters/payload.ts";
import { readCall } from "../adapters/read-call.ts";
import type { TranscriptCall, TranscriptFormat } from "../adapters/transcripts/format.ts";
import { findRoot } from "../config/root.ts";
import { HookEvent } from "../event/event.ts";
import { attachRoot, markRecorded } from "../event/field.ts";
import { sha256Text } from "../fs/late-builtins.ts";
import { statsAt } from "../fs/resolve-path.ts";
import { problems } from "../problem/problem.ts";
import { readCompressed } from "../trace/compressed.ts";
import { fileLines, objectOfLine, type ReadCounts } from "../trace/file-lines.ts";
import { isCanary } from "../trace/outcome.ts";
import { readRecord } from "../trace/read.ts";
import { databaseRows, isDatabase } from "./database-rows.ts";
import { folderSaid, historyFiles } from "./history-files.ts";
import { callOfRecord, type ReplayCall } from "./replay-call.ts";

/** Where calls are looked for, and since when. */
export interface CallSearch {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The project of calls that name no folder. */
  readonly root: string;
  readonly since: string;
  readonly counts: ReadCounts;
}

/** The calls that an agent has written into its own history, each once; those of one session in their order. */
export async function* transcriptCalls(agent: string, search: CallSearch): AsyncGenerator<ReplayCall, void, void> {
  const format = (await adapterNamed(agent)?.transcripts?.())?.TRANSCRIPTS;
  if (format === undefined) throw PROBLEMS.noHistory({ agent, known: agentsWithHistory() });
  const seen = new SeenKeys();
  const since = Date.parse(search.since);
  const readFile = format.reader();
  for (const { path, stats } of historyFiles(format, search.env)) {
    if (stats.mtimeMs < since && format.first?.test(path) !== true) continue;
    const read = readFile({ path, folder: folderSaid(path, format) });
    for (const line of linesOfHistory(path, stats, format, search.counts))
      for (const call of called(agent, read(line), stats, search)) if (seen.isNew(call.key)) yield call.call;
  }
}

function linesOfHistory(path: string, stats: Stats, { tables = [] }: TranscriptFormat, counts: ReadCounts) {
  if (isDatabase(path)) return databaseRows(path, tables, counts);
  return path.endsWith(".json") ? wholeFile(path, stats, counts) : linesOf(path, counts);
}

/** Whether an agent has a history of the last days that can be read. */
export async function hasHistory({ transcripts }: Adapter, env: CallSearch["env"], days = 30): Promise<boolean> {
  const format = (await transcripts?.())?.TRANSCRIPTS;
  const since = Date.now() - days * 24 * 60 * 60 * 1000;
  return format !== undefined && historyFiles(format, env).some(({ stats }) => stats.mtimeMs >= since);
}

/** The agents whose history is known. */
export function agentsWithHistory(): string[] {
  return ADAPTERS.filter(({ transcripts }) => transcripts !== undefined)
    .map(({ id }) => id)
    .sort();
}

/** The calls of a file: records of the journal, lines of a transcript, or payloads, each recognised by what it holds. */
export async function* callsOfFile(path: string, search: CallSearch): AsyncGenerator<ReplayCall, void, void> {
  const stats = statsAt(path);
  if (stats === undefined || !stats.isFile()) throw PROBLEMS.noCalls({ path });
  const formats = await Promise.all(
    ADAPTERS.flatMap(({ id, transcripts }) =>
      transcripts === undefined
        ? []
        : [transcripts().then(({ TRANSCRIPTS }) => ({ id, format: TRANSCRIPTS, read: readerFor(path, TRANSCRIPTS) }))],
    ),
  );
  const tables = formats.flatMap(({ format }) => format.tables ?? []);
  const seen = new SeenKeys();
  const isRows = isDatabase(path);
  for (const line of isRows ? databaseRows(path, tables, search.counts) : fileObjects(path, stats, search.counts)) {
    const record = line.v === 1 ? readRecord(JSON.stringify(line)) : undefined;
    if (record !== undefined) {
      const call = isCanary(record.results) ? undefined : callOfRecord(record);
      if (call !== undefined && seen.isNew(`record ${record.id} ${record.time}`)) yield call;
      continue;
    }
    const known = formats.find(({ format }) => format.recognises(line));
    if (known !== undefined) {
      for (const { key, call } of called(known.id, known.read(line), stats, search)) if (seen.isNew(key)) yield call;
      continue;
    }
    const call =
      adapterFor(line) === undefined ? undefined : callOfPayload(line, undefined, timeIn(line, stats), search);
    if (call === undefined) search.counts.broken++;
    else yield call;
  }
}

function readerFor(path: string, format: TranscriptFormat): (line: Payload) => readonly TranscriptCall[] {
  return format.reader()({ path, folder: folderSaid(path, format) });
}

function* called(
  agent: string,
  calls: readonly TranscriptCall[],
  stats: Stats,
  search: CallSearch,
): Generator<{ readonly key: string; readonly call: ReplayCall }> {
  for (const { payload, id, time, made } of calls) {
    const call = callOfPayload(payload, agent, Number.isNaN(Date.parse(time)) ? timeOf(stats) : time, search);
    if (call === undefined) search.counts.broken++;
    else yield { key: keyOf(id, time, call), call: made ? { ...call, made } : call };
  }
}

/** A session that continues in another file repeats its calls; some models begin to count them anew in every session. */
function keyOf(id: string, time: string, { agent, session, event }: ReplayCall): string {
  const input = JSON.stringify([event.toolName, event.data.tool_args]);
  return `${agent} ${id === "" ? `${session} ${time}` : id} ${sha256Text(input).slice(0, KEY_DIGITS)}`;
}

/** What such a payload would have been to Sluice; what a transcript has was carried out. */
function callOfPayload(
  payload: Readonly<Record<string, unknown>>,
  agent: string | undefined,
  time: string,
  { root: here }: CallSearch,
): ReplayCall | undefined {
  const read = readCall({ text: "", value: payload, agent });
  if (read.kind !== "event") return undefined;
  const { type, toolName, data, sessionId, cwd } = read.event;
  const at = new Date(Date.parse(time));
  const event = markRecorded(
    new HookEvent({
      type,
      toolName,
      data,
      sessionId,
      cwd,
      agent: read.native.adapter.id,
      timestamp: at.getTime() / 1000,
    }),
  );
  const root = rootOf(cwd, here);
  attachRoot(event, root);
  return {
    event,
    time: at.toISOString(),
    agent: read.native.adapter.id,
    session: sessionId,
    root,
    recorded: "continue",
    results: [],
    isKept: false,
    redacted: [],
    cut: [],
  };
}

/** A folder that is gone is its own project: what was around it is not known any more. */
function rootOf(cwd: string | undefined, here: string): string {
  if (cwd === undefined || !isAbsolute(cwd)) return here;
  const known = ROOTS.get(cwd) ?? (statsAt(cwd)?.isDirectory() ? findRoot(cwd) : cwd);
  ROOTS.set(cwd, known);
  return known;
}

const ROOTS = new Map<string, string>();

function timeIn({ timestamp }: Readonly<Record<string, unknown>>, stats: Stats): string {
  return typeof timestamp === "string" && !Number.isNaN(Date.parse(timestamp)) ? timestamp : timeOf(stats);
}

function timeOf({ mtimeMs }: Stats): string {
  return new Date(mtimeMs).toISOString();
}

function linesOf(path: string, counts: ReadCounts): Generator<Readonly<Record<string, unknown>>> {
  return objectsOf(fileLines(path, counts), counts);
}

function* objectsOf(lines: Iterable<string>, counts: ReadCounts): Generator<Readonly<Record<string, unknown>>> {
  for (const line of lines) {
    if (line.trim() === "") continue;
    const object = objectOfLine(line);
    if (object === undefined) counts.broken++;
    else yield object;
  }
}

/** One object a line; else all of the file is one, or a list of them. */
function* fileObjects(path: string, stats: Stats, counts: ReadCounts): Generator<Readonly<Record<string, unknown>>> {
  // The journal compresses closed days.
  const unpacked = path.endsWith(".gz") ? readCompressed(path) : undefined;
  if (unpacked !== undefined) {
    yield* objectsOf(unpacked.toString("utf8").split("\n"), counts);
    return;
  }
  const [first = ""] = fileLines(path, { broken: 0 });
  const isLines = objectOfLine(first) !== undefined;
  const whole = isLines ? [] : [...wholeFile(path, stats, { broken: 0 })];
  yield* whole.length > 0 ? whole : linesOf(path, counts);
}

function* wholeFile(path: string, { size }: Stats, counts: ReadCounts): Generator<Readonly<Record<string, unknown>>> {
  const text = size > LARGEST ? "" : readFileSync(path, "utf8");
  const one = objectOfLine(text);
  if (one !== undefined) yield one;
  else {
    const many = listIn(text).map((item) => objectOfLine(JSON.stringify(item)));
    if (many.length === 0) counts.broken++;
    for (const item of many) {
      if (item === undefined) counts.broken++;
      else yield item;
    }
  }
}

function listIn(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** Which keys have come before: eight bytes of the hash of each, so that a long history takes little memory. */
export class SeenKeys {
  #table = new BigUint64Array(FIRST_SIZE);
  #count = 0;

  /** Whether a key comes for the first time. */
  isNew(key: string): boolean {
    // Zero is an empty place.
    const mark = createHash("sha256").update(key).digest().readBigUInt64LE() || 1n;
    const place = placeOf(mark, this.#table);
    if (this.#table[place] === mark) return false;
    this.#table[place] = mark;
    if (++this.#count * 2 > this.#table.length) this.#grow();
    return true;
  }

  #grow(): void {
    const table = new BigUint64Array(this.#table.length * 2);
    for (const mark of this.#table) if (mark !== 0n) table[placeOf(mark, table)] = mark;
    this.#table = table;
  }
}

/** Where a mark is, or would be: sizes are powers of two, and what is taken is passed over. */
function placeOf(mark: bigint, table: BigUint64Array): number {
  let place = Number(BigInt.asUintN(LOW_BITS, mark)) & (table.length - 1);
  while (table[place] !== 0n && table[place] !== mark) place = (place + 1) & (table.length - 1);
  return place;
}

const FIRST_SIZE = 1024;
const LOW_BITS = 30;

const LARGEST = 64 * 1024 * 1024;
const KEY_DIGITS = 16;

const PROBLEMS = problems("replay", {
  noHistory: ({ agent, known }: { agent: string; known: readonly string[] }) => ({
    what: `The history of ${agent} cannot be read: how it is written is not known for certain.`,
    fix: `There are ${known.join(", ")}; or name a file: --from calls.jsonl.`,
  }),
  noCalls: ({ path }: { path: string }) => ({
    what: `--from ${path}: there is no such file, and no agent of that name.`,
    fix: "Write journal, an agent such as those of `sluice install`, or a file of records, transcripts or payloads.",
  }),
});
