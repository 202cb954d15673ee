import type { Coverage, TestOutcome, TestReport, Uncovered } from "../../examples/report.ts";
import { formatPlace, type Place } from "../../problem/problem.ts";
import { shortPath } from "../configuration.ts";
import type { Io } from "../io.ts";
import { columns, oneLine, type Paint, paintFor, visible } from "./terminal-text.ts";

/** A report for a person: what passed in a line, what failed with everything that helps. */
export function testText(report: TestReport, io: Io): string[] {
  const paint = paintFor(io);
  const groups = new Map<string, TestOutcome[]>();
  for (const outcome of report.outcomes) {
    const [{ group }, known] = [outcome, groups.get(outcome.group) ?? []];
    groups.set(group, [...known, outcome]);
  }
  return [
    ...[...groups].flatMap(([group, outcomes]) => groupText(group, outcomes, paint, io)),
    ...report.problems.flatMap((problem) => {
      const shown = problem.place ? problem.at({ ...problem.place, file: shortPath(problem.place.file, io) }) : problem;
      return [`${paint.bad("✗")} ${visible(shown.format())}`, ""];
    }),
    ...(report.coverage ? coverageText(report.coverage, paint, io) : []),
    summary(report, paint),
  ];
}

function groupText(group: string, outcomes: readonly TestOutcome[], paint: Paint, io: Io): string[] {
  const title = paint.strong(visible(outcomes[0]?.kind === "test" ? shortPath(group, io) : group));
  const lines = columns(outcomes.map((outcome) => row(outcome, paint, io)));
  return [title, ...lines.flatMap((line, index) => [line, ...details(outcomes[index], paint, io)]), ""];
}

function row(outcome: TestOutcome, paint: Paint, io: Io): string[] {
  const name = `  ${MARKS[outcome.status](paint)} ${oneLine(outcome.name, 60)}`;
  if (outcome.status === "not_run") return [name, paint.warn("not run"), paint.dim(oneLine(outcome.why ?? "", 160))];
  const where = outcome.status === "failed" ? at(outcome.place, io) : "";
  return [name, outcome.got ?? "", paint.dim(where || `${Math.round(outcome.durationMs)} ms`)];
}

const MARKS: Readonly<Record<TestOutcome["status"], (paint: Paint) => string>> = {
  passed: (paint) => paint.good("✓"),
  failed: (paint) => paint.bad("✗"),
  not_run: (paint) => paint.warn("-"),
};

/** Under a failure: what was expected, which hook decided otherwise, and what to do now. */
function details(outcome: TestOutcome | undefined, paint: Paint, io: Io): string[] {
  if (outcome?.status !== "failed") return [];
  const { why = "", saidBy, reason, next } = outcome;
  const said = saidBy && [
    `${visible(saidBy.hook)} decided this  ${paint.dim(at(saidBy.place, io))}`.trimEnd(),
    ...(saidBy.rule === undefined ? [] : [`rule: ${oneLine(saidBy.rule, 200)}`]),
  ];
  return [
    paint.bad(visible(why)),
    ...(said ?? []),
    ...(reason === undefined ? [] : [`reason: ${oneLine(reason, 300)}`]),
    ...(next === undefined ? [] : [paint.name(visible(next))]),
  ].map((line) => `      ${line}`);
}

function coverageText({ rules, branches, hooks }: Coverage, paint: Paint, io: Io): string[] {
  const list = (found: readonly Uncovered[]) =>
    columns(
      found.map(({ hook, rule, place }) => [`  ${visible(hook)}`, paint.dim(at(place, io)), oneLine(rule ?? "", 100)]),
    );
  const reached = rules.total - rules.undecided.length;
  const shown = hooks.total - hooks.withoutExamples.length;
  return [
    paint.strong(
      `${reached} of ${rules.total} rules decided in a test, ${shown} of ${hooks.total} hooks have examples`,
    ),
    ...(rules.undecided.length > 0 ? ["rules that never decided:", ...list(rules.undecided)] : []),
    ...(branches.unreached.length > 0
      ? ["sides of an `or` that never held when their rule decided:", ...list(branches.unreached)]
      : []),
    ...(hooks.withoutExamples.length > 0 ? ["hooks without examples:", ...list(hooks.withoutExamples)] : []),
    "",
  ];
}

function summary({ ok, passed, failed, notRun, problems }: TestReport, paint: Paint): string {
  const counts = [`${passed} passed`, `${failed} failed`, `${notRun} not run`];
  const unread = problems.length === 0 ? [] : [problems.length === 1 ? "1 problem" : `${problems.length} problems`];
  return `${ok ? paint.good("✓") : paint.bad("✗")} ${[...counts, ...unread].join(", ")}`;
}

function at(place: Place | undefined, io: Io): string {
  if (place === undefined) return "";
  return shortPath(formatPlace({ file: place.file, ...(place.line && { line: place.line }) }), io);
}
