import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { planFor } from "../../examples/plan.ts";
import type { TestReport } from "../../examples/report.ts";
import { runTests } from "../../examples/run-tests.ts";
import { trustedSubject } from "../../examples/verdict.ts";
import type { Hook } from "../../hook/hook.ts";
import { didYouMean } from "../../problem/nearest.ts";
import { problems } from "../../problem/problem.ts";
import type { CommandInput } from "../command.ts";
import { configurationOf, rootOf, shortPath } from "../configuration.ts";
import { type Exit, exitOnSignal } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { type BuildFinding, hasErrors, problemFindings, reporterNamed } from "../show/findings.ts";
import { paintFor, plural } from "../show/terminal-text.ts";
import { testText } from "../show/test-text.ts";
import { testJunit } from "../show/xml.ts";
import type { WatchedRun } from "./test-watch.ts";

/** Tries the examples of hooks and the files of tests, and reports what differs. */
export async function run(input: CommandInput): Promise<Exit> {
  const show = showOf(input);
  if (input.has("watch")) {
    const { watchTests } = await import("./test-watch.ts");
    return watchTests(rootOf(input), input.io, () => once(input, show));
  }
  exitOnSignal();
  return (await once(input, show)).exit;
}

async function once(input: CommandInput, show: Show): Promise<WatchedRun> {
  const { io } = input;
  const configuration = configurationOf(input);
  const { root, written: hooks, files } = configuration;
  const subject = trustedSubject(root, hooks, configuration);
  const { paths: named, hooks: chosen } = testedWords(input, hooks);
  const plan = planFor(subject, { files, errors: configuration.errors }, named);
  const only = input.text("only");
  const options = { only, ofHooks: chosen, isLive: input.has("live"), hasCoverage: input.has("coverage") };
  const report = await runTests(plan, options);
  const isEmpty = report.outcomes.length === 0 && report.problems.length === 0;
  const looked = { hooks: hooks.filter(({ origin }) => origin !== undefined).length, testFiles: plan.testFiles, named };
  if (isEmpty) for (const line of nothingFound(only ?? chosen[0], looked, io)) io.err(line);
  if (!isEmpty || show !== REPORTERS.default) for (const line of show(report, io)) io.out(line);
  const watched = [...files.map(({ path }) => path), ...plan.testFiles, ...named];
  return { exit: hasErrors(testFindings(report)) ? "problem" : "done", files: watched, hooks };
}

/** What the arguments name: files, or hooks where there is no such file. */
function testedWords({ words, io }: CommandInput, hooks: readonly Hook[]) {
  const names = hooks.map(({ name }) => name);
  const isHook = (word: string) => names.includes(word) && !existsSync(resolve(io.cwd, word));
  const strange = words.find((word) => !isHook(word) && !/[./]/.test(word) && !existsSync(resolve(io.cwd, word)));
  if (strange !== undefined) throw PROBLEMS.noHookOrFile({ word: strange, names });
  const paths = words.filter((word) => !isHook(word)).map((word) => resolve(io.cwd, word));
  return { paths, hooks: words.filter(isHook) };
}

type Show = (report: TestReport, io: Io) => readonly string[];

function showOf(input: CommandInput): Show {
  const listed = reporterNamed(input, Object.keys(REPORTERS));
  if (listed !== undefined)
    return (report, io) => listed({ command: "test", findings: testFindings(report), root: rootOf(input), io });
  const reporter = input.has("json") ? "json" : (input.text("reporter") ?? "default");
  return REPORTERS[reporter] ?? testText;
}

/** How a report is shown. */
const REPORTERS: Readonly<Record<string, Show>> = {
  default: testText,
  json: (report) => [JSON.stringify(report, null, 2)],
  junit: (report) => [testJunit(report, nothingTested(report))],
};

/** Where tests were looked for. */
interface Looked {
  readonly hooks: number;
  readonly testFiles: readonly string[];
  readonly named: readonly string[];
}

function nothingFound(only: string | undefined, { hooks, testFiles, named }: Looked, io: Io): string[] {
  if (only !== undefined) return [`No example and no test has "${only}" in its name. \`sluice list\` shows the hooks.`];
  if (named.length > 0) {
    const files = named.map((path) => shortPath(path, io)).join(", ");
    return [`No test was run: ${files} ${named.length === 1 ? "has" : "have"} no tests and no examples.`];
  }
  return [
    `No test was run: ${plural(hooks, "hook")} without examples, ${plural(testFiles.length, "file")} of tests without a test.`,
    "There is nothing to test yet. Add examples to a hook:",
    "",
    ...EXAMPLE.split("\n").map((line) => `  ${paintFor(io).name(line)}`),
    "",
    "A file that ends in .hooks.test.yaml contains tests of all hooks together.",
  ];
}

const EXAMPLE = `- name: no-rm-rf
  event: tool:pre_execute:@shell
  rules: args.command contains "rm -rf" -> deny("Delete files by name.")
  examples:
    deny: ["rm -rf /"]
    allow: ["rm a.txt"]`;

/** A run in which nothing was tried proves nothing. */
function nothingTested({ outcomes, passed, failed, problems }: TestReport): BuildFinding | undefined {
  if (passed + failed + problems.length > 0) return undefined;
  const [first] = outcomes;
  return {
    level: "error",
    code: "test/nothing-tested",
    message: first === undefined ? "No example and no test was tried." : `No test was run: ${outcomes.length} not run.`,
    fix: first?.why ?? "Write `examples` under a hook, or a file that ends in .hooks.test.yaml.",
  };
}

/** What failed, what cannot be read, and what no test has reached. */
function testFindings(report: TestReport): BuildFinding[] {
  const { outcomes, problems, coverage } = report;
  const nothing = nothingTested(report);
  const failed = outcomes.filter(({ status }) => status === "failed");
  return [
    ...problemFindings("error", problems),
    ...(nothing === undefined ? [] : [nothing]),
    ...failed.map(({ group, name, why = "", saidBy, place, next }) => ({
      level: "error" as const,
      code: "test/failed",
      message: `${group}: ${name}: ${why}${saidBy ? ` (${saidBy.hook})` : ""}`,
      fix: next,
      place,
    })),
    ...(coverage?.rules.undecided ?? []).map(({ hook, rule = "", place }) => ({
      level: "warning" as const,
      code: "test/rule-never-decided",
      message: `No test reaches this rule of ${hook}: ${rule}`,
      place,
    })),
    ...(coverage?.branches.unreached ?? []).map(({ hook, rule = "", place }) => ({
      level: "note" as const,
      code: "test/branch-never-held",
      message: `In no test that this rule of ${hook} decides does this part hold: ${rule}`,
      place,
    })),
    ...(coverage?.hooks.withoutExamples ?? []).map(({ hook, place }) => ({
      level: "note" as const,
      code: "test/hook-without-examples",
      message: `The hook ${hook} does not have examples.`,
      place,
    })),
  ];
}

const PROBLEMS = problems("usage", {
  noHookOrFile: ({ word, names }: { word: string; names: readonly string[] }) => ({
    what: `"${word}" is neither a hook that is configured here nor a file.`,
    fix: `${didYouMean(word, names)} \`sluice list\` shows the hooks.`.trim(),
  }),
});
