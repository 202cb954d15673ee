import { readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, isAbsolute, join } from "node:path";
import type { Adapter } from "../adapters/adapter.ts";
import { ADAPTERS, adapterFor, adapterNamed } from "../adapters/index.ts";
import { readCall } from "../adapters/read-call.ts";
import type { TranscriptCall, TranscriptFormat } from "../adapters/transcripts/format.ts";
import { findRoot } from "../config/root.ts";
import { HookEvent } from "../event/event.ts";
import { attachRoot } from "../event/field.ts";
import { problems } from "../problem/problem.ts";
import { isCanary } from "../trace/outcome.ts";
import { readRecord } from "../trace/read.ts";
import { fileLines, objectOfLine, type SkippedLines } from "./file-lines.ts";
import { callOfRecord, type ReplayCall } from "./replay-call.ts";

/** Where calls are looked for, and since when. */
export interface CallSearch {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The project of calls that name no folder. */
  readonly root: string;
  readonly since: string;
  readonly counts: SkippedLines;
}

/** The calls that an agent has written into its own history, each once; those of one session in their order. */
export async function* transcriptCalls(agent: string, search: CallSearch): AsyncGenerator<ReplayCall, void, void> {
  const format = (await adapterNamed(agent)?.transcripts?.())?.TRANSCRIPTS;
  if (format === undefined) throw PROBLEMS.noHistory({ agent, known: agentsWithHistory() });
  const seen = new Set<string>();
  const since = Date.parse(search.since);
  for (const { path, stats } of filesOf(format, search.env)) {
    if (stats.mtimeMs < since) continue;
    const read = format.reader(path);
    for (const line of path.endsWith(".json") ? wholeFile(path, stats, search.counts) : linesOf(path, search.counts))
      for (const call of called(agent, read(line), stats, search)) if (isNew(call.key, seen)) yield call.call;
  }
}

/** Whether an agent has a history of the last days that can be read. */
export async function hasHistory({ transcripts }: Adapter, env: CallSearch["env"], days = 30): Promise<boolean> {
  const format = (await transcripts?.())?.TRANSCRIPTS;
  const since = Date.now() - days * 24 * 60 * 60 * 1000;
  return format !== undefined && filesOf(format, env).some(({ stats }) => stats.mtimeMs >= since);
}

/** The agents whose history is known. */
export function agentsWithHistory(): string[] {
  return ADAPTERS.filter(({ transcripts }) => transcripts !== undefined).map(({ id }) => id);
}

/** The calls of a file: records of the journal, lines of a transcript, or payloads, each recognised by what it holds. */
export async function* callsOfFile(path: string, search: CallSearch): AsyncGenerator<ReplayCall, void, void> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile()) throw PROBLEMS.noCalls({ path });
  const formats = await Promise.all(
    ADAPTERS.flatMap(({ id, transcripts }) =>
      transcripts === undefined
        ? []
        : [transcripts().then(({ TRANSCRIPTS }) => ({ id, format: TRANSCRIPTS, read: TRANSCRIPTS.reader(path) }))],
    ),
  );
  const seen = new Set<string>();
  for (const line of fileObjects(path, stats, search.counts)) {
    const record = line.v === 1 ? readRecord(JSON.stringify(line)) : undefined;
    if (record !== undefined) {
      const call = isCanary(record.results) ? undefined : callOfRecord(record);
      if (call !== undefined && isNew(`record ${record.id} ${record.time}`, seen)) yield call;
      continue;
    }
    const known = formats.find(({ format }) => format.recognises(line));
    if (known !== undefined) {
      for (const { key, call } of called(known.id, known.read(line), stats, search)) if (isNew(key, seen)) yield call;
      continue;
    }
    const call =
      adapterFor(line) === undefined ? undefined : callOfPayload(line, undefined, timeIn(line, stats), search);
    if (call === undefined) search.counts.broken++;
    else yield call;
  }
}

function isNew(key: string, seen: Set<string>): boolean {
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
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
    else yield { key: `${agent} ${id === "" ? `${call.session} ${time}` : id}`, call: made ? { ...call, made } : call };
  }
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
  const event = new HookEvent({
    type,
    toolName,
    data,
    sessionId,
    cwd,
    agent: read.native.adapter.id,
    timestamp: at.getTime() / 1000,
  });
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
  const known = ROOTS.get(cwd) ?? (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() ? findRoot(cwd) : cwd);
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

function* linesOf(path: string, counts: SkippedLines): Generator<Readonly<Record<string, unknown>>> {
  for (const line of fileLines(path, counts)) {
    if (line.trim() === "") continue;
    const object = objectOfLine(line);
    if (object === undefined) counts.broken++;
    else yield object;
  }
}

/** One object a line; else all of the file is one, or a list of them. */
function* fileObjects(path: string, stats: Stats, counts: SkippedLines): Generator<Readonly<Record<string, unknown>>> {
  const [first = ""] = fileLines(path, { broken: 0 });
  const isLines = objectOfLine(first) !== undefined;
  const whole = isLines ? [] : [...wholeFile(path, stats, { broken: 0 })];
  yield* whole.length > 0 ? whole : linesOf(path, counts);
}

function* wholeFile(path: string, { size }: Stats, counts: SkippedLines): Generator<Readonly<Record<string, unknown>>> {
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

/** Every file of an agent's history, by name, so that sessions come in the order in which they began. */
function filesOf(
  { folders, homeVariable, file }: TranscriptFormat,
  env: CallSearch["env"],
): { readonly path: string; readonly stats: Stats }[] {
  const home = env.HOME || homedir();
  const stated = homeVariable === undefined ? undefined : env[homeVariable];
  const found: { readonly path: string; readonly stats: Stats }[] = [];
  for (const folder of folders) {
    const base =
      stated !== undefined && isAbsolute(stated) ? join(stated, ...folder.split("/").slice(1)) : join(home, folder);
    collect(base, file, 0, found);
  }
  return found.sort((one, other) => compare(basename(one.path), basename(other.path)) || compare(one.path, other.path));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function collect(folder: string, file: RegExp, depth: number, found: { path: string; stats: Stats }[]): void {
  if (depth > DEEPEST || found.length >= MOST_FILES) return;
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) collect(path, file, depth + 1, found);
    else if (stats?.isFile() && file.test(path)) found.push({ path, stats });
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

const LARGEST = 64 * 1024 * 1024;
const DEEPEST = 6;
const MOST_FILES = 50_000;

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
