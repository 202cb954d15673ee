import { aggregate } from "../decision/aggregate.ts";
import type { Decision } from "../decision/decision.ts";
import { modifiable } from "../decision/modification.ts";
import { type HookResult, overruled } from "../decision/result.ts";
import { useLookups } from "../effects/call-files.ts";
import { milliseconds } from "../event/clock.ts";
import { attachBudget, type HookEvent } from "../event/event.ts";
import { attachRoot, rootOfEvent } from "../event/field.ts";
import { TOO_MUCH_WORK, WorkBudget } from "../event/work-budget.ts";
import { readSeconds } from "../hook/duration.ts";
import type { Hook } from "../hook/hook.ts";
import type { LlmSettings } from "../llm/llm-settings.ts";
import { errorText, problems } from "../problem/problem.ts";
import { HookRegistry } from "../registry/registry.ts";
import { type CountKey, countsCalls } from "../rule/recent.ts";
import { DEPTH_VARIABLE } from "../runners/command-environment.ts";
import { diskLookups } from "../runners/disk-lookups.ts";
import { runnerFor } from "../runners/index.ts";
import { broken, PASSED, passesAtOnce, type Ran, type RunContext } from "../runners/runner.ts";
import { type ChainOutcome, runChain, together } from "./chain.ts";
import { countEvent, type History, pastOf, SessionHistory } from "./history.ts";
import { judge, passedAtOnce } from "./judge.ts";

// Hooks are matched before anything runs, with the files that the shell would name.
useLookups(diskLookups);

/** Told of every result as it comes, and of every decision; what it throws is lost, never the decision. */
export interface Trace {
  result?(event: HookEvent, result: HookResult): void;
  decision?(decision: Decision): void;
}

/** What an executor works with; everything has a default. */
export interface ExecutorOptions {
  /** Who listens; the program's shared registry when left out. */
  readonly registry?: HookRegistry;
  /** Seconds for hooks that state no timeout. */
  readonly defaultTimeout?: number;
  /** Where hooks run that name no folder, for events that name none. */
  readonly workingDir?: string;
  readonly trace?: Trace;
  /** What happened before, for rules that ask; kept in memory when left out. */
  readonly history?: History;
  /** Which model answers `llm` hooks. */
  readonly llm?: LlmSettings | undefined;
  /** What every gate has to say besides, such as guards that could not be read. */
  readonly notices?: readonly string[];
  /** Called before hooks run that match an event only as other hooks have changed it. */
  readonly onNewcomers?: ((changed: HookEvent) => Promise<void>) | undefined;
}

/** How one event is taken through its hooks. */
export interface ExecuteOptions {
  /** Ends the chain at the first result whose `shouldContinue` is false. */
  readonly stopOnFailure?: boolean;
  /** Ends the chain and whatever it has started; a gate stays shut. */
  readonly signal?: AbortSignal | undefined;
  /** What is left of the work that the call may cost; one of its own when left out. */
  readonly budget?: WorkBudget | undefined;
}

/** Takes an event through its hooks. */
export class HookExecutor {
  readonly registry: HookRegistry;
  readonly defaultTimeout: number;
  readonly workingDir: string | undefined;
  readonly #statedTimeout: number | undefined;
  readonly #trace: Trace;
  readonly #notices: readonly string[];
  readonly #history: History;
  readonly #llm: LlmSettings | undefined;
  readonly #onNewcomers: ExecutorOptions["onNewcomers"];
  readonly #background = new Background();
  #counting: { readonly changes: number; readonly hooks: readonly Hook[] } | undefined;

  constructor(options: ExecutorOptions = {}) {
    this.registry = options.registry ?? HookRegistry.getInstance();
    this.defaultTimeout = readSeconds(options.defaultTimeout ?? 10) ?? refuseTimeout(options.defaultTimeout);
    this.#statedTimeout = options.defaultTimeout === undefined ? undefined : this.defaultTimeout;
    this.workingDir = options.workingDir;
    this.#trace = options.trace ?? {};
    this.#notices = options.notices ?? [];
    this.#llm = options.llm;
    this.#onNewcomers = options.onNewcomers;
    this.#history = options.history ?? new SessionHistory();
  }

  /** Runs the hooks that listen, in order, and returns what each gave. */
  async executeHooks(event: HookEvent, options: ExecuteOptions = {}): Promise<HookResult[]> {
    return [...(await this.#run(event, options)).results];
  }

  /** Runs the hooks that listen and adds up what they say. */
  async decide<Input = unknown>(event: HookEvent, options: ExecuteOptions = {}): Promise<Decision<Input>> {
    const scope = this.#scope(event, options);
    const { results, event: final, isChanged } = await this.#run(event, options, scope);
    const changed = isChanged ? { changed: { value: modifiable(final) } } : {};
    const decision = aggregate({
      event,
      results,
      ...changed,
      aborted: scope.isOver ? TOO_MUCH_WORK : whyAborted(options.signal),
      notices: this.#notices,
    });
    tell(() => this.#trace.decision?.(decision));
    // Hooks may change an input to anything: the caller states what its tool takes.
    return decision as Decision<Input>;
  }

  /** Whether `async` hooks are still running. */
  get isBusy(): boolean {
    return this.#background.isBusy;
  }

  /** Waits for the `async` hooks that are still running, which never delay a decision; gives what all gave since the last time. */
  idle(): Promise<HookResult[]> {
    return this.#background.idle();
  }

  #run(event: HookEvent, options: ExecuteOptions, scope = this.#scope(event, options)): Promise<ChainOutcome> {
    if (rootOfEvent(event) === undefined) attachRoot(event, this.workingDir);
    this.#remember(event);
    const counting = this.#countingHooks();
    if (counting.length === 0) return this.#runChain(event, options, scope);
    const counted = countEvent(event, counting, this.#history, scope.counted).catch(() => {
      // A history that breaks must not change a decision.
    });
    return counted.then(() => this.#runChain(event, options, scope));
  }

  /** The hooks whose rules count calls: those look at every event. */
  #countingHooks(): readonly Hook[] {
    const { changes, hooks } = this.registry;
    if (this.#counting?.changes !== changes)
      this.#counting = { changes, hooks: hooks.filter(({ parts }) => parts.some(countsCalls)) };
    return this.#counting.hooks;
  }

  #runChain(event: HookEvent, options: ExecuteOptions, scope: Scope): Promise<ChainOutcome> {
    const hooks = this.registry.getHooks(event);
    const deciding = hooks.some((hook) => hook.async) ? hooks.filter((hook) => !hook.async) : hooks;
    if (deciding.length < hooks.length) this.#startBackground(event, hooks);
    return runChain(event, deciding, (hook, current) => this.#runHook(hook, current, scope), {
      stopOnFailure: options.stopOnFailure ?? false,
      waiting: (changed, known, ran) => this.#waiting(changed, known, ran),
    });
  }

  /** No guard is missed because the event fitted it only later: hooks that match the changed one run too, in order. */
  async #waiting(changed: HookEvent, known: readonly Hook[], ran: number): Promise<readonly Hook[]> {
    const rest = known.slice(ran);
    const newcomers = this.registry.getHooks(changed).filter((hook) => !hook.async && !known.includes(hook));
    if (newcomers.length === 0) return rest;
    await this.#onNewcomers?.(changed);
    const order = this.registry.hooks;
    return [...rest, ...newcomers].sort((one, other) => order.indexOf(one) - order.indexOf(other));
  }

  #remember(event: HookEvent): void {
    try {
      this.#history.record(event);
    } catch {
      // A history that breaks must not change a decision.
    }
  }

  #startBackground(event: HookEvent, hooks: readonly Hook[]): void {
    const scope = this.#scope(event, {}, true);
    const background = hooks.filter((candidate) => candidate.async);
    for (const run of together(background, (hook) => this.#runHook(hook, event, scope))) this.#background.add(run);
  }

  /** What all hooks of one event share. */
  #scope(event: HookEvent, { signal, budget = new WorkBudget() }: ExecuteOptions, isBackground = false): Scope {
    // Anything else would match no hook, and a gate would stand open.
    if (typeof event?.isGate !== "boolean") throw PROBLEMS.noEvent({ given: event });
    if (!isBackground) attachBudget(event, budget);
    const counted = new Set<CountKey>();
    const scope: Scope = {
      counted,
      clock: undefined,
      turned: undefined,
      budget,
      isOver: budget.isSpent(),
      context: {
        deadline: 0,
        depth: 0,
        workingDir: this.workingDir,
        signal,
        isBackground,
        llm: this.#llm,
        recent: pastOf(event, this.#history, counted),
        budget,
        runHooks: (hooks, current, { until, stopOnFailure }) =>
          runChain(current, hooks, (member, now) => this.#runHook(member, now, scope, until), { stopOnFailure }),
      },
    };
    return scope;
  }

  #runHook(
    hook: Hook,
    event: HookEvent,
    scope: Scope,
    until = Number.POSITIVE_INFINITY,
  ): Promise<HookResult> | HookResult {
    const { signal } = scope.context;
    if (scope.isOver || signal?.aborted) return this.#told(event, judge(hook, event, NOT_RUN, 0));
    const began = scope.clock ?? milliseconds();
    if (hook.type === "inline" && until === Number.POSITIVE_INFINITY && passesAtOnce(hook, event)) {
      // To ask the clock takes as long as the hook; the first one reads the call for all.
      if (scope.clock !== undefined) return this.#told(event, passedAtOnce(hook, event));
      return this.#judged(hook, event, PASSED, began, false, scope);
    }
    scope.turned ??= began;
    if (began - scope.turned > TURN_MS && hook.type !== "inline") {
      // Many hooks that fail at once would leave no turn to the timer that ends them all.
      scope.clock = undefined;
      return new Promise<void>((turn) => setImmediate(turn)).then(() => {
        scope.turned = undefined;
        return this.#runHook(hook, event, scope, until);
      });
    }
    // Rules start nothing, and the environment is slow to ask.
    const depth = hook.type === "inline" ? 1 : currentDepth() + 1;
    const tooDeep = depth > DEEPEST && hook.type !== "combine";
    const ran = tooDeep ? TOO_DEEP : this.#attempt(hook, event, scope, depth, until, began);
    if (!(ran instanceof Promise)) return this.#judged(hook, event, ran, began, tooDeep, scope);
    scope.clock = undefined;
    if (hook.type !== "inline") scope.budget.pause();
    return ran.then((facts) => {
      scope.clock = undefined;
      if (hook.type !== "inline") scope.budget.resume();
      return this.#judged(hook, event, facts, began, tooDeep, scope);
    });
  }

  /** Where one hook ends the next begins: the clock is asked once for both, unless something else came between. */
  #judged(hook: Hook, event: HookEvent, ran: Ran, began: number, tooDeep: boolean, scope: Scope): HookResult {
    const ended = milliseconds();
    scope.clock = hook.type === "inline" ? ended : undefined;
    scope.isOver ||= scope.budget.isSpent(ended);
    const result = judge(hook, event, ran, ended - began);
    const shut = tooDeep && event.isGate && hook.mode !== "monitor";
    const final = shut ? overruled(result, "deny", result.error, "HOOK_ERROR") : result;
    return this.#told(event, final);
  }

  #told(event: HookEvent, result: HookResult): HookResult {
    if (this.#trace.result) tell(() => this.#trace.result?.(event, result));
    return result;
  }

  /** A runner that throws is a failure of that hook alone. */
  #attempt(
    hook: Hook,
    event: HookEvent,
    scope: Scope,
    depth: number,
    until: number,
    began: number,
  ): Promise<Ran> | Ran {
    const deadline = Math.min(hook.deadline(this.#statedTimeout), (until - began) / 1000);
    if (deadline <= 0) return broken({ why: "timeout", afterMs: 0 });
    const { context } = scope;
    if (context.deadline !== deadline || context.depth !== depth)
      scope.context = {
        deadline,
        depth,
        workingDir: context.workingDir,
        signal: context.signal,
        isBackground: context.isBackground,
        llm: context.llm,
        recent: context.recent,
        budget: context.budget,
        runHooks: context.runHooks,
      };
    return attempted(hook, event, scope.context);
  }
}

/** The `async` hooks, which no decision waits for, and what they gave. */
class Background {
  readonly #running = new Set<Promise<HookResult>>();
  #ended: HookResult[] = [];

  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  /** Never rejects, like every run of a hook. */
  add(run: Promise<HookResult>): void {
    this.#running.add(run);
    void run.then((result) => {
      this.#running.delete(run);
      this.#ended.push(result);
      // Most programs never ask.
      if (this.#ended.length > MAX_ENDED) this.#ended.shift();
    });
  }

  /** Waits for those that still run, and gives what all gave since the last time. They hold no exit, so the waiting does. */
  async idle(): Promise<HookResult[]> {
    const hold = setInterval(() => {}, LONG_MS);
    await Promise.all(this.#running);
    clearInterval(hold);
    const ended = this.#ended;
    this.#ended = [];
    return ended;
  }
}

const MAX_ENDED = 1000;
const LONG_MS = 60_000;

function attempted(hook: Hook, event: HookEvent, context: RunContext): Promise<Ran> | Ran {
  try {
    const runner = runnerFor(hook.type);
    const ran =
      typeof runner === "function" ? runner(hook, event, context) : runner.then((r) => r(hook, event, context));
    return ran instanceof Promise ? ran.catch(thrown) : ran;
  } catch (error) {
    return thrown(error);
  }
}

/** What the hooks of one event share while they run. */
interface Scope {
  /** What this event has been counted under. */
  readonly counted: Set<CountKey>;
  /** When the last hook ended, as long as nothing else has happened since. */
  clock: number | undefined;
  /** When other work of the process last had a turn. */
  turned: number | undefined;
  readonly budget: WorkBudget;
  /** The budget is used up: no more hooks are run, and a gate stays shut. */
  isOver: boolean;
  /** As the last hook got it; the next one often needs the same. */
  context: RunContext;
}

/** Whether the caller has given up; its words where it was the time that ended. */
function whyAborted(signal: AbortSignal | undefined): boolean | string {
  if (!signal?.aborted) return false;
  return signal.reason?.name === "TimeoutError" ? TIME_OVER : true;
}

function thrown(error: unknown): Ran {
  return broken({ why: "exception", message: errorText(error) });
}

/** Runs the hooks for one event on the shared registry, or on the executor that is given. */
export function fireEvent(
  event: HookEvent,
  { executor, ...options }: ExecuteOptions & { readonly executor?: HookExecutor | null } = {},
): Promise<HookResult[]> {
  return (executor ?? new HookExecutor()).executeHooks(event, options);
}

function refuseTimeout(given: unknown): never {
  throw PROBLEMS.badTimeout({ given });
}

/** How many hooks deep this very process runs. */
function currentDepth(): number {
  const depth = Number(process.env[DEPTH_VARIABLE] ?? 0);
  return Number.isFinite(depth) && depth > 0 ? depth : 0;
}

function tell(act: () => void): void {
  try {
    act();
  } catch {
    // A trace that breaks must not change a decision; writers that must not be lost deny on their own.
  }
}

const DEEPEST = 3;
const TURN_MS = 50;
const TIME_OVER = "the time for this call was over before every hook had spoken";
const NOT_RUN = broken({ why: "signal", signal: "SIGTERM", aborted: true });
const TOO_DEEP = broken({
  why: "exception",
  message: `hooks that start agents that start hooks were ended ${DEEPEST} deep; look at what this hook runs`,
});

const PROBLEMS = problems("engine", {
  noEvent: ({ given }: { given: unknown }) => ({
    what: `The value to decide is ${typeof given === "object" && given !== null ? "an object" : String(given)}, and no HookEvent.`,
    fix: 'Make one: new HookEvent({ type: "tool:pre_execute", toolName: "bash", data: { tool_args: {} } }).',
  }),
  badTimeout: ({ given }: { given: unknown }) => ({
    what: `\`defaultTimeout\` is ${given}; it has to be a number of seconds above 0.`,
    fix: "Leave it out, or write 10, for example.",
  }),
});
