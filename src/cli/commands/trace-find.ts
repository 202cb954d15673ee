import { resolve } from "node:path";
import { problems } from "../../problem/problem.ts";
import { stateOf } from "../../trace/change/file-state.ts";
import { type FoundChange, findByHash, findByLine } from "../../trace/change/find-change.ts";
import { linesOf } from "../../trace/change/line-ranges.ts";
import { offChainRecords } from "../../trace/change/off-chain-records.ts";
import { type TracedProject, tracePaths } from "../../trace/change/trace-paths.ts";
import type { CommandInput } from "../command.ts";
import { rootOf } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { whyOff } from "./trace-report.ts";

/** Says which call wrote a line, or lines with this hash: for which intent, in which session, by which decision. */
export function findInTrace(input: CommandInput): Exit {
  const { io, words } = input;
  const [, wanted] = words;
  if (wanted === undefined) throw USAGE.nothingToFind({});
  const project = { root: rootOf(input), env: io.env };
  const place = placeIn(wanted);
  const found = place === undefined ? byHash(wanted, project) : findByLine(project, place.file, place.line);
  const missing = place && whyNowhere(place, project.root);
  const told = found.slice(0, MOST_SHOWN);
  const odd = offChainRecords(
    tracePaths(project),
    told.map(({ record }) => record.id),
  );
  if (input.has("json")) io.out(JSON.stringify({ found, ...(odd.size > 0 && { unfitting: [...odd] }) }, null, 2));
  else {
    if (missing !== undefined) io.out(missing);
    if (found.length === 0) io.out([`No recorded call wrote ${wanted}.`, whyOff(input) ?? ""].join(" ").trimEnd());
    for (const one of told) for (const line of shown(one, odd.has(one.record.id))) io.out(line);
  }
  return found.length === 0 ? "problem" : "done";
}

/** A line of a file. */
interface LinePlace {
  readonly file: string;
  readonly line: number;
}

function placeIn(wanted: string): LinePlace | undefined {
  const [, file, line] = /^(.+):(\d+)$/.exec(wanted) ?? [];
  return file === undefined || /^sha256$/i.test(file) ? undefined : { file, line: Number(line) };
}

/** Why there is no such line now; nothing when there is. */
function whyNowhere({ file, line }: LinePlace, root: string): string | undefined {
  const now = stateOf(resolve(root, file));
  if (now.kind === "missing") return `There is no file ${file} here.`;
  if (now.kind !== "text") return undefined;
  const count = linesOf(now.text).length;
  const has = count === 1 ? "1 line" : `${count} lines`;
  return line >= 1 && line <= count ? undefined : `There is no line ${line} in ${file}: it has ${has}.`;
}

function byHash(wanted: string, project: TracedProject): FoundChange[] {
  if (/^(?:sha256:)?[0-9a-f-]{6,}$/i.test(wanted)) return findByHash(project, wanted);
  throw USAGE.noPlace({ wanted });
}

function shown({ record, path, start_line, end_line, state }: FoundChange, isOdd: boolean): string[] {
  const { timestamp, intent_id, agent, session_id, tool, decision, mutation_class, id } = record;
  const who = [agent, session_id && `session ${session_id}`].filter(Boolean).join(", ");
  return [
    `${path}${start_line === 0 ? "" : `:${start_line}-${end_line}`}  ${MEANINGS[state]}`,
    `  intent    ${intent_id ?? "none"}`,
    `  when      ${timestamp}`,
    `  who       ${who || "unknown"}${tool === undefined ? "" : `, with ${tool}`}`,
    `  decision  ${decision === undefined ? "not known" : [decision.action, ...decision.reasons].join(": ")}`,
    `  kind      ${mutation_class}`,
    `  record    ${id}`,
    ...(isOdd ? ["  BROKEN    this record does not fit the trace around it; `sluice trace verify` tells more"] : []),
  ];
}

const MEANINGS: Readonly<Record<FoundChange["state"], string>> = {
  intact: "still as written",
  again: "written again as it was",
  moved: "still as written, at another place",
  rewritten: "written here, and changed since",
  recorded: "as recorded",
};
const MOST_SHOWN = 5;

const USAGE = problems("usage", {
  nothingToFind: (_: object) => ({
    what: "`sluice trace find` needs a line of a file, or a hash.",
    fix: "Write sluice trace find src/app.ts:12, or the hash of some lines.",
  }),
  noPlace: ({ wanted }: { wanted: string }) => ({
    what: `"${wanted}" is neither a line of a file nor a hash.`,
    fix: "Write sluice trace find src/app.ts:12, or the hash of some lines.",
  }),
});
