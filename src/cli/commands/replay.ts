import { hasCommit } from "../../replay/git-folder.ts";
import { journalCalls } from "../../replay/journal-calls.ts";
import { type PolicyPlace, policyNamed, policyOnDisk } from "../../replay/policy-source.ts";
import type { ReplayCall } from "../../replay/replay-call.ts";
import { type ReplayPolicy, replayCalls } from "../../replay/replay-calls.ts";
import { openings, type ReplayReport, reportJson } from "../../replay/replay-report.ts";
import { journalFolder } from "../../trace/journal.ts";
import type { CommandInput } from "../command.ts";
import { rootOf } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { momentOf, recordQuery } from "../recorded-calls.ts";
import { reporterNamed } from "../show/findings.ts";
import { replayFindings } from "../show/replay-findings.ts";
import { type ReplayNotes, replayText } from "../show/replay-text.ts";

/** Judges recorded calls by a changed policy and says what would open. Nothing is run. */
export async function run(input: CommandInput): Promise<Exit> {
  const { io } = input;
  const show = reporterOf(input);
  const place: PolicyPlace = { root: rootOf(input), cwd: io.cwd, env: io.env };
  const stated = input.text("policy");
  const after = stated === undefined ? policyOnDisk(place) : policyNamed(stated, place);
  const source = callsFrom(input);
  const before = olderPolicy(input, place);
  const report = await replayCalls({ calls: source.calls, before, after, env: io.env, since: source.since });
  const isAccepted = input.text("accept") === report.hash;
  const names = { before: before === "recorded" ? "what was recorded" : before.name, after: after.name };
  for (const line of show(report, { names, isAccepted, skipped: source.skipped() }, input)) io.out(line);
  return openings(report.changes).length > 0 && !isAccepted ? "problem" : "done";
}

type ShowReplay = (report: ReplayReport, notes: ReplayNotes, input: CommandInput) => readonly string[];

function reporterOf(input: CommandInput): ShowReplay {
  const reporter = reporterNamed(input);
  if (reporter !== undefined)
    return (report, { isAccepted }, { io, command }) => {
      const root = rootOf(input);
      return reporter({ command, findings: replayFindings(report, isAccepted, root), root, io });
    };
  if (input.has("json")) return (report) => [JSON.stringify(reportJson(report), null, 2)];
  return (report, notes, { io }) => replayText(report, notes, io);
}

interface CallSource {
  readonly calls: Iterable<ReplayCall>;
  readonly since: string;
  /** How many lines held no call. */
  readonly skipped: () => number;
}

function callsFrom(input: CommandInput): CallSource {
  const since = momentOf(input.text("since") ?? "30d");
  const counts = { broken: 0 };
  const { isHere } = recordQuery(input);
  const calls = journalCalls(journalFolder(input.io.env), { since, isHere, counts });
  return { calls, since, skipped: () => counts.broken };
}

/** What was committed last; where there is no commit, what was recorded. */
function olderPolicy(input: CommandInput, place: PolicyPlace): ReplayPolicy | "recorded" {
  const stated = input.text("against");
  if (stated === "recorded") return stated;
  if (stated !== undefined) return policyNamed(stated, place);
  return hasCommit(place.root) ? policyNamed("git:HEAD", place) : "recorded";
}
