import { join, resolve } from "node:path";
import { ADAPTERS } from "../../adapters/index.ts";
import { shellWord } from "../../effects/parse/value.ts";
import { GIT } from "../../fs/run-git.ts";
import { folderProblem } from "../../policies/intent/intents-file.ts";
import { agentFiles, PROJECT_FILES } from "../../policies/protect/places.ts";
import { problems } from "../../problem/problem.ts";
import { unexplainedChanges } from "../../trace/change/audit.ts";
import { stateOf } from "../../trace/change/file-state.ts";
import { type FoundChange, findByHash, findByLine } from "../../trace/change/find-change.ts";
import { linesOf } from "../../trace/change/line-ranges.ts";
import { offChainRecords } from "../../trace/change/off-chain-records.ts";
import { type TracedProject, tracePaths } from "../../trace/change/trace-paths.ts";
import { type CommandInput, USAGE } from "../command.ts";
import { rootOf } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { reporterNamed } from "../show/findings.ts";
import { columns } from "../show/terminal-text.ts";
import { exportTrace, listTrace, mapTrace, reportTrace, verifyHere, warnOfBreak, whyOff } from "./trace-report.ts";

/** Looks through the record of changes: is it whole, who wrote this line, what is not explained. */
export async function run(input: CommandInput): Promise<Exit> {
  const [word = "list", ...more] = input.words;
  const act = Object.hasOwn(ACTS, word) ? ACTS[word] : undefined;
  if (act === undefined) throw USAGE.unknownSubcommand({ command: "trace", word, known: Object.keys(ACTS) });
  const extra = more[word === "find" ? 1 : 0];
  if (extra !== undefined) throw USAGE.unexpectedArgument({ command: `trace ${word}`, extra });
  const problem = folderProblem(rootOf(input));
  if (problem !== undefined) throw problem;
  return act(input);
}

const ACTS: Readonly<Record<string, (input: CommandInput) => Exit | Promise<Exit>>> = {
  verify: verifyHere,
  find: findInTrace,
  list: listTrace,
  audit: auditTrace,
  export: exportTrace,
  report: reportTrace,
  map: mapTrace,
};

/** Lists changed files that no recorded call explains; exit code 1 if there are some, or if that could not be found out. */
function auditTrace(input: CommandInput): Exit {
  const { io } = input;
  const reporter = reporterNamed(input);
  const root = rootOf(input);
  const off = whyOff(input);
  if (off !== undefined) io.err(off);
  const broken = warnOfBreak(input);
  const { looked_at, by, base, could_look, ...audit } = unexplainedChanges(
    { root, env: io.env },
    { base: input.text("base") },
  );
  const files = audit.files.map((file) => ({ ...file, ...withMeaning(file.path) }));
  const empty = looked_at === 0 ? nothingToLookAt(by, could_look, input) : undefined;
  const detail = ({ why, lines, what }: (typeof files)[number]) =>
    `${why}${lines === undefined ? "" : ` (${lines.join(", ")})`}${what === undefined ? "" : `: ${what}`}`;
  if (input.has("json")) io.out(JSON.stringify({ files, looked_at, by, base }, null, 2));
  else if (reporter !== undefined) {
    const findings = files.map((file) => ({
      level: "error" as const,
      code: "trace/unexplained-change",
      message: `No recorded call explains the change of ${file.path}: ${detail(file)}.`,
      fix: "A person, a program or an agent without hooks changed it.",
      place: { file: join(root, file.path) },
    }));
    const notes =
      empty === undefined ? [] : [{ level: "note" as const, code: "trace/nothing-to-look-at", message: empty }];
    for (const line of reporter({ command: "trace audit", findings: [...findings, ...notes], root, io })) io.out(line);
  } else if (empty !== undefined) io.out(empty);
  else if (files.length === 0) {
    const against = base === null ? "" : ` against ${base.slice(0, SHORT_COMMIT)}`;
    const count = looked_at === 1 ? "1 changed file" : `${looked_at} changed files`;
    io.out(
      broken
        ? `Nothing unexplained was found, but the trace is broken: ${count} looked at, explained by ${by}${against}.`
        : `Every change is explained: ${count} looked at, explained by ${by}${against}.`,
    );
  } else {
    io.out(`No recorded call explains these (${files.length} of ${looked_at} changed files):`);
    const rows = files.map((file) => [
      `  ${file.path}`,
      file.changed_at ?? "gone",
      file.size === null ? "" : `${file.size} bytes`,
      detail(file),
    ]);
    for (const line of columns(rows)) io.out(line);
    io.out(
      `A person, a program or an agent without hooks changed them.${by === GIT ? gitStep(input.text("base")) : ""}`,
    );
  }
  return files.length === 0 && !broken && (looked_at > 0 || could_look) ? "done" : "problem";
}

/** Why an audit has looked at no file, and what would make it look at more. */
function nothingToLookAt(by: typeof GIT | "time", couldLook: boolean, input: CommandInput): string {
  if (!couldLook)
    return "There is nothing to look at: this is not a git repository, and no change is recorded yet, so changed files cannot be found from others.";
  if (by === "time") return "There is nothing to look at: no file is younger than the first record.";
  const base = input.text("base");
  if (base !== undefined)
    return `There is nothing to look at: no file differs from ${base}, and git tracks every file.`;
  return "There is nothing to look at: no file differs from the last commit. `--base REF` also looks at what was committed since then.";
}

const SHORT_COMMIT = 10;

/** What a file is that Sluice's own commands write; nothing for all others. */
function withMeaning(path: string): { readonly what?: string } {
  if (PROJECT_FILES.includes(path) || path.startsWith(".sluice/"))
    return { what: "the configuration of Sluice, which `sluice init` and people write" };
  const isServer = ADAPTERS.some(({ recipe }) => recipe?.mcp?.files.project === path);
  if (isServer || agentFiles("project").includes(path))
    return { what: "settings of an agent, which `sluice install` and people write" };
  return {};
}

/** Says which call wrote a line, or lines with this hash: for which intent, in which session, by which decision. */
function findInTrace(input: CommandInput): Exit {
  const { io, words } = input;
  const [, wanted] = words;
  if (wanted === undefined) throw FIND_USAGE.nothingToFind({});
  const project = { root: rootOf(input), env: io.env };
  const place = placeIn(wanted);
  const found = place === undefined ? byHash(wanted, project) : findByLine(project, place.file, place.line);
  const missing = place && whyNowhere({ ...place, file: found[0]?.path ?? place.file }, project.root);
  const told = found.slice(0, MAX_SHOWN);
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

/** Why there is no such line now; undefined if there is one. */
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
  throw FIND_USAGE.noPlace({ wanted });
}

function shown({ record, path, recorded_path, start_line, end_line, state }: FoundChange, isOdd: boolean): string[] {
  const { timestamp, intent_id, agent, session_id, tool, decision, mutation_class, id } = record;
  const who = [agent, session_id && `session ${session_id}`].filter(Boolean).join(", ");
  return [
    `${path}${start_line === 0 ? "" : `:${start_line}-${end_line}`}  ${MEANINGS[state]}`,
    ...(recorded_path === undefined ? [] : [`  then      ${recorded_path}`]),
    `  intent    ${intent_id ?? "none"}`,
    `  when      ${timestamp}`,
    `  who       ${who || "unknown"}${tool === undefined ? "" : `, with ${tool}`}`,
    `  decision  ${decision === undefined ? "not known" : [decision.action, ...decision.reasons].join(": ")}`,
    `  kind      ${mutation_class}`,
    `  record    ${id}`,
    ...(isOdd ? ["  BROKEN    this record does not fit the trace around it; `sluice trace verify` shows more"] : []),
  ];
}

const MEANINGS: Readonly<Record<FoundChange["state"], string>> = {
  intact: "still as written",
  again: "written again as it was",
  moved: "still as written, at another place",
  rewritten: "written here, and changed since",
  recorded: "as recorded",
};
const MAX_SHOWN = 5;

const FIND_USAGE = problems("usage", {
  nothingToFind: (_: object) => ({
    what: "`sluice trace find` needs a line of a file, or a hash.",
    fix: "Write sluice trace find src/app.ts:12, or the hash of some lines.",
  }),
  noPlace: ({ wanted }: { wanted: string }) => ({
    what: `"${wanted}" is neither a line of a file nor a hash.`,
    fix: "Write sluice trace find src/app.ts:12, or the hash of some lines.",
  }),
});

/** The commands of git that show such changes. */
function gitStep(base: string | undefined): string {
  return ` \`git status\` names those that are not committed; \`git diff ${shellWord(base ?? "HEAD")}\` shows what is new in those that git tracks already.`;
}
