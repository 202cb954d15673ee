import { signal } from "@preact/signals";
import type { CallRow } from "../src/ui-server/wire.ts";
import { get, readLines } from "./api.ts";
import { countCall } from "./call-counts.ts";

/** A recorded call as the pages keep it. */
export interface Call extends CallRow {
  /** Tells this call from all others; ids alone come up twice. */
  readonly key: string;
  /** All its words in small letters, for the search. */
  readonly words: string;
  /** The lane that it belongs to: its agent and its session. */
  readonly lane: string;
  /** Milliseconds since the call before it in the same session. */
  gap?: number;
}

/** All calls that are known, newest first. The list is one and the same; `changes` says that it is another now. */
export const calls: Call[] = [];
/** Counts every change of the list. */
export const changes = signal(0);
/** What the last change put in front of the list; nothing when it did something else. */
export let cameLast: readonly Call[] | undefined;
/** Whether the past is still being read. */
export const isReading = signal(true);
/** Whether what happens now arrives. */
export const isLive = signal(false);

const known = new Set<string>();
/** The oldest call of each session so far, and the newest. */
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
  for (const row of rows) addOlder(callOf(row));
  sortCalls();
  isReading.value = false;
  tell();
}

/** Says that the list is another now; a page that is not looked at is told when it is again. */
function tell(came?: readonly Call[]): void {
  if (document.hidden) document.addEventListener("visibilitychange", tellAll, { once: true });
  else {
    cameLast = came;
    changes.value++;
  }
}

const tellAll = () => tell();

/** Objections among the calls, for counts. */
function isObjection({ action }: Pick<CallRow, "action">): boolean {
  return action === "deny" || action === "ask";
}

function takeOlder(lines: string[]): void {
  for (const line of lines) if (line !== "") addOlder(callOf(JSON.parse(line) as CallRow));
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

function addOlder(call: Call): void {
  if (known.has(call.key)) return;
  known.add(call.key);
  const session = call.session ?? "";
  const later = oldest.get(session);
  if (later !== undefined) later.gap = later.at - call.at;
  else if (!newest.has(session)) newest.set(session, call);
  oldest.set(session, call);
  if (call.at > (calls.at(-1)?.at ?? call.at)) isDisordered = true;
  calls.push(call);
  countCall(call, 1);
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
    // What was recorded meanwhile lies in the journal.
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
  const fresh = lines.map((line) => callOf(JSON.parse(line) as CallRow)).filter(({ key }) => !known.has(key));
  if (fresh.length === 0) return;
  for (const call of fresh) {
    known.add(call.key);
    const session = call.session ?? "";
    const before = newest.get(session);
    if (before !== undefined && before.at <= call.at) call.gap = call.at - before.at;
    newest.set(session, call);
    if (!oldest.has(session)) oldest.set(session, call);
    countCall(call, 1);
  }
  const isLatest = fresh.every(({ at }) => at >= (calls[0]?.at ?? 0));
  calls.unshift(...fresh.sort((one, other) => other.at - one.at));
  if (!isLatest) calls.sort((one, other) => other.at - one.at);
  const isDropped = dropOldAllowed();
  tell(isLatest && !isDropped ? fresh : undefined);
}

/** Beyond the most that is kept, the oldest go that stopped nothing; says whether any did. */
function dropOldAllowed(): boolean {
  if (calls.length <= MOST_CALLS + SLACK) return false;
  let left = calls.length - MOST_CALLS;
  const kept: Call[] = [];
  for (const call of calls.reverse()) {
    if (left <= 0 || isObjection(call)) kept.push(call);
    else {
      known.delete(call.key);
      countCall(call, -1);
      left--;
    }
  }
  calls.length = 0;
  for (const call of kept.reverse()) calls.push(call);
  return true;
}

function callOf(row: CallRow): Call {
  const words = [row.text, row.tool, row.session, row.agent, row.machine, row.id, ...(row.hooks ?? [])]
    .join(" ")
    .toLowerCase();
  const key = `${row.at}-${row.id}${row.machine === undefined ? "" : `-${row.machine}`}`;
  return Object.assign(row, { key, words, lane: laneNamed(`${row.agent ?? ""} ${row.session ?? ""}`) });
}

/** One text for all calls of a lane: it is compared often. */
function laneNamed(name: string): string {
  const known = lanes.get(name) ?? name;
  lanes.set(name, known);
  return known;
}

const lanes = new Map<string, string>();

const MOST_CALLS = 50_000;
const SLACK = 2000;
