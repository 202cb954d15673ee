import { lstatSync } from "node:fs";
import { isAbsolute } from "node:path";
import { findRoot } from "../config/root.ts";
import { changes } from "../trace/change/read-changes.ts";
import { type TracedProject, traceFiles, tracePaths } from "../trace/change/trace-paths.ts";
import { verifyTrace } from "../trace/change/verify.ts";
import type { ReadCounts } from "../trace/file-lines.ts";
import { journalFolder } from "../trace/journal.ts";
import { missingParsers } from "../trace/mutation/classify-file.ts";
import { isCanary } from "../trace/outcome.ts";
import { records } from "../trace/read.ts";
import type { DecisionRecord } from "../trace/record.ts";
import { type Finding, fine, note, wrong } from "./finding.ts";

/** Whose journal is read, and which project is looked at. */
interface Looked {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly root: string;
  readonly now?: number;
  /** The names of the hooks that are there now; left out where that is not known. */
  readonly hooks?: ReadonlySet<string>;
}

/** This project's calls in the journal of the last day; failures in other projects are only notes. */
export function examineJournal({ env, root, now = Date.now(), hooks }: Looked): Finding[] {
  const counts: ReadCounts = { broken: 0 };
  const projects = new Map<string, Tally>();
  const unknown = new Set<string>();
  let calls = 0;
  for (const record of records(journalFolder(env), counts)) {
    if (Date.parse(record.time) < now - DAY_MS || calls >= MOST) break;
    // What doctor sends itself is not a call of an agent.
    if (isCanary(record.results)) continue;
    calls++;
    count(record, projects);
    if (record.kind === "unknown_moment") unknown.add(`${record.agent} ${record.event}`);
  }
  const here = projects.get(root);
  projects.delete(root);
  return [
    here === undefined
      ? note("no call was recorded here in the last day; no agent has called, or no hook matched.")
      : fine(`${counted(here.calls, "call")} recorded here in the last day`),
    ...(here === undefined ? [] : failures(here).map((failure) => judged(failure, hooks))),
    ...[...projects].flatMap(([folder, tally]) =>
      failures(tally).map(({ what, last }) =>
        note(`${folder === "" ? NOWHERE : `in ${folder}`}: ${what}.`, lookAt(last)),
      ),
    ),
    ...[...unknown].map((hookEvent) =>
      note(`${hookEvent} is a hook event that this version does not know; it passed.`),
    ),
    ...(counts.broken === 0
      ? []
      : [
          note(
            counts.broken === 1 ? "1 line of the journal is torn." : `${counts.broken} lines of the journal are torn.`,
          ),
        ]),
  ];
}

/** Which calls of an agent are looked for. */
interface Recorded {
  readonly env: Looked["env"];
  readonly agent: string;
  /** ISO 8601. */
  readonly since: string;
  /** The project in which the call was made; undefined for any. */
  readonly root: string | undefined;
}

/** Whether the journal has a tool call that this agent made since then; what doctor sends itself is left out. */
export function hasRecorded({ env, agent, since, root }: Recorded): boolean {
  const isNamed = (line: string) => line.includes(`"${agent}"`) && line.includes('"tool:pre_execute"');
  for (const record of records(journalFolder(env), { broken: 0 }, () => isNamed)) {
    if (record.time < since) return false;
    const isCall = record.agent === agent && record.event === "tool:pre_execute" && record.kind !== "unreadable";
    if (isCall && (root === undefined || record.root === root) && !isCanary(record.results)) return true;
  }
  return false;
}

/** What is known about the calls of one project. */
interface Tally {
  calls: number;
  unreadable: Failed | undefined;
  readonly failed: Map<string, Failed>;
  /** Hooks whose newest run did not fail. */
  readonly fine: Set<string>;
}

/** How often something failed, and the id of the last decision in which it did. */
interface Failed {
  readonly times: number;
  readonly last: string;
  /** Whether it has run since without failing. */
  readonly isOver: boolean;
  /** Whether it came from a file, and was not built in. */
  readonly isConfigured: boolean;
}

interface Failure extends Pick<Failed, "last" | "isOver"> {
  readonly what: string;
  /** The hook of a file that failed. */
  readonly hook?: string | undefined;
}

/** A failure that has ended is only a note: the hook is gone, or has run since without failing. */
function judged({ what, last, isOver, hook }: Failure, hooks: ReadonlySet<string> | undefined): Finding {
  if (hook !== undefined && hooks?.has(hook) === false) return note(`${what}; it is gone now.`);
  return isOver ? note(`${what}, and not since.`) : wrong(`${what}.`, lookAt(last));
}

function count(record: DecisionRecord, projects: Map<string, Tally>): void {
  const project = projectOf(record);
  const tally: Tally = projects.get(project) ?? { calls: 0, unreadable: undefined, failed: new Map(), fine: new Set() };
  projects.set(project, tally);
  if (!record.background) tally.calls++;
  if (record.kind === "unreadable") tally.unreadable = oneMore(tally.unreadable, record);
  for (const { hook, failure, file } of record.results) {
    const state = { isOver: tally.fine.has(hook), isConfigured: file !== undefined };
    if (failure) tally.failed.set(hook, oneMore(tally.failed.get(hook), record, state));
    else if (!tally.failed.has(hook)) tally.fine.add(hook);
  }
}

/** Records come newest first. */
function oneMore(
  failed: Failed | undefined,
  { id }: DecisionRecord,
  state: Pick<Failed, "isOver" | "isConfigured"> = { isOver: false, isConfigured: false },
): Failed {
  return { times: (failed?.times ?? 0) + 1, last: failed?.last ?? id, ...state };
}

/** The project of a call; one that could not be read may still name its folder. */
function projectOf({ root, cwd, event_json }: DecisionRecord): string {
  if (root !== undefined) return root;
  const folder = cwd ?? (Object(event_json) as { readonly cwd?: unknown }).cwd;
  return typeof folder === "string" && isAbsolute(folder) ? findRoot(folder) : "";
}

function failures({ failed, unreadable }: Tally): Failure[] {
  return [
    ...[...failed].map(([hook, { times, last, isOver, isConfigured }]) => ({
      what: `hook "${hook}" failed ${counted(times, "time")} in the last day`,
      last,
      isOver,
      hook: isConfigured ? hook : undefined,
    })),
    ...(unreadable === undefined
      ? []
      : [
          {
            what: `${counted(unreadable.times, "payload")} could not be read in the last day; the calls were blocked`,
            last: unreadable.last,
            isOver: false,
          },
        ]),
  ];
}

function lookAt(id: string): string {
  return `\`sluice why ${id}\` shows how it went the last time.`;
}

function counted(count: number, word: string): string {
  return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const MOST = 20_000;
const NOWHERE = "in a call without a folder";

/** Whether the trace of a project's changes is intact; undefined if there is none, and without a verdict if it takes long to read. */
export function examineTrace(project: TracedProject, most = MAX_BYTES): Finding[] {
  const place = tracePaths(project);
  const size = traceFiles(place).reduce((sum, path) => sum + sizeOf(path), 0);
  if (size > most) return [note(`the trace has ${Math.ceil(size / MIB)} MiB and was not looked through.`, VERIFY)];
  const { records, broken, notes } = verifyTrace(place);
  if (broken !== undefined) {
    const { file, line, why, kind, fitting } = broken;
    const rest = kind === "record" ? ` ${fitting === 1 ? "1 record fits" : `${fitting} records fit`} up to there.` : "";
    return [wrong(`the trace is broken: ${why}.${rest}`, LOOK, kind === "record" ? { file, line } : { file })];
  }
  if (records === 0) return [];
  const whole = fine(`trace OK, hash chain intact: ${records === 1 ? "1 record" : `${records} records`}`);
  return [whole, ...notes.map((text) => note(`the trace: ${text}.`))];
}

/** Reports the parsers that are not installed and would classify recorded changes. */
export async function examineParsers(project: TracedProject): Promise<Finding[]> {
  return (await missingParsers(changes(tracePaths(project)))).map(({ packages, languages }) =>
    note(
      `the trace records changes of ${languages.join(", ")} code as UNKNOWN, because their parser is not installed.`,
      `Run \`npm install ${packages}\` where sluice is installed.`,
    ),
  );
}

function sizeOf(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

const MIB = 1024 * 1024;
/** More takes longer than a second to read. */
const MAX_BYTES = 256 * MIB;
const VERIFY = "`sluice trace verify` looks at all of it.";
const LOOK = "Keep it as it is and find out which program wrote to it; `sluice trace verify` shows the details.";
