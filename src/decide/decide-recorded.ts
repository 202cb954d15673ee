import { aggregate, joined, withResult } from "../decision/aggregate.ts";
import type { Decision } from "../decision/decision.ts";
import { finalCall, modifiable } from "../decision/modification.ts";
import type { HookResult } from "../decision/result.ts";
import { onlyLooks } from "../effects/is-read-only.ts";
import { runChain } from "../engine/chain.ts";
import { HookExecutor } from "../engine/executor.ts";
import { type History, pastOf } from "../engine/history.ts";
import { judge } from "../engine/judge.ts";
import { eventsDerivedFrom } from "../event/catalogue.ts";
import type { HookEvent } from "../event/event.ts";
import type { Hook } from "../hook/hook.ts";
import { concernsIntents } from "../policies/intent/under-intents.ts";
import { builtInResult } from "../policies/protect/built-in.ts";
import type { DeniedTarget } from "../policies/protect/denied-target.ts";
import { DENY_MEMORY, deniedAmong, targetOfDenial } from "../policies/protect/deny-memory.ts";
import { SELF_PROTECTION, selfProtection } from "../policies/protect/self-protection.ts";
import { isOnlyUndoable } from "../policies/undo/may-destroy.ts";
import { runCombination } from "../runners/combine.ts";
import { runInline } from "../runners/inline.ts";
import { PASSED, type Ran, type RunContext } from "../runners/runner.ts";
import type { DecideContext } from "./context.ts";
import { decideDerived } from "./derived-events.ts";
import type { RecordedPolicy } from "./recorded-policy.ts";
import { STAGES } from "./stages.ts";
import { VERSION } from "./version.ts";

/** What is known about a recorded call besides its event. */
export interface RecordedCircumstances {
  readonly env: DecideContext["env"];
  /** What happened before in the session. */
  readonly history: History;
  /** What the session was denied before. */
  readonly denied: readonly DeniedTarget[];
  /** When the call was made, in milliseconds since 1970. */
  readonly at: number;
  /** Whether the agent can ask its user. */
  readonly canAsk: boolean;
  /** The recorded result of a hook that is not run now; undefined if it is unknown, or was for another input. */
  readonly answerOf: (hook: Hook, isChanged: boolean) => HookResult | undefined;
  /** The recorded result of self-protection, if known: no policy changes it. */
  readonly protection?: { readonly said: HookResult | undefined } | undefined;
  /** Results of rules that several policies share for this very event; kept for the next policy. */
  readonly shared?: Map<string, Ran> | undefined;
}

/** What a policy comes to about a recorded call, and which hooks it would have had to ask. */
export interface RecordedDecision {
  readonly decision: Decision;
  /** Hooks that match and whose answers are not known. */
  readonly unknown: readonly Hook[];
}

/**
 * Decides a recorded call by a policy: rules are evaluated, and nothing is run, written or bound. `only` limits that to one
 * hook, or to what is not a hook of a file: self-protection, the memory of denials, derived events, intents.
 */
export async function decideRecorded(
  event: HookEvent,
  policy: RecordedPolicy,
  circumstances: RecordedCircumstances,
  only?: Hook | "built-ins",
): Promise<RecordedDecision> {
  const executor = new RecordedExecutor(event, policy, circumstances);
  const hooks = only === undefined ? policy.registry.getHooks(event) : only === "built-ins" ? [] : [only];
  const decision = await executor.decideWith(event, hooks);
  const isWhole = only === undefined || only === "built-ins";
  return {
    decision: isWhole ? await afterHooks(decision, executor, policy, circumstances) : decision,
    unknown: executor.unknown,
  };
}

async function afterHooks(
  ofHooks: Decision,
  executor: RecordedExecutor,
  policy: RecordedPolicy,
  circumstances: RecordedCircumstances,
): Promise<Decision> {
  let decision = ofHooks;
  if (decision.event.type === "tool:pre_execute" && !onlyLooks(finalCall(decision))) {
    const known = decision.input === undefined ? circumstances.protection : undefined;
    decision = withResult(decision, known === undefined ? protectedFrom(finalCall(decision), policy) : known.said);
    if (decision.action !== "deny" && circumstances.denied.length > 0)
      decision = withResult(decision, deniedAmong(finalCall(decision), circumstances.denied, circumstances.at));
  }
  if (decision.action !== "deny") decision = await withDerived(decision, executor);
  return underIntents(decision, executor, policy, circumstances);
}

/** Two policies that protect the same files have the same result for one call. */
function protectedFrom(event: HookEvent, { protection, protectedPaths }: RecordedPolicy): HookResult | undefined {
  const key = protection.files?.join("\n") ?? "";
  const known = PROTECTED.get(event);
  if (known?.key === key) return known.result;
  const result = selfProtection(event, protection, protectedPaths());
  PROTECTED.set(event, { key, result });
  return result;
}

const PROTECTED = new WeakMap<HookEvent, { readonly key: string; readonly result: HookResult | undefined }>();

/** The hook that protects Sluice itself. */
export const SELF_PROTECTION_HOOK: Hook = SELF_PROTECTION;

/** The hooks that come with Sluice and run beside those of files. */
export const BUILT_IN_HOOKS: readonly Hook[] = [SELF_PROTECTION, DENY_MEMORY];

/** Takes an event through rules alone; for other hooks it uses their recorded results. */
class RecordedExecutor extends HookExecutor {
  readonly unknown: Hook[] = [];
  readonly #original: HookEvent;
  readonly #policy: RecordedPolicy;
  readonly #around: RecordedCircumstances;

  constructor(original: HookEvent, policy: RecordedPolicy, around: RecordedCircumstances) {
    super({ registry: policy.registry, workingDir: policy.configuration.root, history: around.history });
    this.#original = original;
    this.#policy = policy;
    this.#around = around;
  }

  override async decide<Input>(event: HookEvent): Promise<Decision<Input>> {
    // What was recorded has no type.
    return (await this.decideWith(event, this.registry.getHooks(event))) as Decision<Input>;
  }

  async decideWith(event: HookEvent, hooks: readonly Hook[]): Promise<Decision> {
    const outcome = await runChain(event, hooks, (hook, current) => this.#run(hook, current), {
      stopOnFailure: false,
      waiting: async (changed, known, ran) => this.#waiting(changed, known, ran),
    });
    const results = outcome.results.filter(({ hook }) => !this.unknown.includes(hook));
    return aggregate({
      event,
      results,
      ...(outcome.isChanged ? { changed: { value: modifiable(outcome.event) } } : {}),
    });
  }

  #waiting(changed: HookEvent, known: readonly Hook[], ran: number): readonly Hook[] {
    const newcomers = this.registry.getHooks(changed).filter((hook) => !known.includes(hook));
    const order = this.registry.hooks;
    return [...known.slice(ran), ...newcomers].sort((one, other) => order.indexOf(one) - order.indexOf(other));
  }

  #run(hook: Hook, event: HookEvent): HookResult | Promise<HookResult> {
    const known = this.#policy.known.get(hook);
    if (known?.isRule !== true) return this.#recorded(hook, event);
    const ran =
      hook.type === "inline"
        ? this.#rules(hook, event, known.key)
        : hook.type === "cedar"
          ? this.#policies(hook, event)
          : this.#combination(hook, event);
    return ran instanceof Promise ? ran.then((facts) => judge(hook, event, facts, 0)) : judge(hook, event, ran, 0);
  }

  /** Rules that depend on the call alone have the same result in every policy. */
  #rules(hook: Hook, event: HookEvent, key: string): Promise<Ran> | Ran {
    const { shared } = this.#around;
    const isShared = shared !== undefined && event === this.#original && !this.#policy.asksAboutPast;
    const known = isShared ? shared.get(key) : undefined;
    if (known !== undefined) return known;
    const ran = runInline(hook, event, this.#context(hook, event));
    if (!isShared) return ran;
    const keep = (facts: Ran) => {
      shared.set(key, facts);
      return facts;
    };
    return ran instanceof Promise ? ran.then(keep) : keep(ran);
  }

  /** Policies are loaded where a project has some. */
  async #policies(hook: Hook, event: HookEvent): Promise<Ran> {
    return (await import("../runners/cedar.ts")).runCedar(hook, event);
  }

  #combination(hook: Hook, event: HookEvent): Promise<Ran> {
    return runCombination(hook, event, {
      ...this.#context(hook, event),
      runHooks: (members, current, { stopOnFailure }) =>
        runChain(current, members, (member, now) => this.#run(member, now), { stopOnFailure }),
    });
  }

  #context(hook: Hook, event: HookEvent): RunContext {
    const { history } = this.#around;
    return {
      deadline: hook.deadline(undefined),
      depth: 1,
      workingDir: this.workingDir,
      signal: undefined,
      recent: pastOf(event, history),
    };
  }

  #recorded(hook: Hook, event: HookEvent): HookResult {
    const said = this.#around.answerOf(hook, event !== this.#original);
    if (said !== undefined) return said;
    if (!this.unknown.includes(hook)) this.unknown.push(hook);
    return judge(hook, event, PASSED, 0);
  }
}

/** What follows from the call is asked about, too. */
async function withDerived(decision: Decision, executor: RecordedExecutor): Promise<Decision> {
  const { type, toolName } = decision.event;
  if (!eventsDerivedFrom(type).some((name) => executor.registry.isMatched(name, toolName))) return decision;
  const said = await decideDerived(finalCall(decision), { executor, root: executor.workingDir });
  return said.reduce(joined, decision);
}

async function underIntents(
  decision: Decision,
  executor: RecordedExecutor,
  { configuration }: RecordedPolicy,
  { env, canAsk }: RecordedCircumstances,
): Promise<Decision> {
  if (!concernsIntents(decision.event, configuration.settings.intents.mode)) return decision;
  const context = { executor, root: configuration.root, env, project: configuration, canAsk, version: VERSION };
  return (await INTENTS.run({ decision, told: [] }, { ...context, isDry: true })).decision;
}

const INTENTS = STAGES.filter((stage) => stage.at === "call").find(({ name }) => name === "intents") ?? missing();

function missing(): never {
  throw new Error("the table of stages does not have intents");
}

/** What a denied call was after; with nothing known about what denied it, any denial is meant. */
export function targetOf(
  event: HookEvent,
  said: readonly HookResult[] | undefined,
  at: number,
): DeniedTarget | undefined {
  const results = said ?? [builtInResult(SELF_PROTECTION, { action: "deny" }, 0)];
  return targetOfDenial(aggregate({ event, results }), at);
}

/** Whether nothing but rules about losing what can be kept first stops a call, where such things are kept. */
export function isLeftToUndo({ decision }: RecordedDecision, policy: RecordedPolicy): boolean {
  return policy.configuration.settings.undo !== undefined && isOnlyUndoable(decision);
}
