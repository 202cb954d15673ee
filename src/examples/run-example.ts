import { resolve } from "node:path";
import { distinctCalls, senders, sentCalls, strictest } from "../decide/sent-calls.ts";
import { HookEvent } from "../event/event.ts";
import { toJsonText } from "../event/json.ts";
import { isOfKind } from "../event/tool-kinds.ts";
import type { Hook } from "../hook/hook.ts";
import { isPureKind } from "../hook/schema.ts";
import type { Place } from "../problem/problem.ts";
import { EXAMPLE_SESSION } from "../runners/disk-lookups.ts";
import type { FindPlace } from "./place-finder.ts";
import { decidingRules, type TestOutcome, type Tried } from "./report.ts";
import {
  type ExampleVerdict,
  type HookExample,
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
  /** Whether the user named the file of a test, so that it may determine how programs run. */
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
  const began = performance.now();
  const { event, verdict, why, senders } = await judged(example, [hook], bench, (one) => {
    bench.tried.push({ hooks: [hook], event: one });
    return verdictAlone(hook, one, bench.subject);
  });
  const unmatched = hook.matches(event) ? "" : `; the hook does not match ${described(event)}`;
  const facts = { ...label, expected: example.expect, durationMs: performance.now() - began };
  return why === undefined
    ? { ...facts, status: "passed", got: verdict.action }
    : {
        ...facts,
        status: "failed",
        why: `${why}${senders}${unmatched}`,
        ...(await details(event, verdict, bench, example)),
      };
}

/** Puts a test to all hooks together. Where some cannot be asked, only a denial is certain: nothing takes it back. */
export async function tryTogether(example: HookExample, label: Label, bench: Bench): Promise<TestOutcome> {
  const { event, verdict, unasked, durationMs, why, senders } = await askAll(example, bench);
  const facts = { ...label, expected: example.expect, durationMs };
  const isCertain = unasked === undefined || (verdict.action === "deny" && verdict.failures.length === 0);
  if (!isCertain) return notRun(label, example.expect, unasked);
  return why === undefined
    ? { ...facts, status: "passed", got: verdict.action }
    : { ...facts, status: "failed", why: `${why}${senders}`, ...(await details(event, verdict, bench, example)) };
}

/** Puts what a hook wants done instead to all hooks: it must not be denied itself. */
export async function tryRemedy(example: HookExample, label: Label, bench: Bench): Promise<TestOutcome> {
  const { event, verdict, unasked, durationMs } = await askAll(example, bench);
  const facts = { ...label, expected: NOT_DENIED, durationMs };
  if (verdict.action === "deny") {
    const why = "a hook recommends to do this instead, and it is denied itself";
    return { ...facts, status: "failed", why, ...(await details(event, verdict, bench, example)) };
  }
  return unasked === undefined
    ? { ...facts, status: "passed", got: verdict.action }
    : notRun(label, NOT_DENIED, unasked);
}

async function askAll(example: HookExample, bench: Bench) {
  const { subject, isLive, isNamed, tried } = bench;
  const event = eventIn(subject.root, example);
  const hooks = (subject.active ?? subject.hooks).filter((hook) => whyMissing(hook, subject, isLive) === undefined);
  const missing = subject.hooks
    .filter((hook) => hook.matches(event))
    .map((hook) => ({ hook, why: whyMissing(hook, subject, isLive) }));
  const first = missing.find(({ why }) => why !== undefined);
  const isPrepared = example.cwd !== undefined || Object.keys(example.env).length > 0;
  if (isPrepared && !isNamed && hooks.some((hook) => hook.matches(event) && startsPrograms(hook))) {
    return { event, verdict: NOTHING, unasked: UNNAMED, durationMs: 0, why: undefined, senders: "" };
  }
  const began = performance.now();
  const all = await judged(example, hooks, bench, (one) => {
    tried.push({ hooks, event: one });
    return withVariables(example.env, () => verdictOfAll(hooks, one, subject));
  });
  const unasked = first && `hook "${first.hook.name}" matches and is not run: ${first.why}`;
  return { ...all, unasked, durationMs: performance.now() - began };
}

/** One event of an example, what hooks decided about it, and why that is not what was expected. */
interface Judged {
  readonly event: HookEvent;
  readonly verdict: ExampleVerdict;
  readonly why: string | undefined;
  /** Which agents send it like this, for a message. */
  readonly senders: string;
}

/**
 * Judges an example. A bare command line is judged as each installed agent sends it, and each of their calls has to be decided as
 * expected. If Sluice is installed for no agent here, the strictest decision about the calls of all known agents applies.
 */
async function judged(
  example: HookExample,
  hooks: readonly Hook[],
  { subject: { root } }: Bench,
  ask: (event: HookEvent) => Promise<ExampleVerdict>,
): Promise<Judged> {
  const one = async (event: HookEvent, senders = ""): Promise<Judged> => {
    const verdict = await ask(event);
    return { event, verdict, why: await mismatch(example, verdict), senders };
  };
  const whole = eventIn(root, example);
  if (example.command === undefined) return one(whole);
  const { cwd, sessionId, type } = whole;
  const sent = sentCalls(example.command, { root, env: process.env, cwd: cwd ?? root, sessionId, type });
  // A program's own tools have names that no agent uses: without an installed agent, the hook's own tool is tried as well.
  const own =
    sent.isInstalled || sent.calls.some(({ event }) => hooks.some((hook) => hook.matches(event))) ? [] : [whole];
  const found: Judged[] = [];
  for (const call of distinctCalls(sent, hooks)) {
    const judgedCall = await one(call.event, sent.isInstalled ? `, ${senders(call, sent)}` : "");
    if (sent.isInstalled && judgedCall.why !== undefined) return judgedCall;
    found.push(judgedCall);
  }
  for (const event of own) found.push(await one(event));
  const matched = found.filter(({ event }) => hooks.some((hook) => hook.matches(event)));
  const [first = await one(whole), ...others] = matched.length > 0 ? matched : found;
  return strictest([first, ...others], ({ verdict }) => verdict.action);
}

/** Variables and folders decide which program a name means, and a file of tests is not approved. */
function startsPrograms({ parts }: Hook): boolean {
  return parts.some(({ type }) => !isPureKind(type));
}

function eventIn(root: string, { event, cwd = "." }: HookExample): HookEvent {
  return new HookEvent({ sessionId: EXAMPLE_SESSION, ...event, cwd: resolve(root, cwd) });
}

/** Hooks inherit the environment of this process, so it is changed for a short time. */
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

async function details(event: HookEvent, verdict: ExampleVerdict, { placeOf }: Bench, { command }: HookExample) {
  const { hook, action, reason } = verdict;
  const [rule] = hook === undefined ? [] : await decidingRules(hook, event);
  const place =
    hook && (rule?.hook === hook ? placeOf(hook, rule.written.path, rule.written.line) : hook.origin?.place);
  const hasRules = hook === undefined || hook.parts.every(({ type }) => isPureKind(type));
  return {
    got: action,
    ...(reason === "" ? {} : { reason }),
    ...(hook === undefined ? {} : { saidBy: { hook: hook.name, ...(rule && { rule: rule.text }), place } }),
    next: nextStep(event, hasRules, command !== undefined),
  };
}

function notRun(label: Label, expected: string, why: string): TestOutcome {
  return { ...label, expected, status: "not_run", why, durationMs: 0 };
}

function described({ type, toolName }: HookEvent): string {
  return toolName === undefined ? type : `${type} with the tool ${toolName}`;
}

const NOTHING: ExampleVerdict = { action: "continue", reason: "", matchedBy: [], failures: [] };
const UNNAMED = "it has `env` or `cwd`, which decide what hooks start; name its file to run it: sluice test <file>";
const NOT_DENIED = "anything but deny";

/** The command line that shows what hooks make of an event: rules are explained, everything else is run. A bare command line stays bare. */
export function nextStep(event: HookEvent, hasRules: boolean, isBare = false): string {
  const { tool_args: args, prompt, ...data } = event.data;
  const { command, ...others } = Object(args) as Record<string, unknown>;
  const isShell = event.type === "tool:pre_execute" && isOfKind(event.toolName ?? "", "@shell");
  const isPlain = typeof command === "string" && Object.keys({ ...others, ...data }).length === 0;
  // A single token might be taken for the name of an event.
  if (hasRules && isShell && isPlain && /[\s/]/.test(command) && !command.startsWith("-")) {
    return `sluice explain ${quoted(command)}${isBare ? "" : ` --tool ${quoted(event.toolName ?? "")}`}`;
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
