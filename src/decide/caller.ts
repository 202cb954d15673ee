import { type AgentCall, type Native, readCall } from "../adapters/read-call.ts";
import { isAnsweredElsewhere } from "../approvals/store.ts";
import { loadLayersWith } from "../config/load-layers.ts";
import { parsePlain } from "../config/read-document.ts";
import { noticesAbout } from "../config/trusted.ts";
import { readForCall } from "../config/written-files.ts";
import { HookExecutor } from "../engine/executor.ts";
import type { History } from "../engine/history.ts";
import type { HookEvent } from "../event/event.ts";
import { attachRoot } from "../event/field.ts";
import { WorkBudget } from "../event/work-budget.ts";
import { withGuards } from "../policies/guards/with-guards.ts";
import { HookRegistry } from "../registry/registry.ts";
import { newId } from "../trace/fingerprint.ts";
import { callerChain } from "./caller-chain.ts";
import { canAskIn, fitFor } from "./can-ask.ts";
import { CANARY_VARIABLE, canaryHooks } from "./canary.ts";
import type { DecideContext, MatchedHooks } from "./context.ts";
import { matchedHooks } from "./matched-hooks.ts";
import { patienceIn, timeLeft } from "./patience.ts";
import {
  type Configuration,
  configurationAt,
  fileHistory,
  historyFor,
  type Layers,
  type ProcessEnvironment,
  preparedHooks,
  projectOf,
} from "./project.ts";
import { VERSION } from "./version.ts";

/** The process that passes on an agent's call: its working directory, and what a daemon adds. */
export interface Caller {
  readonly cwd: string;
  readonly env: ProcessEnvironment;
  /** The process that started it, where that is known: the agent, or a shell of the agent's. */
  readonly parent?: number | undefined;
  /** The trust hash that the command line states. */
  readonly trustHash?: string | undefined;
  /** Called before hooks run that start something; throws `Undecided` where they may not run here. */
  readonly beforeHooks?: ((matched: MatchedHooks) => Promise<void> | void) | undefined;
  /** Called before a call has any effect besides its answer; throws `Undecided` if it must not have one. */
  readonly begin?: (() => Promise<void>) | undefined;
  /** What only a daemon has. */
  readonly daemon?: DaemonCaller | undefined;
}

/** What a daemon knows from earlier calls, and does after them. */
export interface DaemonCaller {
  /** The layers of a project as they were read before, if nothing has changed since. */
  readonly layers: (root: string, budget: WorkBudget) => Layers;
  /** Runs an act once the answer is on its way, and only if it arrives. */
  readonly afterwards: (act: () => void) => void;
  /** Runs an act if the answer never arrives; left out where nothing may be done before the client has confirmed. */
  readonly unlessArrives?: ((act: () => void) => void) | undefined;
  /** A call may wait for another process here: it keeps no other call waiting. */
  readonly mayWait?: boolean | undefined;
}

/** The context in which an agent's call is decided; starts its `async` hooks. */
export async function contextFor(
  event: HookEvent,
  native: Native,
  call: AgentCall,
  caller: Caller,
  budget: WorkBudget,
): Promise<DecideContext> {
  const { env, daemon } = caller;
  const begin = waitedFor(caller.begin, budget);
  const configuration = await configurationFor(event, native, caller, budget);
  const canary = canaryHooks(env[CANARY_VARIABLE]);
  const hooks = canary.length === 0 ? configuration.hooks : [...configuration.hooks, ...canary];
  const { background, registry, asksAboutPast, areRules } = preparedHooks(hooks);
  const { root } = configuration;
  const beforeHooks = waitedFor(caller.beforeHooks, budget);
  const patience = patienceOf(native);
  let asks: boolean | undefined;
  const canAsk = () => (asks ??= canAskIn(native, caller.parent));
  // A daemon decides one call after the other: what may wait for a person is decided in a worker.
  const { waitMs = 0, via } = configuration.settings.approvals ?? {};
  const waits = native.hookEvent.isBesideDialog
    ? isAnsweredElsewhere({ env }, via)
    : waitMs > 0 && event.type === "tool:pre_execute" && !canAsk();
  const matched = (areRules ? undefined : matchedHooks(hooks, event)) ?? (waits ? NO_HOOKS : undefined);
  if (matched !== undefined) await beforeHooks?.({ ...matched, root, patience });
  const history = asksAboutPast ? await fileHistory(hooks, env) : undefined;
  const isBackground = background.some((hook) => hook.enabled && hook.matches(event));
  // Rules that ask about nothing but the call leave no mark; everything else waits until it may be done.
  if (isBackground || history !== undefined) await begin?.();
  const { adapter } = native;
  return {
    executor: executorFor(configuration, registry, history, (changed) =>
      announce(changed, hooks, root, patience, { beforeHooks }),
    ),
    root,
    env,
    project: configuration,
    hasInventory: true,
    // The system is asked for the terminal only where a person is to answer a question.
    get canAsk() {
      return canAsk();
    },
    callerChain: () => callerChain(caller.parent),
    // Rules end by themselves, and a signal is not free.
    signal: matched === undefined ? undefined : AbortSignal.timeout(timeLeft(patience, budget.began)),
    ...(waits ? { waitUntil: budget.began + patience } : {}),
    begin,
    budget,
    isTurnTheEnd: event.type === "session:stop" && !hasEnd(native),
    version: VERSION,
    journal: {
      began: budget.began,
      agent: adapter.id,
      takesContext: native.hookEvent.can.includes("context"),
      fit: fitFor(native, canAsk, isTooEarlyFor(native) ? ownNotices(configuration) : []),
      background: isBackground ? await (await import("./background.ts")).startBackground(call, caller.cwd) : undefined,
      isDaemon: daemon !== undefined,
      afterwards: daemon?.afterwards,
      unlessArrives: daemon?.unlessArrives,
    },
  };
}

/** Runs the `async` hooks of a call, which decide nothing, and writes down what became of them. */
export async function runBackground(call: AgentCall, caller: Caller, id = newId()): Promise<void> {
  const read = readCall(call);
  if (read.kind !== "event") return;
  const { event, native } = read;
  const { env } = caller;
  const configuration = await configurationFor(event, native, caller, new WorkBudget());
  const { background } = preparedHooks(configuration.hooks);
  const registry = new HookRegistry();
  registry.loadHooks(background);
  const executor = executorFor(configuration, registry, await historyFor(background, env));
  const decision = await executor.decide(event);
  const results = await executor.idle();
  const { recordBackground } = await import("./background.ts");
  recordBackground(decision, results, { id, agent: native.adapter.id, root: configuration.root, env });
}

/** The wait for another process, which costs the call nothing. */
function waitedFor<Given extends unknown[]>(
  wait: ((...given: Given) => Promise<void> | void) | undefined,
  budget: WorkBudget,
): ((...given: Given) => Promise<void>) | undefined {
  if (wait === undefined) return undefined;
  return async (...given) => {
    budget.pause();
    await wait(...given);
    budget.resume();
  };
}

async function configurationFor(
  event: HookEvent,
  native: Native,
  caller: Caller,
  budget: WorkBudget,
): Promise<Configuration> {
  const { env, trustHash, daemon } = caller;
  const { cwd } = event;
  // A session begins with everything that waits for an approval; later only what a call is about is looked at.
  const wanted = event.type === "session:start" ? { cwd } : { cwd, event };
  const root = projectOf(native, event, caller);
  attachRoot(event, root);
  const layers = daemon?.layers(root, budget) ?? (await readLayersOnce(root, budget));
  return configurationAt(root, { env, trustHash, layers: () => layers, budget, ...wanted });
}

/** A change of the input may match hooks that start something, and did not match before. */
async function announce(
  changed: HookEvent,
  hooks: Configuration["hooks"],
  root: string,
  patience: number,
  { beforeHooks }: Pick<Caller, "beforeHooks">,
): Promise<void> {
  const matched = matchedHooks(hooks, changed);
  if (matched !== undefined) await beforeHooks?.({ ...matched, root, patience });
}

/** An executor for the hooks of a configuration. */
export function executorFor(
  configuration: Configuration,
  registry: HookRegistry,
  history: History | undefined,
  onNewcomers?: (changed: HookEvent) => Promise<void>,
): HookExecutor {
  const { root, settings } = configuration;
  return new HookExecutor({
    registry,
    workingDir: root,
    notices: ownNotices(configuration),
    llm: settings.llm,
    onNewcomers,
    // Where no rule asks about earlier events, none are kept.
    history: history ?? NO_PAST,
  });
}

/** What is broken; messages about trust reach the agent separately. */
function ownNotices({ notices, trust }: Configuration): readonly string[] {
  const waiting = notices.length === 0 ? notices : noticesAbout(trust);
  return waiting.length === 0 ? notices : notices.filter((notice) => !waiting.includes(notice));
}

/** Some agents show the message of a hook before a call to neither user nor model: it is passed on with the result of the call. */
function isTooEarlyFor({ adapter: { hookEvents }, hookEvent }: Native): boolean {
  if (hookEvent.as !== "tool:post_execute") return false;
  return !Object.values(hookEvents).some(({ as, can }) => as === "tool:pre_execute" && can.includes("context"));
}

function hasEnd({ adapter: { hookEvents } }: Native): boolean {
  return Object.values(hookEvents).some(({ as, installed }) => as === "session:end" && installed !== "never");
}

/** Milliseconds until the answer is due: before the agent gives up and continues without one. */
function patienceOf({ adapter, hookEvent }: Native): number {
  return patienceIn(hookEvent.seconds ?? adapter.seconds);
}

/**
 * Reads the layers of a project for one cold call. Most files are written simply; only where one is not, the libraries that
 * read all of YAML and JSON are loaded, and the layers are read again with them.
 */
export async function readLayersOnce(root: string, budget = new WorkBudget()): Promise<Layers> {
  const plain = readForCall((drafts) => readPlainLayers(root, budget, drafts), root);
  return plain ?? (await import("./layers.ts")).readLayersForCall(root, budget);
}

function readPlainLayers(
  root: string,
  budget: WorkBudget,
  drafts: ReadonlyMap<string, string> = new Map(),
): Layers | undefined {
  let isPlain = true;
  // Packs are compared with their lock, byte by byte; what that takes is loaded where one is used.
  const openPack = () => {
    isPlain = false;
    return undefined;
  };
  const verifyBundle = () => {
    isPlain = false;
    return { hash: "", files: [] };
  };
  const layers = loadLayersWith(
    (format, text) => {
      const tree = parsePlain(format, text);
      isPlain &&= tree !== undefined;
      return { tree: tree ?? EMPTY };
    },
    root,
    { openPack, verifyBundle, drafts, wantsWarnings: false, budget },
  );
  return isPlain ? withGuards(layers) : undefined;
}

/** Stands for a text that is read again. */
const EMPTY = { kind: "scalar", at: 0, value: null } as const;

const NO_PAST: History = { record: () => {}, count: () => 0 };
const NO_HOOKS = { kinds: [], usesNetwork: false } as const;
