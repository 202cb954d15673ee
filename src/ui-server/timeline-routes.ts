import { setTimeout as pause } from "node:timers/promises";
import { answeredAction, isCanary, wouldHave } from "../trace/outcome.ts";
import type { DecisionRecord } from "../trace/record.ts";
import { recordedText } from "../trace/recorded-event.ts";
import type { CallSource, SourceRecord } from "./call-source.ts";
import { dataOf, eventSentence, reportedCost } from "./event-sentence.ts";
import { refusedReply, type UiReply, type UiRoute } from "./route.ts";
import type { CallRow } from "./wire.ts";

/** Follows what is recorded for every page that is open; while none is, nothing is read. */
export interface LiveRecords {
  /** What is recorded from now on, as server-sent events. */
  events(signal: AbortSignal): AsyncGenerator<string, void, void>;
  close(): void;
}

/** Makes the one follower of a source. */
export function followCalls(source: CallSource): LiveRecords {
  const listeners = new Set<(event: string) => void>();
  let following: AbortController | undefined;

  async function follow(stop: AbortController): Promise<void> {
    for await (const record of source.follow(stop.signal)) {
      if (isCanary(record.results)) continue;
      const event = `data: ${JSON.stringify(callRow(record))}\n\n`;
      for (const listener of listeners) listener(event);
    }
  }

  function listen(listener: (event: string) => void): () => void {
    listeners.add(listener);
    if (following === undefined) {
      following = new AbortController();
      void follow(following);
    }
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      following?.abort();
      following = undefined;
    };
  }

  return {
    async *events(signal) {
      const waiting: string[] = [];
      let wake = () => {};
      const end = listen((event) => {
        waiting.push(event);
        // A page that does not read is notified once that it has missed something, instead of filling the memory.
        if (waiting.length > MAX_WAITING) waiting.splice(0, waiting.length, "event: missed\ndata: {}\n\n");
        wake();
      });
      signal.addEventListener("abort", () => wake(), { once: true });
      try {
        yield "event: open\ndata: {}\n\n";
        while (!signal.aborted) {
          if (waiting.length === 0) await resting((done) => (wake = done));
          yield waiting.length === 0 ? ": still here\n\n" : waiting.splice(0).join("");
        }
      } finally {
        end();
      }
    },
    close: () => {
      following?.abort();
      listeners.clear();
    },
  };
}

/** Waits until it is woken, or for so long that the other side may wonder. */
function resting(wakeBy: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, HEARTBEAT_MS);
    wakeBy(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** The calls of the past, newest first, one line of JSON each: a number of them, and beyond that only those that were stopped. */
export const listRows: UiRoute = ({ query, signal }, { source }): UiReply => ({
  type: "application/x-ndjson; charset=utf-8",
  lines: rowLines(source, numberIn(query.get("most"), MAX_ROWS), signal),
});

/** Every call from now on, as server-sent events. Each page that follows holds a connection, and others need one, too. */
export function liveRoute(live: LiveRecords): UiRoute {
  let open = 0;
  return ({ signal }): UiReply => {
    if (open >= MAX_FOLLOWING)
      return refusedReply(503, "Too many pages follow the calls already.", "Close one of them.");
    open++;
    signal.addEventListener("abort", () => open--, { once: true });
    return { type: "text/event-stream; charset=utf-8", lines: live.events(signal) };
  };
}

const OBJECTION = /"(?:action|told)":"(?:deny|ask)"/;

const MAX_FOLLOWING = 24;

async function* rowLines(source: CallSource, most: number, signal: AbortSignal): AsyncGenerator<string> {
  let [piece, count, looked, objections] = ["", 0, 0, 0];
  let began = performance.now();
  // Beyond the number that is asked for, only lines that may be denials or questions are read.
  const isWanted = (line: string) => count < most || OBJECTION.test(line);
  for await (const record of source.records(undefined, isWanted)) {
    if (signal.aborted || objections >= MAX_OBJECTIONS) break;
    looked++;
    // While a long journal is read, other requests are answered, and most of the time is left to the calls of agents.
    if (looked === FIRST_PIECE || looked % PIECE === 0) {
      if (piece !== "") yield piece;
      piece = "";
      await pause(Math.min(MAX_PAUSE_MS, 2 * (performance.now() - began)));
      began = performance.now();
    }
    if (isCanary(record.results)) continue;
    const row = callRow(record);
    if (count >= most) {
      if (!isObjection(row)) continue;
      objections++;
    }
    count++;
    piece += `${JSON.stringify(row)}\n`;
  }
  if (piece !== "") yield piece;
}

function numberIn(text: string | null, most: number): number {
  const number = Number(text ?? most);
  return Number.isInteger(number) && number > 0 ? Math.min(number, most) : most;
}

/** The short form of a record, as the timeline lists it. */
export function callRow(record: SourceRecord): CallRow {
  const { id, time, agent, session_id, root, cwd, event, tool, results, duration_ms, kept } = record;
  const parent = parentOf(record);
  const would = wouldHave(record);
  const hooks = results.filter(isTelling).map(({ hook }) => hook);
  const project = root ?? cwd;
  const data = dataOf(record);
  const named = (key: string) => (typeof data[key] === "string" && data[key] !== "" ? data[key] : undefined);
  const [sub, use, ran] = [named("agent_id"), named("tool_use_id"), data.duration_ms];
  return {
    id,
    at: Date.parse(time),
    ...(record.machine !== undefined && { machine: record.machine }),
    ...(agent !== undefined && { agent }),
    ...(session_id !== undefined && { session: session_id }),
    ...(parent !== undefined && { parent }),
    ...(sub !== undefined && { sub }),
    ...(use !== undefined && { use }),
    ...(project !== undefined && { root: project }),
    event: event || record.kind,
    ...(tool !== undefined && { tool }),
    action: record.background ? "background" : answeredAction(record),
    ...(would !== undefined && { would }),
    ms: duration_ms,
    ...(hooks.length > 0 && { hooks }),
    ...(typeof ran === "number" && { ran }),
    ...reportedCost(record),
    text: oneLine(eventSentence(record) ?? inProject(recordedText(record), project)),
    ...(results.some(({ failure }) => failure !== undefined) && { failed: true }),
    ...(kept !== undefined && { kept: true }),
    ...(record.reasons[0]?.startsWith("STALE_WRITE") && { stale: true }),
  };
}

/** Whether a call was stopped, or its user was asked: such rows are kept longer than others. */
function isObjection({ action }: Pick<CallRow, "action">): boolean {
  return action === "deny" || action === "ask";
}

function isTelling({ action, monitor, failure }: DecisionRecord["results"][number]): boolean {
  return action !== "continue" || failure !== undefined || (monitor !== undefined && monitor !== "continue");
}

/** The session that started this one, if the agent names it. */
function parentOf(record: DecisionRecord): string | undefined {
  const { parent_session: parent } = record as { readonly parent_session?: unknown };
  return typeof parent === "string" ? parent : undefined;
}

/** A path in the project as it is seen from there. */
function inProject(text: string, root: string | undefined): string {
  return root !== undefined && text.startsWith(`${root}/`) ? text.slice(root.length + 1) : text;
}

function oneLine(text: string): string {
  const line = text
    .slice(0, MAX_TEXT * 2)
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line;
}

const MAX_TEXT = 180;

/** What a page keeps in memory; beyond it only calls that were stopped. */
const MAX_ROWS = 50_000;
const MAX_OBJECTIONS = 10_000;
const PIECE = 250;
const MAX_PAUSE_MS = 40;
/** What a screen shows at once is sent first. */
const FIRST_PIECE = 60;

const MAX_WAITING = 5000;
const HEARTBEAT_MS = 15_000;
