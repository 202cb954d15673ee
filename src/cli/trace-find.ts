import { problems } from "../problem/problem.ts";
import { type FoundChange, findByHash, findByLine } from "../trace/change/find-change.ts";
import type { Input } from "./command.ts";
import { rootOf } from "./configuration.ts";
import type { Exit } from "./exit-codes.ts";

/** Says which call wrote a line, or lines with this hash: for which intent, in which session, by which decision. */
export function findInTrace(input: Input): Exit {
  const { io, words } = input;
  const [, wanted] = words;
  if (wanted === undefined) throw USAGE.nothingToFind({});
  const found = search(wanted, input);
  if (input.has("json")) io.out(JSON.stringify({ found }, null, 2));
  else if (found.length === 0) io.out(`No recorded call wrote ${wanted}.`);
  else for (const line of found.slice(0, MOST_SHOWN).flatMap(shown)) io.out(line);
  return found.length === 0 ? "problem" : "done";
}

function search(wanted: string, input: Input): FoundChange[] {
  const project = { root: rootOf(input), env: input.io.env };
  const [, file, line] = /^(.+):(\d+)$/.exec(wanted) ?? [];
  if (file !== undefined && line !== undefined && !/^sha256$/i.test(file))
    return findByLine(project, file, Number(line));
  if (/^(?:sha256:)?[0-9a-f-]{6,}$/i.test(wanted)) return findByHash(project, wanted);
  throw USAGE.noPlace({ wanted });
}

function shown({ record, path, start_line, end_line, state }: FoundChange): string[] {
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
  ];
}

const MEANINGS: Readonly<Record<FoundChange["state"], string>> = {
  intact: "still as written",
  moved: "still as written, at another place",
  rewritten: "written here, and changed since",
  recorded: "as recorded",
};
const MOST_SHOWN = 5;

const USAGE = problems("usage", {
  nothingToFind: (_: object) => ({
    what: "`sluice trace find` needs to know what to look for.",
    fix: "Write sluice trace find src/app.ts:12, or the hash of some lines.",
  }),
  noPlace: ({ wanted }: { wanted: string }) => ({
    what: `"${wanted}" is neither a line of a file nor a hash.`,
    fix: "Write sluice trace find src/app.ts:12, or the hash of some lines.",
  }),
});
