import { resolve } from "node:path";
import { findRoot } from "../config/root.ts";
import { isOfKind, isToolKind } from "../event/tool-kinds.ts";
import { realPath } from "../fs/resolve-path.ts";
import { compileGlob, type Test } from "../pattern/glob.ts";
import { didYouMean } from "../problem/nearest.ts";
import { problems } from "../problem/problem.ts";
import { knownSums } from "../trace/call-statistics.ts";
import type { CallSums } from "../trace/call-sums.ts";
import type { ReadCounts } from "../trace/file-lines.ts";
import { isCanary, OUTCOMES } from "../trace/outcome.ts";
import { findRecord, records, whyUnlisted } from "../trace/read.ts";
import type { DecisionRecord } from "../trace/record.ts";
import type { CommandInput } from "./command.ts";
import { rootOf } from "./configuration.ts";

/** The folder of the journal. Throws if there is one and it cannot be read: no command may then report that nothing is recorded. */
export function readableJournal(folder: string): string {
  const why = whyUnlisted(folder);
  if (why !== undefined) throw JOURNAL.unlisted({ folder, why });
  return folder;
}

/** Which calls of the past are meant. */
export interface RecordQuery {
  readonly matches: (record: DecisionRecord) => boolean;
  /** Whether a record with such sums can be among them. */
  readonly mayMatch: (sums: CallSums) => boolean;
  /** Whether a record that is written so can be among them. */
  readonly mayBe: (line: string) => boolean;
  /** Whether a project is meant. */
  readonly isHere: (project: Pick<DecisionRecord, "root" | "cwd">) => boolean;
  /** No record before this is meant; ISO 8601, in UTC. */
  readonly since: string | undefined;
  /** The project; nothing for all of them. */
  readonly root: string | undefined;
}

/** Reads which calls a person means; doctor's own calls are none of them. */
export function recordQuery(input: CommandInput, now = Date.now()): RecordQuery {
  const since = sinceOf(input.text("since"), now);
  const root = projectOf(input);
  const isHere = root === undefined ? () => true : inProject(root);
  const filters = Object.entries(FILTERS).flatMap(([option, filter]) => {
    const words = wordsOf(input, option, filter);
    if (words.length === 0) return [];
    const isMeant = (value: string) => words.some((word) => filter.holds(value, word));
    return [{ filter, isMeant, texts: words.map((word) => filter.text?.(word) ?? "") }];
  });
  const matches = (record: DecisionRecord) =>
    (since === undefined || record.time >= since) &&
    isHere(record) &&
    filters.every(({ filter, isMeant }) => filter.values(record).some(isMeant)) &&
    !isCanary(record.results);
  const mayMatch = (sums: CallSums) =>
    (since === undefined || sums.last >= since) &&
    filters.every(({ filter, isMeant }) => Object.keys(sums[filter.counted]).some(isMeant)) &&
    (root === undefined || sums.projects.some(isHere));
  const mayBe = (line: string) => filters.every(({ texts }) => texts.some((text) => line.includes(text)));
  return { matches, mayMatch, mayBe, isHere, since, root };
}

/** An option that chooses calls: what of a call it is held against, where that is counted, and when it fits. */
interface RecordFilter {
  readonly values: (record: DecisionRecord) => readonly string[];
  readonly counted: "agents" | "sessions" | "tools" | "hooks" | "outcomes";
  readonly holds: (value: string, word: string) => boolean;
  /** A text that the line of every matching record contains; every line may match when left out. */
  readonly text?: (word: string) => string | undefined;
  /** The allowed values; any if left out. */
  readonly known?: readonly string[];
}

const FILTERS: Readonly<Record<string, RecordFilter>> = {
  agent: {
    values: ({ agent }) => (agent === undefined ? [] : [agent]),
    counted: "agents",
    holds: (value, word) => value === word,
    text: (word) => JSON.stringify(word),
  },
  session: {
    values: ({ session_id: id }) => (id === undefined ? [] : [id]),
    counted: "sessions",
    holds: (value, word) => value.startsWith(word),
    text: (word) => JSON.stringify(word).slice(0, -1),
  },
  tool: {
    values: ({ tool }) => (tool === undefined ? [] : [tool]),
    counted: "tools",
    holds: (value, word) => (isToolKind(word) ? isOfKind(value, word) : globOf(word)(value)),
  },
  hook: {
    values: ({ results }) => results.map(({ hook }) => hook),
    counted: "hooks",
    holds: (value, word) => globOf(word)(value),
  },
  action: {
    values: (record) => Object.keys(OUTCOMES).filter((name) => OUTCOMES[name]?.(record)),
    counted: "outcomes",
    holds: (value, word) => value === word,
    text: (word) => OUTCOME_TEXTS[word],
    known: Object.keys(OUTCOMES),
  },
};

/** What is written in every record with such an outcome. */
const OUTCOME_TEXTS: Readonly<Record<string, string>> = {
  deny: '"deny"',
  ask: '"ask"',
  modify: '"modify"',
  feedback: '"deny"',
  monitor: '"monitor"',
  failed: '"failure"',
};

/** The selected records of a journal, newest first. Closed days whose sums exclude a match are not read. */
export function* chosenRecords(
  folder: string,
  { matches, mayMatch, mayBe, since }: RecordQuery,
  counts?: ReadCounts,
): Generator<DecisionRecord, void, void> {
  const wanted = (name: string) => {
    const sums = knownSums(folder, name);
    // Lines that are broken are counted, so all have to be looked at where there may be some.
    return sums === undefined || sums.broken > 0 || (mayMatch(sums) && mayBe);
  };
  for (const record of records(folder, counts, wanted)) {
    // Several processes write at once, each shortly after reading its clock.
    if (since === undefined || record.time >= since) {
      if (matches(record)) yield record;
    } else if (Date.parse(since) - Date.parse(record.time) > DISORDER_MS) return;
  }
}

const DISORDER_MS = 60 * 60 * 1000;

/** The recorded decision whose id begins so, where there is exactly one. */
export function recordById(id: string, journal: string): DecisionRecord | undefined {
  const found = /^[0-9a-f]{1,6}$/i.test(id) ? findRecord(journal, id) : undefined;
  return found?.found === "one" ? found.record : undefined;
}

/** The values that an option lists. */
function wordsOf(input: CommandInput, option: string, { known }: RecordFilter): readonly string[] {
  const words = input.texts(option).flatMap((text) => text.split(",").map((word) => word.trim()));
  const strange = known && words.find((word) => !known.includes(word));
  if (known !== undefined && strange !== undefined) throw PROBLEMS.unknownWord({ option, word: strange, known });
  return words;
}

const GLOBS = new Map<string, Test>();

function globOf(pattern: string): Test {
  const test = GLOBS.get(pattern) ?? compileGlob(pattern);
  GLOBS.set(pattern, test);
  return test;
}

function projectOf(input: CommandInput): string | undefined {
  const stated = input.text("project") ?? ".";
  if (stated === "all" || input.has("all")) return undefined;
  return stated === "." ? rootOf(input) : findRoot(resolve(input.io.cwd, stated));
}

/** Whether a call was made in a project; one that came to no decision is known by its folder. */
function inProject(root: string): (record: Pick<DecisionRecord, "root" | "cwd">) => boolean {
  const here = realPath(root);
  const known = new Map<string, boolean>();
  return ({ root: project, cwd }) => {
    const folder = project ?? cwd;
    if (folder === undefined) return false;
    const isKnown = known.get(folder);
    if (isKnown !== undefined) return isKnown;
    const is = realPath(project ?? findRoot(folder)) === here;
    known.set(folder, is);
    return is;
  };
}

function sinceOf(text: string | undefined, now: number): string | undefined {
  return text === undefined ? undefined : momentOf(text, now);
}

/** The time that `2h`, `7d` or a date means, in UTC; a date means its beginning here. */
export function momentOf(text: string, now = Date.now()): string {
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?)\s*([smhdw])$/.exec(text.trim()) ?? [];
  if (number !== "") return new Date(now - Number(number) * (UNITS[unit] ?? 0)).toISOString();
  const date = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00` : text);
  if (!/^\d{4}-/.test(text) || Number.isNaN(date.getTime())) throw PROBLEMS.noMoment({ text });
  return date.toISOString();
}

const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

const PROBLEMS = problems("usage", {
  noMoment: ({ text }: { text: string }) => ({
    what: `--since ${text}: neither a time span nor a date.`,
    fix: "Write --since 30m, 2h, 7d or 2026-01-31.",
  }),
  unknownWord: ({ option, word, known }: { option: string; word: string; known: readonly string[] }) => ({
    what: `--${option} ${word}: unknown.`,
    fix: `${didYouMean(word, known)} Known are ${known.join(", ")}; several are separated by commas.`.trim(),
  }),
});

const JOURNAL = problems("journal", {
  unlisted: ({ folder, why }: { folder: string; why: string }) => ({
    what: `The journal ${folder} cannot be read (${why}), so it is not known what was recorded.`,
    fix: "Make it a folder that you can read, or move it away: the next call begins a new one.",
  }),
});
