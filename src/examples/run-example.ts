import { resolve } from "node:path";
import { HookEvent } from "../event/event.ts";
import { toJsonText } from "../event/json.ts";
import { isOfKind } from "../event/tool-kinds.ts";
import type { Hook } from "../hook/hook.ts";
import { isPureKind } from "../hook/schema.ts";
import type { Place } from "../problem/problem.ts";
import type { FindPlace } from "./place-finder.ts";
import { decidingRules, type TestOutcome, type Tried } from "./report.ts";
import {
  type HookExample,
  type ExampleVerdict,
  mismatch,
  type Subject,
  verdictAlone,
  verdictOfAll,
  whyMissing,
  whySilentAlone,
} from "./verdict.ts";

/** What everything that is tried has in common. */
export interface Bench {
  readonly subject: Subject;
  readonly isLive: boolean;
  readonly placeOf: FindPlace;
  /** Whether the user named the file of a test, so that it may say how programs run. */
  readonly isNamed: boolean;
  /** Every event that was tried, for the report of coverage. */
  readonly tried: Tried[];
}

/** Where an outcome belongs. */
export type Label = Pick<TestOutcome, "kind" | "group" | "name"> & { readonly place?: Place | undefined };

/** Puts an example to its hook alone. */
export async function tryAlone(hook: Hook, example: HookExample, label: Label, bench: Bench): Promise<TestOutcome> {
  const silent = whySilentAlone(hook, bench.subject, bench.isLive);
  if (silent !== undefined) return notRun(label, example.expect, silent);
  const event = eventIn(bench.subject.root, example);
  bench.tried.push({ hooks: [hook], event });
  const began = performance.now();
  const verdict = await verdictAlone(hook, event, bench.subject);
  const why = await mismatch(example, verdict);
  const unmatched = hook.matches(event) ? "" : `; the hook does not match ${described(event)}`;
  const facts = { ...label, expected: example.expect, durationMs: performance.now() - began };
  return why === undefined
    ? { ...facts, status: "passed", got: verdict.action }
    : { ...facts, status: "failed", why: `${why}${unmatched}`, ...(await details(event, verdict, bench)) };
}

/** Puts a test to all hooks together. Where some cannot be asked, only a denial is certain: nothing takes it back. */
export async function tryTogether(example: HookExample, label: Label, bench: Bench): Promise<TestOutcome> {
  const { event, verdict, unasked, durationMs } = await askAll(example, bench);
  const why = await mismatch(example, verdict);
  const facts = { ...label, expected: example.expect, durationMs };
  const isCertain = unasked === undefined || (verdict.action === "deny" && verdict.failures.length === 0);
  if (!isCertain) return notRun(label, example.expect, unasked);
  return why === undefined
    ? { ...facts, status: "passed", got: verdict.action }
    : { ...facts, status: "failed", why, ...(await details(event, verdict, bench)) };
}

/** Puts what a hook wants done instead to all hooks: it must not be denied itself. */
export async function tryRemedy(example: HookExample, label: Label, bench: Bench): Promise<TestOutcome> {
  const { event, verdict, unasked, durationMs } = await askAll(example, bench);
  const facts = { ...label, expected: NOT_DENIED, durationMs };
  if (verdict.action === "deny") {
    const why = "a hook says to do this instead, and it is denied itself";
    return { ...facts, status: "failed", why, ...(await details(event, verdict, bench)) };
  }
  return unasked === undefined
    ? { ...facts, status: "passed", got: verdict.action }
    : notRun(label, NOT_DENIED, unasked);
}

async function askAll(example: HookExample, { subject, isLive, isNamed, tried }: Bench) {
  const event = eventIn(subject.root, example);
  const hooks = (subject.active ?? subject.hooks).filter((hook) => whyMissing(hook, subject, isLive) === undefined);
  const missing = subject.hooks
    .filter((hook) => hook.matches(event))
    .map((hook) => ({ hook, why: whyMissing(hook, subject, isLive) }));
  const first = missing.find(({ why }) => why !== undefined);
  const isPrepared = example.cwd !== undefined || Object.keys(example.env).length > 0;
  if (isPrepared && !isNamed && hooks.some((hook) => hook.matches(event) && startsPrograms(hook))) {
    return { event, verdict: NOTHING, unasked: UNNAMED, durationMs: 0 };
  }
  tried.push({ hooks, event });
  const began = performance.now();
  const verdict = await withVariables(example.env, () => verdictOfAll(hooks, event, subject));
  const unasked = first && `hook "${first.hook.name}" matches and is not run: ${first.why}`;
  return { event, verdict, unasked, durationMs: performance.now() - began };
}

/** Variables and folders decide which program a name means, and a file of tests is not approved. */
function startsPrograms({ parts }: Hook): boolean {
  return parts.some(({ type }) => !isPureKind(type));
}

function eventIn(root: string, { event, cwd = "." }: HookExample): HookEvent {
  return new HookEvent({ sessionId: "sluice-test", ...event, cwd: resolve(root, cwd) });
}

/** Hooks inherit the environment of this process, so that is what changes for a moment. */
async function withVariables<T>(env: HookExample["env"], act: () => Promise<T>): Promise<T> {
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, env);
  try {
    return await act();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

async function details(event: HookEvent, verdict: ExampleVerdict, { placeOf }: Bench) {
  const { hook, action, reason } = verdict;
  const [rule] = hook === undefined ? [] : await decidingRules(hook, event);
  const place =
    hook && (rule?.hook === hook ? placeOf(hook, rule.written.path, rule.written.line) : hook.origin?.place);
  const hasRules = hook === undefined || hook.parts.every(({ type }) => isPureKind(type));
  return {
    got: action,
    ...(reason === "" ? {} : { reason }),
    ...(hook === undefined ? {} : { saidBy: { hook: hook.name, ...(rule && { rule: rule.text }), place } }),
    next: nextStep(event, hasRules),
  };
}

function notRun(label: Label, expected: string, why: string): TestOutcome {
  return { ...label, expected, status: "not_run", why, durationMs: 0 };
}

function described({ type, toolName }: HookEvent): string {
  return toolName === undefined ? type : `${type} with the tool ${toolName}`;
}

const NOTHING: ExampleVerdict = { action: "continue", reason: "", matchedBy: [], failures: [] };
const UNNAMED = "it says `env` or `cwd`, which decide what hooks start; name its file to run it: sluice test <file>";
const NOT_DENIED = "anything but deny";

/** The command line that shows what hooks make of an event: rules are explained, everything else is run. */
export function nextStep(event: HookEvent, hasRules: boolean): string {
  const { tool_args: args, prompt, ...data } = event.data;
  const { command, ...others } = Object(args) as Record<string, unknown>;
  const isShell = event.type === "tool:pre_execute" && isOfKind(event.toolName ?? "", "@shell");
  const isPlain = typeof command === "string" && Object.keys({ ...others, ...data }).length === 0;
  // A single word might be taken for the name of an event.
  if (hasRules && isShell && isPlain && /[\s/]/.test(command) && !command.startsWith("-")) {
    return `sluice explain ${quoted(command)} --tool ${quoted(event.toolName ?? "")}`;
  }
  return [
    `sluice ${hasRules ? "explain" : "fire"} ${event.type}`,
    ...(event.toolName === undefined ? [] : [`--tool ${quoted(event.toolName)}`]),
    ...(args === undefined ? [] : [`--args ${quoted(toJsonText(args))}`]),
    ...(prompt === undefined ? [] : [`--prompt ${quoted(String(prompt))}`]),
    ...(Object.keys(data).length === 0 ? [] : [`--data ${quoted(toJsonText(data))}`]),
  ].join(" ");
}

function quoted(text: string): string {
  return /^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
