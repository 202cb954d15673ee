import { describeFailure, type Failure } from "../decision/failure.ts";
import { type Action, type Answer, type HookResult, withRemedy } from "../decision/result.ts";
import { type EventName, eventSpec } from "../event/catalogue.ts";
import type { HookEvent } from "../event/event.ts";
import type { Hook } from "../hook/hook.ts";
import { formatPlace } from "../problem/problem.ts";
import { isBareDenial, reasonIn } from "../runners/read-answer.ts";
import { PASSED, type Ran } from "../runners/runner.ts";

/** Turns the facts of one run into a result: what the hook said, or what its failure means. */
export function judge(hook: Hook, event: HookEvent, ran: Ran, durationMs: number): HookResult {
  if (ran === PASSED && hook.mode !== "monitor") return passed(hook, durationMs);
  const failure = ran.failure ?? unexplainedExit(hook, ran);
  const said = withHookRemedy(hook, opinion(hook, event, ran, failure), failure);
  const { action } = said;
  const result: HookResult = {
    hook,
    ...said,
    success: failure === undefined && (ran.exitCode ?? 0) === 0,
    shouldContinue: action !== "deny",
    timedOut: failure?.why === "timeout",
    error: failure && describeFailure(failure),
    exitCode: ran.exitCode,
    stdout: ran.stdout,
    stderr: ran.stderr,
    duration: durationMs / 1000,
    durationMs,
    failure,
    ...(ran.notes && ran.notes.length > 0 ? { notes: ran.notes } : {}),
  };
  return hook.mode === "monitor" ? monitored(result) : result;
}

/** By far the most frequent result: a hook looked and has nothing to say. */
function passed(hook: Hook, durationMs: number): HookResult {
  return {
    hook,
    action: "continue",
    success: true,
    shouldContinue: true,
    timedOut: false,
    error: undefined,
    exitCode: null,
    stdout: "",
    stderr: "",
    duration: durationMs / 1000,
    durationMs,
    failure: undefined,
  };
}

/** The result of a hook that passed without a run of its own: it is the same each time, and is made once. */
export function passedAtOnce(hook: Hook, event: HookEvent): HookResult {
  if (hook.mode === "monitor") return judge(hook, event, PASSED, 0);
  let result = PASSED_AT_ONCE.get(hook);
  if (result === undefined) {
    result = Object.freeze(passed(hook, 0));
    PASSED_AT_ONCE.set(hook, result);
  }
  return result;
}

const PASSED_AT_ONCE = new WeakMap<Hook, HookResult>();

/** The one place that says what a broken hook means. */
export function failureAction(hook: Hook, failure: Failure, event?: HookEvent): { action: Action; reason: string } {
  const { name, onError, origin } = hook;
  if (failure.why === "exception" && failure.isUncompiled === true) {
    const place = origin === undefined ? "" : ` (${formatPlace(origin.place)})`;
    const reason = `hook "${name}"${place} ${describeFailure(failure)} Until it is corrected, the user has to decide.`;
    return { action: onError === "continue" && isStoppable(event) ? "ask" : onError, reason };
  }
  const stopped = failure.why === "signal" && failure.aborted === true;
  return { action: stopped ? "deny" : onError, reason: `hook "${name}" ${describeFailure(failure)}` };
}

/** Whether an event can still be stopped. The end of a session only once, or the session would never end. */
function isStoppable(event: HookEvent | undefined): boolean {
  if (event === undefined || !event.isGate) return event === undefined;
  return !eventSpec(event.type).keepsWorking || event.data.stop_hook_active === false;
}

/** Which exit codes are a denial; every other one that is not 0 is a failure. */
const DENIES: Readonly<Record<Hook["exitCodes"], (code: number) => boolean>> = {
  any: (code) => code !== 0,
  amplifier: (code) => code === 1,
  claude: (code) => code === 2,
};

function isDenial(hook: Hook, ran: Ran): boolean {
  return ran.exitCode !== null && DENIES[hook.exitCodes](ran.exitCode);
}

function unexplainedExit(hook: Hook, ran: Ran): Failure | undefined {
  const { exitCode } = ran;
  return exitCode === null || exitCode === 0 || isDenial(hook, ran) ? undefined : { why: "exited", exitCode };
}

type Opinion = Pick<
  HookResult,
  "action" | "reason" | "context" | "modifiedData" | "code" | "approves" | "rule" | "wouldBe"
>;

function opinion(hook: Hook, event: HookEvent, ran: Ran, failure: Failure | undefined): Opinion {
  if (isDenial(hook, ran)) {
    // A shell that cannot run its program says so in words, and has asked nothing; the same code without a word may be the
    // hook's own.
    const isShells = ran.failure !== undefined && ran.stderr.trim() !== "";
    const action = isShells ? failureAction(hook, ran.failure).action : "deny";
    return { action, reason: ownWords(hook, ran, failure) };
  }
  if (failure !== undefined && ran.answer === undefined) return failureAction(hook, failure, event);
  const { action, ...rest }: Answer = ran.answer ?? { action: "continue" };
  const context = rest.context ?? messageAsContext(event.type, ran);
  if (action === "allow") return { ...rest, context, action: "continue", ...(!hook.cannotApprove && APPROVES) };
  return { ...rest, context, action };
}

const APPROVES = { approves: true } as const;

/** A denial that the hook meant says what to do instead; one that its failure means has nothing to say about the call. */
function withHookRemedy({ remedy }: Hook, said: Opinion, failure: Failure | undefined): Opinion {
  const isMeant = failure === undefined && (said.action === "deny" || said.action === "ask");
  return isMeant ? { ...said, reason: withRemedy(said.reason, remedy) } : said;
}

/** The hook's own reason for its denial; without one, how the hook ended. */
function ownWords(hook: Hook, ran: Ran, failure: Failure | undefined): string {
  const [printed, err] = [ran.stdout.trim(), ran.stderr.trim()];
  const out = isBareDenial(printed) ? "" : printed;
  const words = reasonIn(out) ?? (hook.exitCodes === "claude" ? err || out : out || err);
  const fact = `hook "${hook.name}" ${describeFailure(failure ?? { why: "exited", exitCode: ran.exitCode ?? 1 })}`;
  if (failure !== undefined) return words ? `${fact}: ${words}` : fact;
  return words || fact;
}

/** At these events whatever a hook prints is meant for the agent; elsewhere it is only the hook's message. */
const PRINTS_CONTEXT: ReadonlySet<EventName> = new Set<EventName>(["session:start", "user:prompt_submit"]);

function messageAsContext(event: EventName, ran: Ran): string | undefined {
  if (!PRINTS_CONTEXT.has(event)) return undefined;
  const message = ran.stdout.trim();
  return message !== "" && !message.startsWith("{") ? message : undefined;
}

/** Monitor mode: what would have happened is recorded, and it passes. */
function monitored({ action, approves: _, context: __, modifiedData: ___, ...rest }: HookResult): HookResult {
  return { ...rest, action: "continue", shouldContinue: true, wouldBe: action };
}
