import { answeredAction, isCanary, wouldHave } from "../trace/outcome.ts";
import type { DecisionRecord } from "../trace/record.ts";
import { recordedText } from "../trace/recorded-event.ts";
import type { CallSource, SourceRecord } from "./call-source.ts";
import { dataOf, eventSentence, reportedCost } from "./event-sentence.ts";
import { sumOf } from "./journal-index.ts";
import type { CallTally } from "./journal-tally.ts";
import { refusedReply, type UiReply, type UiRoute } from "./route.ts";
import { filtersIn, lineTest, rowTest, timesOf } from "./row-filters.ts";
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

/**
 * The calls of the past that filters leave, newest first, one line of JSON each. The last line has the place after which the next
 * ones are asked for; if it has none, these were all.
 */
export const listRows: UiRoute = ({ query, signal }, { source }): UiReply => ({
  type: "application/x-ndjson; charset=utf-8",
  lines: rowLines(source, query, signal),
});

/** What calls of the last month can be chosen by, the most frequent first. */
export const listChoices: UiRoute = async (_, { index }) => {
  const { agents, projects, hooks, tools, machines } = sumOf(await index.days(DAYS));
  const byCount = (counts: readonly (readonly [string, number])[]) =>
    counts
      .filter(([name, count]) => name !== "" && count > 0)
      .sort((one, other) => other[1] - one[1])
      .slice(0, MAX_CHOICES)
      .map(([name]) => name);
  const calls = (table: Readonly<Record<string, CallTally>>) =>
    byCount(Object.entries(table).map(([name, tally]) => [name, tally.calls]));
  const fired = Object.entries(hooks).map(
    ([name, { denied, asked, modified, would, broke }]) => [name, denied + asked + modified + would + broke] as const,
  );
  return {
    json: {
      agent: calls(agents),
      project: calls(projects),
      hook: byCount(fired),
      tool: byCount(Object.entries(tools)),
      machine: byCount(Object.entries(machines)),
    },
  };
};

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

const MAX_FOLLOWING = 24;

async function* rowLines(source: CallSource, query: URLSearchParams, signal: AbortSignal): AsyncGenerator<string> {
  const filters = filtersIn(query);
  const isShown = rowTest(filters);
  const search = {
    after: query.get("after") ?? undefined,
    ...timesOf(filters),
    mayFit: lineTest(filters),
    signal,
  };
  const most = numberIn(query.get("most"), PAGE);
  let [piece, count] = ["", 0];
  for await (const { record, place } of source.search(search)) {
    if (isCanary(record.results)) continue;
    const row = callRow(record);
    if (!isShown(row)) continue;
    count++;
    piece += `${JSON.stringify(count < most ? row : { ...row, place })}\n`;
    if (count >= most) break;
    if (count !== FIRST_PIECE && count % PIECE !== 0) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

function numberIn(text: string | null, usual: number): number {
  const number = Number(text ?? usual);
  return Number.isInteger(number) && number > 0 ? Math.min(number, MAX_PAGE) : usual;
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

/** How many rows come at once, and at most. */
const PAGE = 1000;
const MAX_PAGE = 10_000;
const PIECE = 250;
/** What a screen shows at once is sent first. */
const FIRST_PIECE = 60;

const DAYS = 30;
const MAX_CHOICES = 200;

const MAX_WAITING = 5000;
const HEARTBEAT_MS = 15_000;
