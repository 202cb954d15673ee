import type { CallRow } from "./wire.ts";

/** What calls can be narrowed by; on the timeline all of it is in the address. */
export const FILTERS = [
  ...(["agent", "machine", "project", "session", "event", "tool", "action", "hook", "text"] as const),
  ...(["last", "from", "to"] as const),
] as const;

export type FilterName = (typeof FILTERS)[number];

/** The filters that are set. */
export type RowFilters = Readonly<Partial<Record<FilterName, string>>>;

/** Times that are counted back from now: the name in the address, what it is called, and from when to when in minutes. */
export const TIMES = [
  ["15m", "last 15 minutes", 15, 0],
  ["1h", "last hour", 60, 0],
  ["around1h", "about an hour ago", 90, 45],
  ["3h", "last 3 hours", 180, 0],
  ["24h", "last 24 hours", 1440, 0],
  ["7d", "last 7 days", 10_080, 0],
] as const;

/** The filters of a query. */
export function filtersIn(query: URLSearchParams): RowFilters {
  return Object.fromEntries(FILTERS.flatMap((name) => (query.get(name) ? [[name, query.get(name) ?? ""]] : [])));
}

/** All text of a row in small letters, for the search. */
export function wordsOf({ text, tool, session, agent, machine, hooks = [], id }: CallRow): string {
  return [text, tool, session, agent, machine, ...hooks, id].join(" ").toLowerCase();
}

/** Whether filters leave a row. */
export function rowTest(set: RowFilters): (row: CallRow & { readonly words?: string }) => boolean {
  const tests = Object.entries(set).map(([name, value]) => TESTS[name as FilterName](value));
  return (row) => tests.every((test) => test(row));
}

/** The earliest and the latest time that filters leave. */
export function timesOf({ last, from, to }: RowFilters, now = Date.now()): { from?: number; to?: number } {
  const [, , begin, end] = TIMES.find(([name]) => name === last) ?? [];
  const froms = [from ? Number(from) : Number.NaN, begin ? now - begin * 60_000 : Number.NaN].filter(Number.isFinite);
  const tos = [to ? Number(to) : Number.NaN, end ? now - end * 60_000 : Number.NaN].filter(Number.isFinite);
  return {
    ...(froms.length > 0 && { from: Math.max(...froms) }),
    ...(tos.length > 0 && { to: Math.min(...tos) }),
  };
}

const TESTS: Readonly<Record<FilterName, (value: string) => (row: CallRow & { readonly words?: string }) => boolean>> =
  {
    agent: (value) => (row) => row.agent === value,
    machine: (value) => (row) => row.machine === value,
    project: (value) => (row) => row.root === value,
    session: (value) => (row) => row.session === value || row.parent === value,
    event: (value) => (row) => row.event === value,
    last: (value) => inTime({ last: value }),
    from: (value) => inTime({ from: value }),
    to: (value) => inTime({ to: value }),
    tool: (value) => (row) => row.tool === value,
    action: (value) => (row) => {
      if (value === "would") return row.would !== undefined;
      return value === "failed" || value === "stale" ? row[value] === true : row.action === value;
    },
    hook: (value) => (row) => row.hooks?.includes(value) ?? false,
    text: (value) => {
      const wanted = wordsIn(value);
      return (row) => {
        const words = row.words ?? wordsOf(row);
        return wanted.every((word) => words.includes(word));
      };
    },
  };

function inTime(set: RowFilters): (row: CallRow) => boolean {
  const { from = 0, to = Number.POSITIVE_INFINITY } = timesOf(set);
  return ({ at }) => at >= from && at <= to;
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/** Whether the line of a journal may hold a row that filters leave: lines that cannot are not read any further. */
export function lineTest(set: RowFilters): (line: string) => boolean {
  const tests = Object.entries(set).flatMap(([name, value]) => LINE_TESTS[name as FilterName]?.(value) ?? []);
  return (line) => tests.every((test) => test(line));
}

/** Whether the line of a journal may be a denial or a question. */
export const mayObject = (line: string) => OBJECTION.test(line);

const OBJECTION = /"(?:action|told)":"(?:deny|ask)"/;

const FIELDS: Readonly<Record<string, string>> = { would: '"monitor":', failed: '"failure":', stale: "STALE_WRITE" };

const has = (value: string) => {
  const written = JSON.stringify(value).slice(1, -1);
  return (line: string) => line.includes(written);
};

const LINE_TESTS: Readonly<Partial<Record<FilterName, (value: string) => (line: string) => boolean>>> = {
  agent: has,
  project: has,
  session: has,
  event: has,
  tool: has,
  hook: has,
  action: (value) => {
    if (value === "continue") return () => true;
    if (value === "deny" || value === "ask") return mayObject;
    const field = FIELDS[value];
    return field === undefined ? has(value) : (line) => line.includes(field);
  },
  // The sentence of an event that is not about a tool is not in the line.
  text: (value) => {
    const plain = wordsIn(value).filter((word) => !/["\\]/.test(word));
    return (line) => {
      const small = line.toLowerCase();
      return plain.every((word) => small.includes(word)) || !small.includes('"tool":');
    };
  },
};
