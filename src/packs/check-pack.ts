import { deepProblems } from "../check/check-hooks.ts";
import { type PackContent, packContent } from "../config/pack-content.ts";
import { PACK_FILE } from "../config/pack-lock.ts";
import { findTestFiles } from "../examples/plan.ts";
import { readExamples } from "../examples/read-examples.ts";
import { readTestFile } from "../examples/read-test-file.ts";
import type { TestReport } from "../examples/report.ts";
import { runTests } from "../examples/run-tests.ts";
import type { Hook } from "../hook/hook.ts";
import { Problem, problems } from "../problem/problem.ts";
import { readHookRules } from "../rule/hook-rules.ts";
import type { PackCandidate } from "./candidate.ts";

/** What a pack comes to before it is published. */
interface CheckedPack {
  readonly content: PackContent | undefined;
  /** What has to be mended. */
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Checks a pack: it can be used, every hook has a name and examples of what it stops and lets pass, every denial a reason. */
export async function checkPack({ name, version, files }: PackCandidate, folder: string): Promise<CheckedPack> {
  const text = files.find(({ path }) => path === PACK_FILE)?.content.toString("utf8") ?? "";
  const paths = new Set(files.map(({ path }) => path));
  const content = packContent({ name, version, folder, text, files: paths, layer: "project" });
  if (content instanceof Problem) return { content: undefined, problems: [content], warnings: [] };
  const hooks = content.hooks.flatMap((hook) => hookProblems(hook, name).map((one) => placed(one, hook)));
  const file = content.shape.document.path;
  const deep = await deepProblems(content.hooks, folder, new Map([[file, text]]));
  const empty = content.hooks.length === 0 && content.problems.length === 0 ? [PROBLEMS.noHooks({ name })] : [];
  const hasReadme = files.some(({ path }) => /^readme(?:\.\w+)?$/i.test(path));
  return {
    content,
    problems: [...content.problems, ...empty, ...doubled(content.hooks), ...hooks, ...deep.errors],
    warnings: [...content.warnings, ...deep.warnings, ...(hasReadme ? [] : [PROBLEMS.noReadme({ name })])],
  };
}

function hookProblems(hook: Hook, pack: string): Problem[] {
  const own = hook.name.slice(pack.length + 1);
  const isNamed = !/^\d+$/.test(own);
  const { examples } = readExamples(hook);
  const stops = examples.filter(({ expect, isWarning }) => expect !== "continue" || isWarning);
  const passes = examples.filter(({ expect, isWarning }) => expect === "continue" && !isWarning);
  return [
    ...(isNamed ? [] : [PROBLEMS.noHookName({ position: own })]),
    ...(examples.length === 0 ? [PROBLEMS.noExamples({ name: hook.name })] : []),
    ...(examples.length > 0 && isGate(hook) && stops.length === 0 ? [PROBLEMS.noDenied({ name: hook.name })] : []),
    ...(examples.length > 0 && passes.length === 0 ? [PROBLEMS.noAllowed({ name: hook.name })] : []),
    ...reasonProblems(hook),
  ];
}

function isGate(hook: Hook): boolean {
  return hook.parts.some(({ type }) => type === "inline");
}

/** A denial without a reason leaves the agent to guess. */
function reasonProblems(hook: Hook): Problem[] {
  return hook.parts
    .filter(({ type }) => type === "inline")
    .flatMap((part) => {
      const silent = readHookRules(part).written.find(({ rule }) => (rule.reason ?? "").trim() === "");
      return silent === undefined ? [] : [PROBLEMS.noReason({ name: hook.name, label: silent.label })];
    });
}

function doubled(hooks: readonly Hook[]): Problem[] {
  const known = new Set<string>();
  return hooks.flatMap((hook) => {
    const isKnown = known.has(hook.name);
    known.add(hook.name);
    return isKnown ? [placed(PROBLEMS.doubledName({ name: hook.name }), hook)] : [];
  });
}

function placed(problem: Problem, { origin }: Hook): Problem {
  return origin === undefined || problem.place !== undefined ? problem : problem.at(origin.place);
}

/** Tries the examples of a pack's hooks, and its files of tests. Nothing that it brings is started. */
export async function testPack(
  { content, problems }: CheckedPack,
  folder: string,
  only?: string | undefined,
): Promise<TestReport> {
  const hooks = content?.hooks ?? [];
  const subject = { root: folder, hooks, active: hooks, whyWithheld };
  const files = findTestFiles(folder).files.map((path) => ({ file: readTestFile(path), subject, isNamed: false }));
  const unread: readonly Problem[] = problems;
  return runTests({ groups: [{ subject, hooks }], files, problems: unread }, { only });
}

function whyWithheld({ parts }: Hook): string | undefined {
  if (parts.every(({ type }) => type === "inline")) return undefined;
  return "a pack's tests start nothing; `sluice add` it in a project, `sluice trust` it there, and run `sluice test`";
}

const PROBLEMS = problems("pack", {
  noHooks: ({ name }: { name: string }) => ({
    what: `The pack ${name} has no hooks.`,
    fix: `Write at least one under \`hooks:\` in ${PACK_FILE}.`,
  }),
  noReadme: ({ name }: { name: string }) => ({
    what: `The pack ${name} has no README.md.`,
    fix: "Write one that explains what each hook stops, and why; `sluice pack init` begins one.",
  }),
  noHookName: ({ position }: { position: string }) => ({
    what: `Hook ${position} of the pack has no name; denials and \`disabled\` need one.`,
    fix: "Add `name: no-force-push`, for example.",
  }),
  noExamples: ({ name }: { name: string }) => ({
    what: `"${name}" has no examples: nothing shows that it works.`,
    fix: 'Add `examples: { deny: ["git push --force"], allow: ["git push"] }`, for example.',
  }),
  noDenied: ({ name }: { name: string }) => ({
    what: `No example of "${name}" is denied, asked about or warned of.`,
    fix: "Add one under `deny`, `ask` or `warn` of its `examples`.",
  }),
  noAllowed: ({ name }: { name: string }) => ({
    what: `No example of "${name}" passes: nothing shows that it stops no everyday work.`,
    fix: "Add calls that come near and pass, under `allow` of its `examples`.",
  }),
  noReason: ({ name, label }: { name: string; label: string }) => ({
    what: `${label} of "${name}" gives no reason, so the agent does not know what to do instead.`,
    fix: 'Write `-> deny("why, and what to do instead")`.',
  }),
  doubledName: ({ name }: { name: string }) => ({
    what: `Two hooks of the pack are called "${name}".`,
    fix: "Give one of them another name.",
  }),
});
