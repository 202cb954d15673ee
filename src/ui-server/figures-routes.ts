import { times, totalMs } from "../trace/call-statistics.ts";
import { type CallTally, localDay, noCalls, tallyCalls } from "./journal-tally.ts";
import type { UiRoute } from "./route.ts";
import type { FigureRow, Figures } from "./wire.ts";

/** Decisions by day, agent, project, hook and shape. */
export const showFigures: UiRoute = async ({ query }, { source }) => {
  const days = daysIn(query);
  const { all, days: byDay, agents, projects, hooks, shapes } = await tallyCalls(source, days);
  const figures: Figures = {
    ...row("", all),
    days,
    byDay: everyDay(days).map((day) => row(day, byDay.get(day) ?? noCalls())),
    byAgent: byCalls(rows(agents)),
    byProject: byCalls(rows(projects)),
    byHook: byCalls([...hooks].map(([name, { ran, ...tally }]) => row(name, { ...tally, calls: ran, kept: 0 }))).slice(
      0,
      MOST,
    ),
    byShape: byCalls(rows(shapes)).slice(0, MOST),
  };
  return { json: figures };
};

/** How many days a request asks about. */
export function daysIn(query: URLSearchParams): number {
  const days = Number(query.get("days"));
  return Number.isInteger(days) && days > 0 ? Math.min(days, 365) : 30;
}

/** The days up to today, also those without a call. */
function everyDay(days: number): string[] {
  const today = new Date();
  const at = (back: number) => new Date(today.getFullYear(), today.getMonth(), today.getDate() - back, 12);
  return Array.from({ length: days }, (_, index) => localDay(at(days - 1 - index)));
}

function rows(tallies: ReadonlyMap<string, CallTally>): FigureRow[] {
  return [...tallies].map(([name, tally]) => row(name, tally));
}

function row(name: string, { calls, denied, asked, modified, kept, took }: CallTally): FigureRow {
  const { p50, p95, p99 } = times(took);
  return { name, calls, denied, asked, modified, kept, ms: totalMs(took), p50, p95, p99 };
}

function byCalls(all: FigureRow[]): FigureRow[] {
  return all.sort((one, other) => other.calls - one.calls);
}

const MOST = 100;
