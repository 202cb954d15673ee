import { resolve } from "node:path";
import { findRoot } from "../config/root.ts";
import { isCanary } from "../decide/canary.ts";
import { isOfKind, isToolKind } from "../event/tool-kinds.ts";
import { realPath } from "../fs/resolve-path.ts";
import { compileGlob, type Test } from "../pattern/glob.ts";
import { didYouMean } from "../problem/nearest.ts";
import { problems } from "../problem/problem.ts";
import { isFeedback, toldAction, wouldHave } from "../trace/outcome.ts";
import { findRecord, type ReadCounts, records } from "../trace/read.ts";
import type { DecisionRecord } from "../trace/record.ts";
import type { CommandInput } from "./command.ts";
import { rootOf } from "./configuration.ts";

/** Which calls of the past are meant. */
export interface RecordQuery {
  readonly matches: (record: DecisionRecord) => boolean;
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
  const tests = [
    listed(input, "agent", ({ agent = "" }, word) => agent === word),
    listed(input, "session", ({ session_id: id = "" }, word) => id.startsWith(word)),
    listed(input, "tool", ({ tool = "" }, word) => (isToolKind(word) ? isOfKind(tool, word) : globOf(word)(tool))),
    listed(input, "hook", ({ results }, word) => results.some(({ hook }) => globOf(word)(hook))),
    listed(input, "action", hasAction, Object.keys(ACTIONS)),
  ];
  const matches = (record: DecisionRecord) =>
    (since === undefined || record.time >= since) &&
    isHere(record) &&
    tests.every((test) => test(record)) &&
    !isCanary(record.results);
  return { matches, since, root };
}

/** The records of a journal that are meant, newest first. */
export function* chosenRecords(
  folder: string,
  { matches, since }: RecordQuery,
  counts?: ReadCounts,
): Generator<DecisionRecord, void, void> {
  for (const record of records(folder, counts)) {
    // Several processes write at once, each a moment after it has looked at its clock.
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

const ACTIONS: Readonly<Record<string, (record: DecisionRecord) => boolean>> = {
  deny: (record) => toldAction(record) === "deny",
  ask: (record) => toldAction(record) === "ask",
  modify: (record) => toldAction(record) === "modify",
  continue: (record) => toldAction(record) === "continue",
  feedback: isFeedback,
  monitor: (record) => wouldHave(record) !== undefined,
  failed: ({ results }) => results.some(({ failure }) => failure !== undefined),
};

function hasAction(record: DecisionRecord, word: string): boolean {
  return Object.hasOwn(ACTIONS, word) && ACTIONS[word]?.(record) === true;
}

/** Whether one of the words that an option lists is meant; without the option everything is. */
function listed(
  input: CommandInput,
  option: string,
  isMeant: (record: DecisionRecord, word: string) => boolean,
  known?: readonly string[],
): (record: DecisionRecord) => boolean {
  const words = input.texts(option).flatMap((text) => text.split(",").map((word) => word.trim()));
  const strange = known && words.find((word) => !known.includes(word));
  if (known !== undefined && strange !== undefined) throw PROBLEMS.unknownWord({ option, word: strange, known });
  return words.length === 0 ? () => true : (record) => words.some((word) => isMeant(record, word));
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
function inProject(root: string): (record: DecisionRecord) => boolean {
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

/** The moment that `2h`, `7d` or a date means, in UTC; a date means its beginning here. */
function sinceOf(text: string | undefined, now: number): string | undefined {
  if (text === undefined) return undefined;
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
    fix: `${didYouMean(word, known)} It knows ${known.join(", ")}; several are separated by commas.`.trim(),
  }),
});
