import { describeFailure, type Failure } from "../decision/failure.ts";
import { modifiable, replacing } from "../decision/modification.ts";
import { type Action, type Answer, type HookResult, STRICTNESS } from "../decision/result.ts";
import { milliseconds } from "../event/clock.ts";
import type { HookEvent } from "../event/event.ts";
import type { Combination } from "../hook/combination.ts";
import type { Hook } from "../hook/hook.ts";
import { onAbort } from "./on-abort.ts";
import { broken, type Ran, type RunContext, type RunHooks } from "./runner.ts";
import { whetherHolds } from "./when.ts";

/** Runs a hook that is made of hooks: its members, within its own deadline, and what they add up to. */
export async function runCombination(hook: Hook, event: HookEvent, context: RunContext): Promise<Ran> {
  const { combination } = hook;
  const { runHooks, deadline, signal } = context;
  if (combination === undefined || runHooks === undefined) return broken(NO_ENGINE);
  const until = milliseconds() + deadline * 1000;
  const run: Run = (members, stopOnFailure = false) =>
    runHooks(members.filter(isEnabled), event, { until, stopOnFailure });
  const ran = await combine(combination, event, run, (seconds) => pause(seconds, until, signal));
  const isLate = ran.failure?.why === "timeout" && milliseconds() > until - TIMER_SLACK;
  return isLate ? late(ran, hook, deadline) : ran;
}

/** A late member makes the whole late, and `on_error` of the whole applies; stricter results of members stay. */
function late(ran: Ran, { onError }: Hook, deadline: number): Ran {
  const said = ran.answer?.action ?? "continue";
  const isStricter = said !== "allow" && STRICTNESS[said] > STRICTNESS[onError];
  const failure = { why: "timeout", afterMs: deadline * 1000 } as const;
  return { ...ran, answer: isStricter ? ran.answer : undefined, failure };
}

type Outcome = Awaited<ReturnType<RunHooks>>;
type Run = (members: readonly Hook[], stopOnFailure?: boolean) => Promise<Outcome>;
type Pause = (seconds: number) => Promise<boolean>;

async function combine(combination: Combination<Hook>, event: HookEvent, run: Run, pause: Pause): Promise<Ran> {
  switch (combination.way) {
    case "all":
      return sum(await run(combination.members));
    case "pipe":
      return sum(await run(combination.members, true));
    case "any":
      return firstPass(combination.members, event, run);
    case "retry":
      return untilItWorks(combination, run, pause);
    case "when": {
      const holds = await whetherHolds(combination, event);
      if (typeof holds !== "boolean") return broken(holds.failure);
      const branch = holds ? combination.member : combination.otherwise;
      return branch === undefined ? SILENT : sum(await run([branch]));
    }
  }
}

/** Runs members until one lets the call pass. A failure is neither a pass, nor a denial while other members are left. */
async function firstPass(members: readonly Hook[], event: HookEvent, run: Run): Promise<Ran> {
  const outcomes: Outcome[] = [];
  for (const member of members) {
    if (await hasNothingToSay(member, event)) continue;
    const outcome = await run([member]);
    outcomes.push(outcome);
    if (outcome.results.every(isPass)) break;
  }
  const results = outcomes.flatMap((outcome) => outcome.results);
  const spoken = results.filter(({ failure }) => failure === undefined);
  if (spoken.length === 0) return sum({ results, event, isChanged: false });
  const mildest = Math.min(...spoken.map(({ action }) => STRICTNESS[isPass({ action }) ? "continue" : action]));
  const deciding = spoken.filter(({ action }) => (mildest === 0 ? isPass({ action }) : STRICTNESS[action] === mildest));
  const last = mildest === 0 ? outcomes.at(-1) : undefined;
  const ran = sum({ event: last?.event ?? event, isChanged: last?.isChanged ?? false, results: deciding });
  return { ...ran, ...told(results), answer: ran.answer && { ...ran.answer, context: contextOf(results) } };
}

/** Repeats a member that failed; one that denied has spoken. */
async function untilItWorks(
  { member, times, delay }: Extract<Combination<Hook>, { way: "retry" }>,
  run: Run,
  pause: Pause,
): Promise<Ran> {
  let outcome = await run([member]);
  let runs = 1;
  while (runs <= times && outcome.results.some(mayWorkAgain) && (await pause(delay))) {
    outcome = await run([member]);
    runs++;
  }
  const ran = sum(outcome);
  return runs === 1 ? ran : { ...ran, notes: [`hook "${member.name}" was run ${runs} times`, ...(ran.notes ?? [])] };
}

/** The strictest verdict, every reason for it, every context, and the first failure unless a denial outweighs it. */
function sum({ results, event, isChanged }: Outcome): Ran {
  const action = results.reduce<Action>((most, result) => stricter(most, result.action), "continue");
  const agreeing = results.filter((result) => result.action === action);
  const denying = agreeing.find(({ failure }) => failure === undefined);
  const failure = action === "deny" && denying ? undefined : results.find((result) => result.failure)?.failure;
  const reasons = action === "continue" ? [] : agreeing.flatMap(({ reason }) => (reason ? [reason] : []));
  const answer: Answer = {
    action: action === "continue" && results.some(({ approves }) => approves) ? "allow" : action,
    reason: [...new Set(reasons)].join("; ") || undefined,
    context: contextOf(results),
    modifiedData: isChanged && action !== "deny" ? replacing(event, modifiable(event)) : undefined,
    code:
      action === "deny"
        ? ((denying ?? agreeing[0])?.code ?? (denying ? "DESTRUCTIVE_BLOCKED" : "HOOK_ERROR"))
        : undefined,
  };
  return { answer, failure, exitCode: null, ...told(results) };
}

/** What members printed, and how those ended that broke. */
function told(results: readonly HookResult[]): Pick<Ran, "stdout" | "stderr" | "notes"> {
  const lines = (texts: readonly string[]) => texts.filter((text) => text !== "").join("\n");
  return {
    stdout: lines(results.map(({ stdout }) => stdout.trimEnd())),
    stderr: lines(results.map(({ stderr }) => stderr.trimEnd())),
    notes: results.flatMap(({ hook, failure, notes = [] }) => [
      ...(failure === undefined ? [] : [`hook "${hook.name}" ${describeFailure(failure)}`]),
      ...notes,
    ]),
  };
}

/** Never left out: the output of members is not context of the whole. */
function contextOf(results: readonly HookResult[]): string {
  return [...new Set(results.flatMap(({ context }) => (context ? [context] : [])))].join("\n");
}

function stricter(one: Action, other: Action): Action {
  return STRICTNESS[other] > STRICTNESS[one] ? other : one;
}

function isEnabled({ enabled }: Hook): boolean {
  return enabled;
}

function isPass({ action, failure }: Pick<HookResult, "action" | "failure">): boolean {
  return failure === undefined && STRICTNESS[action] < STRICTNESS.ask;
}

/** A member that does not apply is silent, and silence lets nothing pass. */
async function hasNothingToSay({ enabled, combination }: Hook, event: HookEvent): Promise<boolean> {
  if (!enabled) return true;
  const isOptional = combination?.way === "when" && combination.otherwise === undefined;
  return isOptional && (await whetherHolds(combination, event)) === false;
}

/** A program that is not there is not there a second later either, and a caller who gave up does not want more. */
function mayWorkAgain({ failure }: HookResult): boolean {
  if (failure === undefined || failure.why === "not_found" || failure.why === "not_executable") return false;
  return !(failure.why === "signal" && failure.aborted);
}

/** Waits, and returns whether there is time left to continue. */
function pause(seconds: number, until: number, signal: AbortSignal | undefined): Promise<boolean> {
  const isOver = () => signal?.aborted === true || milliseconds() + TIMER_SLACK >= until;
  if (seconds === 0 || isOver()) return Promise.resolve(!isOver());
  return new Promise((go) => {
    const end = () => {
      clearTimeout(timer);
      forget();
      go(!isOver());
    };
    const timer = setTimeout(end, Math.min(seconds * 1000, until - milliseconds()));
    const forget = onAbort(signal, end);
  });
}

const SILENT: Ran = { answer: { action: "continue", context: "" }, exitCode: null, stdout: "", stderr: "" };
const NO_ENGINE: Failure = { why: "exception", message: "it is made of other hooks, and nothing here can run them" };

/** Milliseconds by which a timer may be early. */
const TIMER_SLACK = 2;
