import { resolve } from "node:path";
import { checkHooksOfPrograms } from "./check/made-by-program.ts";
import { loadLayers } from "./config/load.ts";
import { findRoot } from "./config/root.ts";
import { underTrust } from "./config/trusted.ts";
import { distinctCalls, senders, sentCalls, strictest } from "./decide/sent-calls.ts";
import type { Decision } from "./decision/decision.ts";
import type { Action } from "./decision/result.ts";
import { HookExecutor } from "./engine/executor.ts";
import { type EventInit, HookEvent } from "./event/event.ts";
import { planFor } from "./examples/plan.ts";
import type { TestReport } from "./examples/report.ts";
import { runTests, type TestOptions } from "./examples/run-tests.ts";
import { isWithin, reasonMismatch, trustedSubject } from "./examples/verdict.ts";
import { Hook } from "./hook/hook.ts";
import type { HookInput } from "./hook/hook-input.ts";
import { problems } from "./problem/problem.ts";
import { HookRegistry } from "./registry/registry.ts";

export type { Coverage, TestOutcome, TestReport, Uncovered } from "./examples/report.ts";
export type { TestOptions } from "./examples/run-tests.ts";

/** What `testHooks` tries. */
export interface TestHooksOptions extends TestOptions {
  /** The project; the current folder when left out. */
  readonly root?: string;
  /** Hooks to test instead of the project's own. */
  readonly hooks?: readonly (Hook | HookInput)[];
  /** Files of tests, or of hooks, seen from the project; all that it holds when left out. */
  readonly files?: readonly string[];
  /** `all`: the program answers for the project, and its hooks run without `sluice trust`. */
  readonly trust?: "ledger" | "all";
}

/** Tries examples, remedies and tests, as `sluice test` does. */
export async function testHooks(options: TestHooksOptions = {}): Promise<TestReport> {
  const root = resolve(options.root ?? ".");
  const files = options.files?.map((file) => resolve(root, file));
  if (options.hooks !== undefined) {
    const subject = { root, hooks: options.hooks.map(hookOf) };
    const plan = planFor(subject, { files: [], errors: [] }, files);
    const groups = [{ subject, hooks: subject.hooks }];
    return runTests({ ...plan, groups, ...(files === undefined ? { files: [] } : {}) }, options);
  }
  const loaded = loadLayers(root);
  const trusted = underTrust(loaded, root, { vouching: options.trust ?? "ledger" });
  const plan = planFor(trustedSubject(root, loaded.hooks, trusted), loaded, files);
  const answered = plan.files.map((file) => ({ ...file, isNamed: file.isNamed || options.trust === "all" }));
  return runTests({ ...plan, files: answered }, options);
}

/** What a program may say about an event: the event, what makes one, or the shell command that an agent is about to run, as each installed agent sends it. */
export type TestEvent = HookEvent | EventInit | string;

/** What these hooks decide about an event; about a shell command, the strictest decision about the calls that agents would send. */
export async function decide(
  hooks: Hook | HookInput | readonly (Hook | HookInput)[],
  event: TestEvent,
): Promise<Decision> {
  const [first, ...others] = await decideEach(hooks, event);
  return strictest([first, ...others], ({ decision }) => decision.action).decision;
}

/** The decision about each call that an event stands for, and which agents send it. */
async function decideEach(given: Parameters<typeof decide>[0], event: TestEvent): Promise<[Sent, ...Sent[]]> {
  const hooks = [given].flat().map((hook) => hookOf(hook as Hook | HookInput));
  const decideOne = (one: HookEvent) => {
    const registry = new HookRegistry();
    registry.loadHooks(hooks);
    return new HookExecutor({ registry }).decide(one);
  };
  if (typeof event !== "string") {
    const decision = await decideOne(event instanceof HookEvent ? event : new HookEvent(event));
    return [{ decision, senders: "", isInstalled: true }];
  }
  const cwd = resolve(".");
  const sent = sentCalls(event, { root: findRoot(cwd), env: process.env, cwd });
  const found: Sent[] = [];
  for (const call of distinctCalls(sent, hooks))
    found.push({
      decision: await decideOne(call.event),
      senders: sent.isInstalled ? senders(call, sent) : "",
      isInstalled: sent.isInstalled,
    });
  const [first, ...others] = found;
  if (first === undefined) throw new Error("a command line stands for at least one call");
  return [first, ...others];
}

interface Sent {
  readonly decision: Decision;
  readonly senders: string;
  /** Whether Sluice is installed for the agents that send it. */
  readonly isInstalled: boolean;
}

/** What a decision has to be. */
export interface Expected {
  readonly action: Action;
  /** A part of the reasons, or a regular expression between slashes. */
  readonly reason?: string;
  /** What the changed input has to hold, at least. */
  readonly input?: unknown;
}

/** Fails, as any test library understands it, unless these hooks decide as expected; gives back the decision. */
export async function expectDecision(
  hooks: Parameters<typeof decide>[0],
  event: TestEvent,
  expected: Action | Expected,
): Promise<Decision> {
  const [first, ...others] = await decideEach(hooks, event);
  const { action, reason, input } = typeof expected === "string" ? { action: expected } : (expected as Expected);
  const strict = strictest([first, ...others], (one) => one.decision.action);
  // The call of each installed agent has to be decided as expected.
  const { decision, senders: from } =
    [first, ...others].find((one) => one.isInstalled && one.decision.action !== action) ?? strict;
  const said = [...decision.reasons, ...decision.contexts].join("\n");
  if (decision.action !== action) throw PROBLEMS.otherDecision({ action, got: decision.action, said, from });
  const why = reason === undefined ? undefined : await reasonMismatch(reason, said);
  if (why !== undefined) throw PROBLEMS.otherReason({ why });
  if (input !== undefined && !isWithin(input, decision.input)) {
    throw PROBLEMS.otherInput({ wanted: input, got: decision.input });
  }
  return decision;
}

function hookOf(hook: Hook | HookInput): Hook {
  return hook instanceof Hook ? hook : Hook.fromJSON(hook);
}

const PROBLEMS = problems("testing", {
  otherDecision: ({ action, got, said, from }: { action: Action; got: Action; said: string; from: string }) => ({
    what: `expected ${action}, and got ${got}${from && ` (${from})`}${said === "" ? "" : `: ${said}`}`,
  }),
  otherReason: ({ why }: { why: string }) => ({ what: why }),
  otherInput: ({ wanted, got }: { wanted: unknown; got: unknown }) => ({
    what: `expected the input to hold ${JSON.stringify(wanted)}, and got ${JSON.stringify(got)}`,
  }),
});

checkHooksOfPrograms();
