import { type Call, type Native, readCall } from "../adapters/read-call.ts";
import { noticesAbout } from "../config/trusted.ts";
import type { Decision } from "../decision/decision.ts";
import { joined } from "../decision/aggregate.ts";
import { withModifiable } from "../decision/modification.ts";
import { CANARY_VARIABLE, canaryHooks } from "../engine/canary.ts";
import { type Govern, HookExecutor } from "../engine/executor.ts";
import type { History } from "../engine/history.ts";
import type { HookEvent } from "../event/event.ts";
import { concernsIntents, underIntents } from "../policies/intent/under-intents.ts";
import type { Decided } from "../decide/answer.ts";
import { HookRegistry } from "../registry/registry.ts";
import { isTraced } from "../trace/change/traced.ts";
import { newId } from "../trace/fingerprint.ts";
import { announceHooks } from "./announce-hooks.ts";
import type { Input } from "./command.ts";
import { type Configuration, configurationAt, fileHistory, historyFor } from "./configuration.ts";
import type { Exit } from "./exit-codes.ts";
import { governing } from "./governing.ts";
import { leaveInOrder } from "./leave-in-order.ts";
import { prepared } from "./prepared-hooks.ts";
import { projectOf } from "./project-of.ts";
import { trustLines } from "./show-trust.ts";
import { traced } from "./tracing.ts";

/**
 * Decides in this very process: reads the configuration, runs the hooks, adds up what they say. Where hooks go on behind the
 * call, it names the id under which they will be found.
 */
export async function decideHere(
  event: HookEvent,
  native: Native,
  call: Call,
  input: Input,
  goesOn: (id: string) => void = () => {},
): Promise<Decided> {
  const configuration = configurationAt(projectOf(native, event, input.io), input, wantedFor(event));
  const canary = canaryHooks(input.io.env[CANARY_VARIABLE]);
  const hooks = canary.length === 0 ? configuration.hooks : [...configuration.hooks, ...canary];
  const { background, registry, asksAboutPast, areRules } = prepared(hooks);
  if (input.io.resident !== undefined && !areRules)
    await announceHooks(configuration, event, patience(native), input.io.resident);
  const history = asksAboutPast ? await fileHistory(input.io) : undefined;
  const onNewcomers = (changed: HookEvent) => announced(configuration, changed, native, input);
  const executor = executorFor(configuration, registry, history, governing(configuration, input), onNewcomers);
  const goesOnBehind = background.some((hook) => hook.enabled && hook.matches(event));
  const begin = input.io.resident?.begin;
  // Rules that ask about nothing but the call leave no mark; everything else waits until it may be done.
  if (goesOnBehind || history !== undefined) await begin?.();
  if (goesOnBehind) goesOn(await startBackground(call, input));
  const isMemoryHeard = registry.isHeard("memory:update", event.toolName);
  // Rules end by themselves, and a signal is not free.
  const isQuick = !isMemoryHeard && (areRules || registry.getHooks(event).every((hook) => hook.type === "inline"));
  const signal = isQuick ? undefined : AbortSignal.timeout(patience(native));
  if (!isQuick && input.io.resident === undefined) leaveInOrder();
  const decided = await executor.decide(event, { signal });
  const { root, settings, isTraceMissing } = configuration;
  const { trace, isTraceStated, intents } = settings;
  const isIntended = concernsIntents(event, intents.mode);
  if (isMemoryHeard || isIntended) await begin?.();
  const said = isMemoryHeard ? await withMemory(decided, executor, signal) : decided;
  const canAsk = native.moment.can.includes("ask");
  const checked = isIntended ? await underIntents(said, { root, ...intents, canAsk, env: input.io.env }) : said;
  const settled = isObjection(checked) ? await afterwards(checked, configuration, input) : checked;
  if (!isTraced({ root, trace, isTraceStated, intents, isTraceMissing }))
    return { decision: settled, told: toldOf(configuration), root };
  const { decision, told } = await traced(settled, configuration, input, native.adapter);
  return { decision, told: [...toldOf(configuration), ...told], root };
}

/** A change of the input may bring hooks that do more than judge: who may not run them, or not like this, has to know. */
async function announced(
  configuration: Configuration,
  changed: HookEvent,
  native: Native,
  { io }: Input,
): Promise<void> {
  if (io.resident === undefined) leaveInOrder();
  else await announceHooks(configuration, changed, patience(native), io.resident);
}

/** What the user has to know: guards that are missing, and hooks that wait for an approval. */
function toldOf({ notices, trust }: Configuration): readonly string[] {
  if (notices.length === 0 && trust.state === "none") return NOTHING;
  return [...new Set([...trustLines(trust), ...notices])];
}

/** A session begins with everything that waits for an approval; later only what a call is about is looked at. */
function wantedFor(event: HookEvent): { cwd: string | undefined; event?: HookEvent } {
  return event.type === "session:start" ? { cwd: event.cwd } : { cwd: event.cwd, event };
}

/** Runs the hooks that decide nothing, in a process that nobody waits for. */
export async function runInBackground(call: Call, input: Input): Promise<Exit> {
  const read = readCall(call);
  if (read.kind !== "event") return "done";
  const { event, native } = read;
  const configuration = configurationAt(projectOf(native, event, input.io), input, wantedFor(event));
  const { background } = prepared(configuration.hooks);
  const registry = new HookRegistry();
  registry.loadHooks(background);
  const executor = executorFor(configuration, registry, await historyFor(background, input.io));
  leaveInOrder();
  const nothing = await executor.decide(event);
  const results = await executor.idle();
  const { rememberBackground } = await import("./background-run.ts");
  const id = input.text("background") ?? newId();
  rememberBackground(nothing, results, { id, agent: native.adapter.id, root: configuration.root }, input.io);
  return "done";
}

function executorFor(
  { root, notices, settings, trust }: Configuration,
  registry: HookRegistry,
  history: History | undefined,
  govern?: Govern,
  onNewcomers?: (changed: HookEvent) => Promise<void>,
): HookExecutor {
  // The user hears of hooks that wait for an approval; the model would only try to approve them.
  const waiting = noticesAbout(trust);
  return new HookExecutor({
    registry,
    workingDir: root,
    notices: notices.filter((notice) => !waiting.includes(notice)),
    llm: settings.llm,
    govern,
    onNewcomers,
    // Where nobody asks about the past, nothing is kept of it.
    history: history ?? NO_PAST,
  });
}

/** What a person allowed once passes; every other denial is remembered for a while. */
async function afterwards(decision: Decision, configuration: Configuration, { io }: Input): Promise<Decision> {
  if (decision.event.type !== "tool:pre_execute") return decision;
  await io.resident?.begin?.();
  const [{ protectionContext }, { lifted }, { rememberDenial }] = await Promise.all([
    import("../policies/protect/governance.ts"),
    import("../policies/protect/permit.ts"),
    import("../policies/protect/deny-memory.ts"),
  ]);
  const grounds = protectionContext({ ...configuration, hooks: [] }, io.env);
  const final = lifted(decision, grounds);
  rememberDenial(final, grounds);
  return final;
}

function isObjection({ action }: Decision): boolean {
  return action === "deny" || action === "ask";
}

/** Hooks on `memory:update` look at what a tool is about to write; a denial there blocks the tool. */
async function withMemory(
  decision: Decision,
  executor: HookExecutor,
  signal: AbortSignal | undefined,
): Promise<Decision> {
  const { event, action, input } = decision;
  if (action === "deny" || event.type !== "tool:pre_execute") return decision;
  const { passMemory, wantsMemory } = await import("../hosts/memory-gate.ts");
  const call = input === undefined ? event : withModifiable(event, input);
  if (!wantsMemory(executor, call)) return decision;
  let whole = decision;
  const pass = async (said: Decision) => {
    whole = joined(whole, said);
  };
  await passMemory(executor, call, { pass, signal });
  return whole;
}

/** An agent waits for our output to end, so hooks that nobody waits for need a process of their own. */
async function startBackground({ text, agent, moment }: Call, { io }: Input): Promise<string> {
  const { spawn } = await import("node:child_process");
  const id = newId();
  const words = [...(agent === undefined ? [] : [agent]), ...(moment === undefined ? [] : ["--moment", moment])];
  const child = spawn(process.execPath, [process.argv[1] ?? "", "run", ...words, "--background", id], {
    cwd: io.cwd,
    detached: true,
    windowsHide: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.on("error", () => {});
  await new Promise<void>((resolve) => child.stdin.on("error", () => resolve()).end(text, () => resolve()));
  child.unref();
  return id;
}

/** Milliseconds until the answer has to be there: before the agent gives up and goes on without one. */
function patience({ adapter, moment }: Native): number {
  const seconds = moment.seconds ?? adapter.seconds;
  return Math.floor(Math.max(seconds - SPARE_SECONDS, seconds * LEAST_SHARE) * 1000);
}

const NO_PAST: History = { record: () => {}, count: () => 0 };
const NOTHING: readonly string[] = [];
/** A hook that is told to end has two seconds for it. */
const SPARE_SECONDS = 4;
const LEAST_SHARE = 0.6;
