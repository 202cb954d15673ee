import { setTimeout as pause } from "node:timers/promises";
import { isCanary } from "../trace/outcome.ts";
import { callRow, isObjection } from "./call-row.ts";
import type { CallSource } from "./call-source.ts";
import type { LiveRecords } from "./live-records.ts";
import { refusedReply, type UiReply, type UiRoute } from "./route.ts";

/** The calls of the past, newest first, one line of JSON each: a number of them, and beyond that only those that were stopped. */
export const listRows: UiRoute = ({ query, signal }, { source }): UiReply => ({
  type: "application/x-ndjson; charset=utf-8",
  lines: rowLines(source.records(), numberIn(query.get("most"), MOST_ROWS), signal),
});

/** Every call from now on, as server-sent events. Each page that follows holds a connection, and others need one, too. */
export function liveRoute(live: LiveRecords): UiRoute {
  let open = 0;
  return ({ signal }): UiReply => {
    if (open >= MOST_FOLLOWING)
      return refusedReply(503, "Too many pages follow the calls already.", "Close one of them.");
    open++;
    signal.addEventListener("abort", () => open--, { once: true });
    return { type: "text/event-stream; charset=utf-8", lines: live.events(signal) };
  };
}

const MOST_FOLLOWING = 24;

async function* rowLines(
  all: ReturnType<CallSource["records"]>,
  most: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let [piece, count, looked, objections] = ["", 0, 0, 0];
  let began = performance.now();
  for await (const record of all) {
    if (signal.aborted || objections >= MOST_OBJECTIONS) break;
    looked++;
    // While a long journal is read, other requests are answered, and most of the time is left to the calls of agents.
    if (looked === FIRST_PIECE || looked % PIECE === 0) {
      if (piece !== "") yield piece;
      piece = "";
      await pause(Math.min(LONGEST_PAUSE_MS, 2 * (performance.now() - began)));
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

/** What a page keeps in memory; beyond it only calls that were stopped. */
const MOST_ROWS = 50_000;
const MOST_OBJECTIONS = 10_000;
const PIECE = 250;
const LONGEST_PAUSE_MS = 40;
/** What a screen shows at once is sent first. */
const FIRST_PIECE = 60;
