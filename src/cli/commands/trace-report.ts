import { basename } from "node:path";
import { problems } from "../../problem/problem.ts";
import { agentTraceRecord } from "../../trace/change/agent-trace.ts";
import type { ChangeRecord } from "../../trace/change/change-record.ts";
import { htmlReport } from "../../trace/change/html-report.ts";
import { writeIntentMap } from "../../trace/change/intent-map.ts";
import { changes } from "../../trace/change/read-changes.ts";
import { tracePaths } from "../../trace/change/trace-paths.ts";
import { isTraced } from "../../trace/change/traced.ts";
import { traceVerdict, type Verified, verifyTrace } from "../../trace/change/verify.ts";
import { missingParsers } from "../../trace/mutation/classify-file.ts";
import { type CommandInput, countIn } from "../command.ts";
import { configurationOf, rootOf, shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { mapWords } from "../show/intents.ts";
import { columns } from "../show/terminal-text.ts";

/** Lists the latest changes. */
export async function listTrace(input: CommandInput): Promise<Exit> {
  const { io } = input;
  const records = lastOf(recordsOf(input), countIn(input.text("last") ?? "20", "last", "changes"));
  const off = whyOff(input);
  if (input.has("json"))
    io.out(JSON.stringify({ changes: records, tracing: off === undefined ? "on" : "off" }, null, 2));
  else if (records.length === 0) io.out(off ?? "trace OK: nothing is recorded yet.");
  else for (const line of columns(records.flatMap(rowsOf))) io.out(line);
  for (const { packages, languages } of await missingParsers(records))
    io.err(`Changes of ${languages.join(", ")} code are UNKNOWN: \`npm install ${packages}\` installs the parser.`);
  warnOfBreak(input);
  return "done";
}

/** Prints every record in the form of Agent Trace 0.1, one line each. */
export function exportTrace(input: CommandInput): Exit {
  if (input.has("json")) input.io.out(JSON.stringify([...exported(input)], null, 2));
  else for (const record of exported(input)) input.io.out(JSON.stringify(record));
  warnOfBreak(input);
  return "done";
}

/** Prints one page for a browser. */
export function reportTrace(input: CommandInput): Exit {
  if (!input.has("html")) throw PROBLEMS.noForm({});
  const root = rootOf(input);
  const verdict = traceVerdict(verifyTrace(tracePaths({ root, env: input.io.env })));
  input.io.write(1, htmlReport([...recordsOf(input)], basename(root), verdict));
  return "done";
}

/** Writes `.orchestration/intent_map.md` anew. */
export function mapTrace(input: CommandInput): Exit {
  const { io } = input;
  const map = writeIntentMap(tracePaths({ root: rootOf(input), env: io.env }), "always");
  if (input.has("json")) io.out(JSON.stringify(map ?? { file: null, intents: [] }, null, 2));
  else if (map === undefined) io.out(`${whyOff(input) ?? "Nothing is recorded yet."} No map was written.`);
  else io.out(mapWords(map.file, map.intents.length, io));
  return "done";
}

/** Why no change is recorded here, and what turns that on; undefined if changes are recorded. */
export function whyOff(input: CommandInput): string | undefined {
  const { root, settings } = configurationOf(input);
  if (isTraced({ root, ...settings })) return undefined;
  return settings.isTraceStated
    ? "Tracing is off here: the configuration has `trace: off`. No change is recorded."
    : "Tracing is off here: no change is recorded. `trace: on` in .sluice/hooks.yaml turns it on.";
}

/** One after the other: a long trace does not have to fit into memory. */
function recordsOf(input: CommandInput): Generator<ChangeRecord, void, void> {
  return changes(tracePaths({ root: rootOf(input), env: input.io.env }));
}

function* exported(input: CommandInput): Generator<object, void, void> {
  for (const record of recordsOf(input)) if (record.files.length > 0) yield agentTraceRecord(record);
}

function lastOf<T>(items: Iterable<T>, count: number): T[] {
  const last: T[] = [];
  for (const item of items) {
    last.push(item);
    if (last.length >= 2 * count) last.splice(0, last.length - count);
  }
  return last.slice(-count);
}

function rowsOf({ timestamp, intent_id, agent = "", mutation_class, files }: ChangeRecord): string[][] {
  const names = files.map(({ relative_path, deleted, ranges }) => {
    const lines = ranges.map(({ start_line, end_line }) =>
      start_line === end_line ? `${start_line}` : `${start_line}-${end_line}`,
    );
    return `${relative_path}${deleted ? " (deleted)" : lines.length === 0 ? "" : `:${lines.join(",")}`}`;
  });
  return [[timestamp, intent_id ?? "–", agent, mutation_class, names.join(" ")]];
}

/** Reports whether the trace of this project is intact, also by the exit code. */
export function verifyHere(input: CommandInput): Exit {
  const { io } = input;
  const place = tracePaths({ root: rootOf(input), env: io.env });
  const verified = verifyTrace(place);
  const { records, broken, notes } = verified;
  if (input.has("json"))
    io.out(JSON.stringify({ whole: broken === undefined, records, ...(broken ? { broken } : {}), notes }, null, 2));
  else for (const line of linesOf(verified, io, place.file)) io.out(line);
  const off = records === 0 ? whyOff(input) : undefined;
  if (off !== undefined) io.err(off);
  return broken === undefined ? "done" : "problem";
}

/** Warns about a trace whose hash chain is broken, and returns whether it is. */
export function warnOfBreak(input: CommandInput): boolean {
  const { io } = input;
  const { broken } = verifyTrace(tracePaths({ root: rootOf(input), env: io.env }));
  if (broken === undefined) return false;
  const line = broken.kind === "record" ? `:${broken.line}` : "";
  io.err(`${shortPath(broken.file, io)}${line}: trace BROKEN: ${broken.why}.`);
  io.err(`  ${reliance(broken)}\`sluice trace verify\` shows the details.`);
  return true;
}

function reliance({ kind, fitting }: NonNullable<Verified["broken"]>): string {
  if (kind === "record") return `Records from ${fitting + 1} on cannot be relied on. `;
  return kind === "end" ? "No record in it can be relied on. " : "";
}

/** A break names its own file, which may be another one than that of the newest records. */
function linesOf(verified: Verified, io: CommandInput["io"], file: string): string[] {
  const { broken, notes } = verified;
  const told =
    broken === undefined ? verified : { ...verified, broken: { ...broken, file: shortPath(broken.file, io) } };
  const head = broken === undefined ? `${shortPath(file, io)}: ` : "";
  const steps = broken === undefined ? [] : [`  ${STEPS[broken.kind]}`, ...fittingLine(broken.fitting)];
  return [`${head}${traceVerdict(told)}`, ...steps, ...notes.map((note) => `  note: ${note}`)];
}

/** What is left of the trace before the break; empty if nothing is left. */
function fittingLine(count: number): string[] {
  if (count === 0) return [];
  return [count === 1 ? "  The record before it is intact." : `  The ${count} records before it are intact.`];
}

const STEPS: Readonly<Record<NonNullable<Verified["broken"]>["kind"], string>> = {
  record: "Keep the file as it is and find out which program wrote to it.",
  end: "Keep the file as it is, find out which program wrote to it, and compare it with a commit, a backup or an export.",
  gone: "Find out which program removed it, and restore it from a commit or a backup.",
  link: "Find out which program replaced it with a symlink, and restore the file.",
  unreadable: "Make it a file that you can read.",
};

const PROBLEMS = problems("usage", {
  noForm: (_: object) => ({
    what: "`sluice trace report` needs --html.",
    fix: "Write sluice trace report --html > changes.html",
  }),
});
