import { existsSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { adapterNamed } from "../../adapters/index.ts";
import { readContainSettings } from "../../config/contain-settings.ts";
import { shellWord } from "../../effects/parse/value.ts";
import { isTestFile } from "../../examples/plan.ts";
import { realPath } from "../../fs/resolve-path.ts";
import { writeAtomic } from "../../fs/write-atomic.ts";
import { localCandidate } from "../../packs/local-source.ts";
import { problems } from "../../problem/problem.ts";
import { projectsHere } from "../../replay/checkouts.ts";
import { containedCalls } from "../../replay/contained-calls.ts";
import { hasCommit } from "../../replay/git-folder.ts";
import { journalCalls } from "../../replay/journal-calls.ts";
import { withLittleMemory } from "../../replay/little-memory.ts";
import type { PolicyPack } from "../../replay/pack-policy.ts";
import { olderPolicyNamed, type PolicyPlace, policyNamed, policyOnDisk } from "../../replay/policy-source.ts";
import type { ReplayCall } from "../../replay/replay-call.ts";
import { type ReplayPolicy, replayCalls } from "../../replay/replay-calls.ts";
import { replayPage } from "../../replay/replay-page.ts";
import { type ReplayReport, reportJson } from "../../replay/replay-report.ts";
import { replayTests, TESTS_HEAD } from "../../replay/replay-tests.ts";
import { sparedQuestions } from "../../replay/spared-questions.ts";
import { agentsWithHistory, callsOfFile, transcriptCalls } from "../../replay/transcript-calls.ts";
import { journalFolder } from "../../trace/journal.ts";
import type { CommandInput } from "../command.ts";
import { configurationOf, rootOf } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { momentOf } from "../recorded-calls.ts";
import { hasErrors, reporterNamed } from "../show/findings.ts";
import { containedCallsText, type ReplayNotes, replayFindings, replayText, sparedText } from "../show/replay-text.ts";

/** Judges recorded calls by a changed policy and reports what would open. Nothing is run. */
export async function run(input: CommandInput): Promise<Exit> {
  const { io } = input;
  if (input.has("approve") || input.has("contain")) return showSetting(input);
  const show = reporterOf(input);
  const root = rootOf(input);
  const place: PolicyPlace = { root, cwd: io.cwd, env: io.env, readArchive: (path) => packInArchive(path, root) };
  const stated = input.text("policy");
  const after = stated === undefined ? policyOnDisk(place) : policyNamed(stated, place);
  const source = callsFrom(input, place, after.isUsers ?? false);
  const before = olderPolicy(input, place, after, source.isJournal);
  const request = { calls: source.calls, before, after, env: io.env, since: source.since };
  const report = await withLittleMemory(() => replayCalls(request));
  for (const policy of [before, after]) if (policy !== "recorded") policy.close?.();
  const isAccepted = input.text("accept") === report.hash;
  const names = { before: before === "recorded" ? "what was recorded" : before.name, after: after.name };
  for (const line of unreadLines([before, after], root)) io.err(line);
  writeFiles(report, names, input);
  const notes = { names, isAccepted, skipped: source.skipped(), whenEmpty: source.whenEmpty };
  for (const line of show(report, notes, input)) io.out(line);
  return hasErrors(replayFindings(report, notes, root)) ? "problem" : "done";
}

/** What `approve: known` or `contain` would have meant. */
async function showSetting(input: CommandInput): Promise<Exit> {
  const { io } = input;
  const mode = input.text("contain");
  if (mode === undefined && input.text("approve") !== "known")
    throw PROBLEMS.otherApproval({ stated: input.text("approve") ?? "" });
  const contain = mode === undefined ? undefined : readContainSettings(mode, configurationOf(input).settings.contain);
  if (mode !== undefined && contain === undefined) throw PROBLEMS.otherContain({ stated: mode });
  const root = rootOf(input);
  const source = callsFrom(
    input,
    { root, cwd: io.cwd, env: io.env, readArchive: (path) => packInArchive(path, root) },
    false,
  );
  const print = <Found>(found: Found, text: (found: Found, whenEmpty: string) => string[]) => {
    for (const line of input.has("json") ? [JSON.stringify(found, null, 2)] : text(found, source.whenEmpty))
      io.out(line);
  };
  if (contain === undefined) print(await withLittleMemory(() => sparedQuestions(source.calls)), sparedText);
  else print(await withLittleMemory(() => containedCalls(source.calls, contain)), containedCallsText);
  return "done";
}

/** Parts of the policies that cannot be read: each once, with its place and the step that mends it. */
function unreadLines(policies: readonly (ReplayPolicy | "recorded")[], root: string): readonly string[] {
  const lines = policies.flatMap((policy) => {
    if (policy === "recorded") return [];
    const placeOf = (file: string) => policy.fileOf?.(file, root) ?? file;
    return (policy.unread ?? []).map(({ message, fix, place }) => {
      const where =
        place === undefined ? "" : `${placeOf(place.file)}${place.line === undefined ? "" : `:${place.line}`}: `;
      return `${policy.name} cannot be read whole: ${where}${message}\n  ${fix}`;
    });
  });
  return [...new Set(lines)];
}

/** A pack as it would be added; the files that it would run are not on disk yet. */
function packInArchive(path: string, root: string): PolicyPack {
  const { name, version, files } = localCandidate(path, root);
  return { name, version, folder: path, files: new Map(files.map((file) => [file.path, file.content])) };
}

/** Writes what a person asks for, and nothing else. */
function writeFiles(report: ReplayReport, names: ReplayNotes["names"], input: CommandInput): void {
  const { io } = input;
  const [page, tests] = [input.text("html"), input.text("make-tests")];
  if (page !== undefined) {
    writeAtomic(resolve(io.cwd, page), replayPage(report, names));
    io.err(`Wrote ${page}.`);
  }
  if (tests === undefined) return;
  const path = resolve(io.cwd, tests);
  if (!isTestFile(basename(path))) throw PROBLEMS.noTestName({ tests });
  if (existsSync(path) && !readFileSync(path, "utf8").startsWith(TESTS_HEAD)) throw PROBLEMS.ownTests({ tests });
  const text = replayTests(report.changes);
  if (text === undefined) {
    const left = existsSync(path) ? " The file stays as it is." : "";
    io.err(`--make-tests ${tests}: there is nothing to make tests from: ${NO_TESTS} Nothing was written.${left}`);
    return;
  }
  writeAtomic(path, text);
  io.err(`Wrote ${tests}; \`sluice test ${shellWord(tests)}\` runs it.`);
}

type ShowReplay = (report: ReplayReport, notes: ReplayNotes, input: CommandInput) => readonly string[];

function reporterOf(input: CommandInput): ShowReplay {
  const reporter = reporterNamed(input);
  if (reporter !== undefined)
    return (report, notes, { io, command }) => {
      const root = rootOf(input);
      return reporter({ command, findings: replayFindings(report, notes, root), root, io });
    };
  if (input.has("json")) return (report) => [JSON.stringify(reportJson(report), null, 2)];
  return (report, notes, { io }) => replayText(report, notes, io);
}

interface CallSource {
  readonly calls: Iterable<ReplayCall> | AsyncIterable<ReplayCall>;
  /** Whether what was decided is known to Sluice; of other calls it is only known that they were made. */
  readonly isJournal: boolean;
  readonly since: string;
  /** How many lines held no call. */
  readonly skipped: () => number;
  /** What to do where there is none. */
  readonly whenEmpty: string;
}

function callsFrom(input: CommandInput, { root, cwd, env }: PolicyPlace, isEverywhere: boolean): CallSource {
  const since = momentOf(input.text("since") ?? "30d");
  const from = input.text("from") ?? "journal";
  const counts = { broken: 0 };
  const skipped = () => counts.broken;
  if (adapterNamed(from) !== undefined)
    return {
      calls: transcriptCalls(from, { env, root, since, counts }),
      isJournal: false,
      since,
      skipped,
      whenEmpty: `${from} has kept no call since ${since.slice(0, 10)}; \`--since 90d\`, for example, looks further back.`,
    };
  // A file is looked at whole, however old its calls are, unless a time is named.
  const named = input.has("since") ? since : "";
  if (from !== "journal")
    return {
      calls: callsOfFile(resolve(cwd, from), { env, root, since: named, counts }),
      isJournal: true,
      since: named,
      skipped,
      whenEmpty: `${from} has no call${named === "" ? "" : ` since ${named.slice(0, 10)}`} that could be read; \`sluice log --json\` writes such a file.`,
    };
  const projectHere = projectsHere(root);
  const here = realPath(root);
  const isHere = ({ root: project, cwd: folder }: { readonly root?: string; readonly cwd?: string }) =>
    isEverywhere || projectHere(project ?? folder ?? "/") === here;
  const calls = journalCalls(journalFolder(input.io.env), { since, isHere, counts });
  const whenEmpty = `No call is recorded here; \`--from\` reads the history of an agent: ${agentsWithHistory().join(", ")}.`;
  return { calls, isJournal: true, since, skipped, whenEmpty };
}

/** The policy of the last commit; without a commit, and for the history of agents, the recorded decisions. */
function olderPolicy(
  input: CommandInput,
  place: PolicyPlace,
  after: ReplayPolicy,
  isJournal: boolean,
): ReplayPolicy | "recorded" {
  const stated = input.text("against");
  if (stated === "recorded") return stated;
  if (stated !== undefined) return olderPolicyNamed(stated, after, place);
  return isJournal && hasCommit(place.root) ? olderPolicyNamed("git:HEAD", after, place) : "recorded";
}

const NO_TESTS = "no recorded call that is whole is decided otherwise by the newer policy.";

const PROBLEMS = problems("replay", {
  otherApproval: ({ stated }: { stated: string }) => ({
    what: `--approve ${stated}: the only setting that can be tried is \`known\`.`,
    fix: "Write --approve known.",
  }),
  otherContain: ({ stated }: { stated: string }) => ({
    what: `--contain ${stated}: unknown mode.`,
    fix: "Write --contain unknown or --contain all.",
  }),
  noTestName: ({ tests }: { tests: string }) => ({
    what: `--make-tests ${tests}: \`sluice test\` finds no tests in a file of that name.`,
    fix: "End the name in .hooks.test.yaml: --make-tests replay.hooks.test.yaml",
  }),
  ownTests: ({ tests }: { tests: string }) => ({
    what: `--make-tests ${tests}: the file is there, and no replay has made it.`,
    fix: "Name another file, or remove this one.",
  }),
});
