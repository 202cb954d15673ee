import { signal } from "@preact/signals";
import type { CallRow } from "../src/ui-server/wire.ts";
import { get, readLines } from "./api.ts";
import { countCall } from "./call-counts.ts";

/** A call as the pages keep it: what was recorded before the tool ran, about its permission, and after it ran. */
export interface Call extends CallRow {
  /** Tells this call from all others; ids alone come up twice. */
  readonly key: string;
  /** The records of the call, oldest first. */
  readonly phases: readonly CallRow[];
  /** All its text in small letters, for the search. */
  readonly words: string;
  /** The lane that it belongs to: its agent, and its session or its sub-agent. */
  readonly lane: string;
  /** The session, or the sub-agent in it. */
  readonly thread: string;
  /** The thread that started this one. */
  readonly above?: string;
  /** The tool reported an error. */
  readonly broke?: true;
  /** Milliseconds from the first record to the last. */
  readonly span?: number;
  /** Milliseconds since the call before it in the same thread. */
  gap?: number;
}

/** All calls that are known, newest first. The list stays the same object; `changes` reports that its content has changed. */
export const calls: Call[] = [];
/** Counts every change of the list. */
export const changes = signal(0);
/** What the last change put in front of the list; undefined if it did something else. */
export let cameLast: readonly Call[] | undefined;
/** Whether the past is still being read. */
export const isReading = signal(true);
/** Whether what happens now arrives. */
export const isLive = signal(false);

const known = new Set<string>();
/** The calls that more records may belong to. */
const spans = new Map<string, Call>();
/** The oldest call of each thread so far, and the newest. */
const oldest = new Map<string, Call>();
const newest = new Map<string, Call>();
let started: AbortController | undefined;

/** Reads the past once, and follows what comes, for as long as the page is open. */
export function startCalls(): void {
  if (started !== undefined) return;
  started = new AbortController();
  const { signal: stop } = started;
  void follow(stop);
  void readLines("/api/rows", takeOlder, stop)
    .catch(() => {})
    .finally(() => {
      isReading.value = false;
      tell();
    });
}

/** Calls of an exported file: they are all there at once. */
export function setCalls(rows: readonly CallRow[]): void {
  started = new AbortController();
  for (const row of rows) addOlder(row);
  sortCalls();
  isReading.value = false;
  tell();
}

/** Reports that the list has changed; a hidden page is notified when it is shown again. */
function tell(came?: readonly Call[]): void {
  if (document.hidden) document.addEventListener("visibilitychange", tellAll, { once: true });
  else {
    cameLast = came;
    changes.value++;
  }
}

const tellAll = () => tell();

/** Denials and questions. */
function isObjection({ action }: Pick<CallRow, "action">): boolean {
  return action === "deny" || action === "ask";
}

function takeOlder(lines: string[]): void {
  for (const line of lines) if (line !== "") addOlder(JSON.parse(line) as CallRow);
  sortCalls();
  tellSometimes();
}

/** The first calls are shown at once; while thousands follow, the page is drawn anew when there are twice as many, not for each piece. */
function tellSometimes(): void {
  if (calls.length < 2 * drawn) return;
  drawn = calls.length;
  tell();
}

let drawn = 0;

function addOlder(row: CallRow): void {
  const call = newCall(row);
  if (call === undefined) return;
  const later = oldest.get(call.thread);
  if (later !== undefined) later.gap = Math.max(0, later.at - call.at);
  else if (!newest.has(call.thread)) newest.set(call.thread, call);
  oldest.set(call.thread, call);
  if (call.at > (calls.at(-1)?.at ?? call.at)) isDisordered = true;
  calls.push(call);
}

/** Several processes write a journal, and several machines a database: what came out of order is put in its place. */
function sortCalls(): void {
  if (isDisordered) calls.sort((one, other) => other.at - one.at);
  isDisordered = false;
}

let isDisordered = false;

/** Follows what is recorded; a connection that breaks is made again. */
async function follow(stop: AbortSignal): Promise<void> {
  for (let wait = 500; !stop.aborted; wait = Math.min(wait * 2, 10_000)) {
    try {
      await readLines("/api/live", takeEvents, stop);
      wait = 500;
    } catch {}
    isLive.value = false;
    await new Promise((resolve) => setTimeout(resolve, wait));
    // What was recorded meanwhile is in the journal.
    await readLines("/api/rows?most=500", takeMissed, stop).catch(() => {});
  }
}

function takeEvents(lines: string[]): void {
  isLive.value = true;
  const missed = lines.includes("event: missed");
  takeNewer(lines.flatMap((line) => (line.startsWith('data: {"id"') ? [line.slice("data: ".length)] : [])));
  if (missed)
    void get("/api/hello").then(() => readLines("/api/rows?most=500", takeMissed, new AbortController().signal));
}

function takeMissed(lines: string[]): void {
  takeNewer(lines.filter((line) => line !== "").reverse());
}

function takeNewer(lines: readonly string[]): void {
  const before = known.size;
  const fresh = lines.flatMap((line) => newCall(JSON.parse(line) as CallRow) ?? []);
  if (known.size === before) return;
  for (const call of fresh) {
    const last = newest.get(call.thread);
    if (last !== undefined && last.at <= call.at) call.gap = call.at - last.at;
    newest.set(call.thread, call);
    if (!oldest.has(call.thread)) oldest.set(call.thread, call);
  }
  const isLatest = fresh.every(({ at }) => at >= (calls[0]?.at ?? 0));
  const isAlone = known.size - before === fresh.length;
  calls.unshift(...fresh.sort((one, other) => other.at - one.at));
  if (!isLatest) calls.sort((one, other) => other.at - one.at);
  const isDropped = dropOldAllowed();
  tell(isLatest && isAlone && !isDropped ? fresh : undefined);
}

/** Beyond the most that is kept, the oldest calls that stopped nothing are removed; returns whether any were. */
function dropOldAllowed(): boolean {
  if (calls.length <= MAX_CALLS + SLACK) return false;
  let left = calls.length - MAX_CALLS;
  const kept: Call[] = [];
  for (const call of calls.reverse()) {
    if (left <= 0 || isObjection(call)) kept.push(call);
    else {
      for (const row of call.phases) known.delete(keyOf(row));
      countCall(call, -1);
      left--;
    }
  }
  calls.length = 0;
  for (const call of kept.reverse()) calls.push(call);
  return true;
}

/** The call that a record begins; undefined if the record is known, or belongs to a call that is. */
function newCall(row: CallRow): Call | undefined {
  const key = keyOf(row);
  if (known.has(key)) return undefined;
  known.add(key);
  const span = spanKey(row);
  const other = span === undefined ? undefined : spans.get(span);
  if (other !== undefined && !other.phases.some(({ event }) => event === row.event)) {
    countCall(other, -1);
    const before = other.at;
    Object.assign(other, fieldsOf([...other.phases, row].sort((one, two) => one.at - two.at)));
    if (other.at !== before) isDisordered = true;
    countCall(other, 1);
    return undefined;
  }
  const call = fieldsOf([row]);
  if (span !== undefined) spans.set(span, call);
  countCall(call, 1);
  return call;
}

/** What the records before and after the run of a tool have in common. */
function spanKey({ event, session = "", agent = "", sub = "", tool, text, use }: CallRow): string | undefined {
  if (!PHASES.has(event)) return undefined;
  return use === undefined ? `${agent} ${session} ${sub} ${tool} ${text}` : `${session} ${use}`;
}

const PHASES: ReadonlySet<string> = new Set(
  "tool:pre_execute tool:post_execute tool:error permission:check permission:prompt permission:granted permission:denied".split(
    " ",
  ),
);

function fieldsOf(phases: readonly CallRow[]): Call {
  const first = phases.find(({ event }) => event === "tool:pre_execute") ?? (phases[0] as CallRow);
  const last = phases.at(-1) as CallRow;
  const hooks = [...new Set(phases.flatMap((row) => row.hooks ?? []))];
  const action = STRICTEST.find((one) => phases.some((row) => row.action === one)) ?? first.action;
  const would = phases.find((row) => row.would !== undefined)?.would;
  const ran = phases.find((row) => row.ran !== undefined)?.ran;
  const ended = phases.find(({ event }) => event === "tool:post_execute" || event === "tool:error");
  const thread = first.sub === undefined ? (first.session ?? "") : `${first.session ?? ""}/${first.sub}`;
  const above = first.sub === undefined ? first.parent : first.session;
  const words = [first.text, first.tool, first.session, first.agent, first.machine, ...hooks];
  return {
    ...first,
    phases,
    key: keyOf(first),
    action,
    thread,
    lane: laneNamed(`${first.agent ?? ""} ${thread}`),
    ms: phases.reduce((sum, { ms }) => sum + ms, 0),
    words: [...words, ...phases.map(({ id }) => id)].join(" ").toLowerCase(),
    ...(above !== undefined && above !== thread && { above }),
    ...(hooks.length > 0 && { hooks }),
    ...(would !== undefined && { would }),
    ...(ran !== undefined && { ran }),
    ...(ended !== undefined && ended !== first && { span: last.at - first.at }),
    ...(phases.some(({ failed }) => failed) && { failed: true }),
    ...(phases.some(({ kept }) => kept) && { kept: true }),
    ...(ended?.event === "tool:error" && { broke: true }),
  };
}

function keyOf({ at, id, machine }: CallRow): string {
  return `${at}-${id}${machine === undefined ? "" : `-${machine}`}`;
}

const STRICTEST = ["deny", "ask", "modify"];

/** One text for all calls of a lane: it is compared often. */
function laneNamed(name: string): string {
  const found = lanes.get(name) ?? name;
  lanes.set(name, found);
  return found;
}

const lanes = new Map<string, string>();

const MAX_CALLS = 50_000;
const SLACK = 2000;
