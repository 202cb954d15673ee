import { membersOf } from "../hook/combination.ts";
import type { Hook } from "../hook/hook.ts";
import type { Problem } from "../problem/problem.ts";
import { readHookRules } from "../rule/hook-rules.ts";
import { ANY_LISTENER, eventOfText } from "./example-event.ts";
import { placeFinder } from "./place-finder.ts";
import { readExamples } from "./read-examples.ts";
import type { TestFile } from "./read-test-file.ts";
import { coverageOf, reportOf, type TestOutcome, type TestReport, type Tried } from "./report.ts";
import { type Bench, type Label, tryAlone, tryRemedy, tryTogether } from "./run-example.ts";
import type { HookExample, Subject } from "./verdict.ts";

/** What is tried, and how. */
export interface TestPlan {
  /** Hooks whose examples and remedies are tried, each group with those that are active beside them. */
  readonly groups: readonly { readonly subject: Subject; readonly hooks: readonly Hook[] }[];
  /** Tests, with the hooks that each file tests. */
  readonly files: readonly { readonly file: TestFile; readonly subject: Subject; readonly isNamed: boolean }[];
  /** What is known to be missing before anything is tried. */
  readonly problems: readonly Problem[];
}

/** How a plan is carried out. */
export interface TestOptions {
  /** Only what belongs to the hook of this name, or has this text in its name. */
  readonly only?: string | undefined;
  /** Only what belongs to hooks of these names. */
  readonly ofHooks?: readonly string[] | undefined;
  /** Also asks models and servers. */
  readonly isLive?: boolean | undefined;
  readonly hasCoverage?: boolean | undefined;
}

/** Tries examples, remedies and tests, one after the other. */
export async function runTests(plan: TestPlan, options: TestOptions = {}): Promise<TestReport> {
  const tried: Tried[] = [];
  const common = { isLive: options.isLive ?? false, placeOf: placeFinder(), isNamed: false, tried };
  const found = [
    ...plan.groups.flatMap(({ subject, hooks }) => hooks.map((hook) => attemptsOf(hook, { ...common, subject }))),
    ...plan.files.map(({ file, subject, isNamed }) => fileAttempts(file, { ...common, subject, isNamed })),
  ];
  const outcomes: TestOutcome[] = [];
  for (const { label, run } of found.flatMap(({ attempts }) => attempts)) {
    if (isWanted(label, options)) outcomes.push(await run());
  }
  const unread = [...plan.problems, ...found.flatMap(({ problems }) => problems)];
  const hooks = plan.groups.flatMap((group) => group.hooks);
  const coverage = options.hasCoverage ? await coverageOf(hooks, tried, common.placeOf) : undefined;
  return reportOf(outcomes, unread, coverage);
}

interface Attempts {
  readonly attempts: readonly { readonly label: Label; readonly run: () => Promise<TestOutcome> }[];
  readonly problems: readonly Problem[];
}

/** The examples of a hook and of its members, then what it wants done instead. */
function attemptsOf(whole: Hook, bench: Bench): Attempts {
  const read = withMembers(whole).map((hook) => ({ hook, ...readExamples(hook) }));
  const examples = read.flatMap(({ hook, examples: own }) =>
    own.map((example) => {
      const place = hook === whole ? bench.placeOf(hook, ["examples", ...example.path]) : whole.origin?.place;
      const label: Label = { kind: "example", group: whole.name, name: example.name, place };
      return { label, run: () => tryAlone(hook, example, label, bench) };
    }),
  );
  const remedies = remediesOf(whole).map((remedy) => {
    const label: Label = { kind: "remedy", group: whole.name, name: `remedy ${remedy}`, place: whole.origin?.place };
    return { label, run: () => tryRemedy(shellExample(remedy), label, bench) };
  });
  const problems = read.flatMap(({ hook, problems: own }) =>
    own.map((problem) => {
      const place = hook === whole ? bench.placeOf(hook, problem.path ?? []) : whole.origin?.place;
      return place === undefined ? problem : problem.at(place);
    }),
  );
  return { attempts: whole.enabled ? [...examples, ...remedies] : examples, problems };
}

function fileAttempts({ path, tests, problems }: TestFile, bench: Bench): Attempts {
  const attempts = tests.map(({ example, place }) => {
    const label: Label = { kind: "test", group: path, name: example.name, place };
    return { label, run: () => tryTogether(example, label, bench) };
  });
  return { attempts, problems };
}

function withMembers(hook: Hook): Hook[] {
  const members = hook.combination === undefined ? [] : membersOf(hook.combination);
  return [hook, ...members.flatMap(withMembers)];
}

/** What a hook, its members and their rules want done instead, each once. */
function remediesOf(whole: Hook): string[] {
  const all = withMembers(whole).flatMap((hook) => {
    const rules = hook.type === "inline" ? readHookRules(hook).written.map(({ rule }) => rule.remedy ?? []) : [];
    return [...hook.remedy, ...rules.flat()];
  });
  return [...new Set(all)];
}

function shellExample(command: string): HookExample {
  return {
    name: command,
    command,
    event: eventOfText(command, ANY_LISTENER),
    expect: "continue",
    path: [],
    hooks: [],
    env: {},
  };
}

function isWanted({ kind, group, name }: Label, { only = "", ofHooks = [] }: TestOptions): boolean {
  if (ofHooks.length > 0 && (kind === "test" || !ofHooks.includes(group))) return false;
  return [group, name].some((one) => one.toLowerCase().includes(only.toLowerCase()));
}
