import { basename, join } from "node:path";
import { writeAtomic } from "../fs/write-atomic.ts";
import { problems } from "../problem/problem.ts";
import { agentTraceRecord } from "../trace/change/agent-trace.ts";
import type { ChangeRecord } from "../trace/change/change-record.ts";
import { htmlReport } from "../trace/change/html-report.ts";
import { intentMapText, mappedIntents } from "../trace/change/intent-map.ts";
import { changes } from "../trace/change/read-changes.ts";
import { tracePaths } from "../trace/change/trace-paths.ts";
import { verifyTrace } from "../trace/change/verify.ts";
import { columns } from "./columns.ts";
import { type CommandInput, USAGE } from "./command.ts";
import { rootOf, shortPath } from "./configuration.ts";
import type { Exit } from "./exit-codes.ts";
import { verdictOf, warnOfBreak } from "./trace-verify.ts";

/** Lists the latest changes. */
export function listTrace(input: CommandInput): Exit {
  const { io } = input;
  const records = lastOf(recordsOf(input), countOf(input.text("last") ?? "20"));
  if (input.has("json")) io.out(JSON.stringify({ changes: records }, null, 2));
  else if (records.length === 0) io.out("trace OK: nothing is recorded yet.");
  else for (const line of columns(records.flatMap(rowsOf))) io.out(line);
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
  const verdict = verdictOf(verifyTrace(tracePaths({ root, env: input.io.env })));
  input.io.write(1, htmlReport([...recordsOf(input)], basename(root), verdict));
  return "done";
}

/** Writes `.orchestration/intent_map.md` anew. */
export function mapTrace(input: CommandInput): Exit {
  const { io } = input;
  const { folder } = tracePaths({ root: rootOf(input), env: io.env });
  const intents = mappedIntents(recordsOf(input));
  const path = join(folder, "intent_map.md");
  writeAtomic(path, intentMapText(intents), "replace");
  if (input.has("json")) io.out(JSON.stringify({ file: path, intents }, null, 2));
  else io.out(`${shortPath(path, io)} maps ${intents.length === 1 ? "1 intent" : `${intents.length} intents`}.`);
  return "done";
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

function countOf(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw USAGE.notCounted({ option: "last", text, of: "changes" });
  return count;
}

const PROBLEMS = problems("usage", {
  noForm: (_: object) => ({
    what: "`sluice trace report` needs --html.",
    fix: "Write sluice trace report --html > changes.html",
  }),
});
