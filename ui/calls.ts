import { signal } from "@preact/signals";
import { type RowFilters, rowTest, wordsOf } from "../src/ui-server/row-filters.ts";
import type { CallRow } from "../src/ui-server/wire.ts";
import { exported, get, readLines } from "./api.ts";
import { CallCounts } from "./call-counts.ts";

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

/** Whether what happens now arrives. */
export const isLive = signal(false);

/** The calls that filters leave, newest first: the latest of them, older ones when they are asked for, and those that are made from now on. */
export class CallList {
  /** The list stays the same object; `changes` reports that its content has changed. */
  readonly calls: Call[] = [];
  /** Counts every change of the list. */
  readonly changes = signal(0);
  /** What the last change put in front of the list; undefined if it did something else. */
  cameLast: readonly Call[] | undefined;
  /** Whether the past is being read. */
  readonly isReading = signal(true);
  readonly counts = new CallCounts();
  readonly #filters: RowFilters;
  /** What asks for the calls that are older than those that are here; undefined if there are none. */
  #older: Readonly<Record<string, string>> | undefined = {};
  readonly #stop = new AbortController();
  readonly #known = new Set<string>();
  /** The calls that more records may belong to. */
  readonly #spans = new Map<string, Call>();
  /** The oldest call of each thread so far, and the newest. */
  readonly #oldest = new Map<string, Call>();
  readonly #newest = new Map<string, Call>();
  #isDisordered = false;
  #reading: Promise<void> | undefined;
  #drawn = 0;

  constructor(filters: RowFilters, rows?: readonly CallRow[]) {
    this.#filters = filters;
    if (rows === undefined) return;
    // Calls of an exported file are all there at once.
    for (const row of rows) this.#addOlder(row);
    this.#sort();
    this.#older = undefined;
    this.isReading.value = false;
  }

  /** Whether there may be calls that are older than those that are here. */
  get hasOlder(): boolean {
    return this.#older !== undefined;
  }

  /** Reads older calls, once at a time. */
  readOlder(): Promise<void> {
    if (this.#reading !== undefined || this.#older === undefined) return this.#reading ?? Promise.resolve();
    const before = this.calls.length;
    const query = new URLSearchParams({ ...this.#filters, ...this.#older });
    let place: string | undefined;
    const take = (lines: string[]) => {
      for (const line of lines) {
        if (line === "") continue;
        const row = JSON.parse(line) as CallRow;
        place = row.place;
        this.#addOlder(row);
      }
      this.#sort();
      this.#tellSometimes();
    };
    this.isReading.value = true;
    this.#reading = readLines(`/api/rows?${query}`, take, this.#stop.signal)
      .then(() => {
        this.#older = place === undefined ? undefined : { after: place };
      })
      .catch(() => {})
      .finally(() => {
        this.#reading = undefined;
        this.isReading.value = false;
        this.#tell();
      });
    // Some of what comes again after a file was set aside is known.
    return this.#reading.then(() => {
      if (place !== undefined && this.calls.length === before) return this.readOlder();
    });
  }

  close(): void {
    this.#stop.abort();
  }

  /** Puts what was recorded in front, as far as the filters leave it. */
  takeNewer(rows: readonly CallRow[]): void {
    const isShown = rowTest(this.#filters);
    const before = this.#known.size;
    const fresh = rows.flatMap((row) => (isShown(row) ? (this.#newCall(row) ?? []) : []));
    if (this.#known.size === before) return;
    for (const call of fresh) {
      const last = this.#newest.get(call.thread);
      if (last !== undefined && last.at <= call.at) call.gap = call.at - last.at;
      this.#newest.set(call.thread, call);
      if (!this.#oldest.has(call.thread)) this.#oldest.set(call.thread, call);
    }
    const isLatest = fresh.every(({ at }) => at >= (this.calls[0]?.at ?? 0));
    const isAlone = this.#known.size - before === fresh.length;
    this.calls.unshift(...fresh.sort((one, other) => other.at - one.at));
    if (!isLatest) this.calls.sort((one, other) => other.at - one.at);
    const isDropped = this.#dropOldest();
    this.#tell(isLatest && isAlone && !isDropped ? fresh : undefined);
  }

  /** Reports that the list has changed; a hidden page is notified when it is shown again. */
  #tell(came?: readonly Call[]): void {
    const tell = () => {
      this.cameLast = came;
      this.changes.value++;
    };
    if (document.hidden) document.addEventListener("visibilitychange", () => this.#tell(), { once: true });
    else tell();
  }

  /** The first calls are shown at once; while more follow, the page is drawn anew when there are twice as many, not for each piece. */
  #tellSometimes(): void {
    if (this.calls.length < 2 * this.#drawn) return;
    this.#drawn = this.calls.length;
    this.#tell();
  }

  #addOlder(row: CallRow): void {
    const call = this.#newCall(row);
    if (call === undefined) return;
    const later = this.#oldest.get(call.thread);
    if (later !== undefined) later.gap = Math.max(0, later.at - call.at);
    else if (!this.#newest.has(call.thread)) this.#newest.set(call.thread, call);
    this.#oldest.set(call.thread, call);
    if (call.at > (this.calls.at(-1)?.at ?? call.at)) this.#isDisordered = true;
    this.calls.push(call);
  }

  /** Several processes write a journal, and several machines a database: what came out of order is put in its place. */
  #sort(): void {
    if (this.#isDisordered) this.calls.sort((one, other) => other.at - one.at);
    this.#isDisordered = false;
  }

  /** Beyond the most that is kept, the oldest calls are removed, and read again when they are asked for; returns whether any were. */
  #dropOldest(): boolean {
    if (this.calls.length <= MAX_CALLS + SLACK) return false;
    for (const call of this.calls.splice(MAX_CALLS)) {
      for (const row of call.phases) this.#known.delete(keyOf(row));
      this.counts.add(call, -1);
    }
    this.#older = { to: String(this.calls.at(-1)?.at ?? 0) };
    return true;
  }

  /** The call that a record begins; undefined if the record is known, or belongs to a call that is. */
  #newCall(row: CallRow): Call | undefined {
    const key = keyOf(row);
    if (this.#known.has(key)) return undefined;
    this.#known.add(key);
    const span = spanKey(row);
    const other = span === undefined ? undefined : this.#spans.get(span);
    if (other !== undefined && !other.phases.some(({ event }) => event === row.event)) {
      this.counts.add(other, -1);
      const before = other.at;
      Object.assign(other, fieldsOf([...other.phases, row].sort((one, two) => one.at - two.at)));
      if (other.at !== before) this.#isDisordered = true;
      this.counts.add(other, 1);
      return undefined;
    }
    const call = fieldsOf([row]);
    if (span !== undefined) this.#spans.set(span, call);
    this.counts.add(call, 1);
    return call;
  }
}

const lists = new Map<string, CallList>();
let started = false;

/** The calls that filters leave. What is here already is not read again. */
export function listOf(set: RowFilters): CallList {
  if (Object.keys(set).length === 0) return allCalls;
  const key = JSON.stringify(set);
  const known = lists.get(key);
  const list = known ?? new CallList(set);
  // The list that was asked for last is the last one.
  lists.delete(key);
  lists.set(key, list);
  if (known === undefined) void list.readOlder();
  for (const [name, old] of lists) {
    if (lists.size <= MAX_LISTS) break;
    old.close();
    lists.delete(name);
  }
  return list;
}

/** Reads the past, and follows what comes, for as long as the page is open. */
export function startCalls(): void {
  if (started) return;
  started = true;
  void follow(new AbortController().signal);
  void allCalls.readOlder();
}

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
    await readLines(MISSED, takeMissed, stop).catch(() => {});
  }
}

function takeEvents(lines: string[]): void {
  isLive.value = true;
  const missed = lines.includes("event: missed");
  takeNewer(lines.flatMap((line) => (line.startsWith('data: {"id"') ? [line.slice("data: ".length)] : [])));
  if (missed) void get("/api/hello").then(() => readLines(MISSED, takeMissed, new AbortController().signal));
}

function takeMissed(lines: string[]): void {
  takeNewer(lines.filter((line) => line !== "").reverse());
}

function takeNewer(lines: readonly string[]): void {
  const rows = lines.map((line) => JSON.parse(line) as CallRow);
  for (const list of [allCalls, ...lists.values()]) list.takeNewer(rows);
}

const MISSED = "/api/rows?most=500";
const MAX_LISTS = 8;

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
  return {
    ...first,
    phases,
    key: keyOf(first),
    action,
    thread,
    lane: laneNamed(`${first.agent ?? ""} ${thread}`),
    ms: phases.reduce((sum, { ms }) => sum + ms, 0),
    words: [wordsOf({ ...first, hooks }), ...phases.map(({ id }) => id)].join(" "),
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

/** A call of which only its key is known: everything else is read when it is opened. */
export function callNamed(key: string): { readonly id: string; readonly at: number; readonly phases: [] } | undefined {
  const [, at, id = ""] = /^(\d+)-([0-9a-f]+)/.exec(key) ?? [];
  return at === undefined ? undefined : { id, at: Number(at), phases: [] };
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

/** How many calls a list holds. */
const MAX_CALLS = 50_000;
const SLACK = 2000;

/** The latest calls, whatever they are. It is made once all that it needs exists. */
export const allCalls = new CallList({}, exported?.rows);
