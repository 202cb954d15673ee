import { isPersonFileWritten } from "../approvals/store.ts";
import { agentNotices } from "../config/trusted.ts";
import { joined } from "../decision/aggregate.ts";
import { type Decision, withParts } from "../decision/decision.ts";
import { finalCall, withModifiable } from "../decision/modification.ts";
import { STRICTNESS } from "../decision/result.ts";
import { onlyLooks } from "../effects/is-read-only.ts";
import { eventsDerivedFrom } from "../event/catalogue.ts";
import type { HookEvent } from "../event/event.ts";
import { once } from "../event/once.ts";
import { withGuards } from "../policies/guards/with-guards.ts";
import { concernsIntents, underIntents } from "../policies/intent/under-intents.ts";
import type { keepQuietly } from "../policies/undo/keep.ts";
import { mayDestroy } from "../policies/undo/may-destroy.ts";
import { hasOpenCalls } from "../policies/undo/open-calls.ts";
import { diskLookups } from "../runners/disk-lookups.ts";
import { isTraced } from "../trace/change/traced.ts";
import { untoldNotices } from "../trace/told-notices.ts";
import { deniedInProgram, loadDenyMemory, loadGovernance, stateContext, useApprovals } from "./approval-stage.ts";
import { askWithoutBox, containCall, isIssuedCall, unlessContained } from "./contain-stage.ts";
import type { DecideContext, Decided } from "./context.ts";
import { followData } from "./follow-data.ts";
import { atOnce, compareInventory, ENDS, isDenied, unrecorded, withResult } from "./inventory.ts";
import { recordCall } from "./journal.ts";
import { type Configuration, noticesOf, trustedConfiguration } from "./project.ts";

/** One stage of a decision: what it adds, when the configuration is read or when a call is decided. */
export type Stage = { readonly name: string; readonly does: string } & (
  | { readonly at: "configuration"; readonly reads: typeof withGuards | typeof trustedConfiguration }
  | {
      readonly at: "call";
      /** When the work budget of the call is spent before this stage: a gate is denied, or the stage runs all the same. */
      readonly whenSpent?: "deny" | "run";
      /** Returns the same object if it does not change the decision. */
      readonly run: (decided: Decided, context: DecideContext) => Decided | Promise<Decided>;
    }
);

/** The stages of every decision, in their order. Without a project's configuration only `hooks` and `derived events` act. */
export const STAGES = [
  {
    name: "guards",
    does: "adds the guards that the layers ask for to their hooks",
    at: "configuration",
    reads: withGuards,
  },
  {
    name: "trust",
    does: "takes out hooks of a project that the user has not approved, and keeps the gates shut of those that changed since; its denials stay",
    at: "configuration",
    reads: trustedConfiguration,
  },
  {
    name: "hooks",
    does: "runs the hooks and guards that match, in order, and combines their results",
    at: "call",
    run: runHooks,
  },
  {
    name: "inventory",
    does: "asks while something is missing that was enforced before, until a person has confirmed the change",
    at: "call",
    whenSpent: "deny",
    run: compareInventory,
  },
  {
    name: "data flow",
    does: "asks about calls that act outside of the project after content from outside has entered the step",
    at: "call",
    whenSpent: "deny",
    run: followData,
  },
  {
    name: "self-protection",
    does: "denies a change of Sluice, its configuration, its records and the settings through which agents call it",
    at: "call",
    whenSpent: "deny",
    run: protectSluice,
  },
  {
    name: "memory of denials",
    does: "denies another way to what the session was denied a minute ago",
    at: "call",
    whenSpent: "deny",
    run: denyAgain,
  },
  {
    name: "derived events",
    does: "asks `memory:update` before a memory file is written, and fires `session:error` after `tool:error`",
    at: "call",
    whenSpent: "deny",
    run: askDerived,
  },
  {
    name: "intents",
    does: "limits writes to the scope of the intent that the session has selected",
    at: "call",
    whenSpent: "deny",
    run: checkIntents,
  },
  {
    name: "undo",
    does: "keeps what a call would destroy, and lets it pass where nothing but that loss stops it",
    at: "call",
    whenSpent: "deny",
    run: keepForUndo,
  },
  {
    name: "no box",
    does: "asks about a call with unknown effects that is to run in a box if no box can be made",
    at: "call",
    whenSpent: "deny",
    run: askWithoutBox,
  },
  {
    name: "approvals",
    does: "lets a call pass that a person has approved, lets every other question wait for an answer, and remembers the target of a denied call",
    at: "call",
    run: useApprovals,
  },
  {
    name: "contain",
    does: "has a call run in a box whose effects are not known, and looks at its end whether it did",
    at: "call",
    run: containCall,
  },
  {
    name: "trace",
    does: "records which files a call has changed, in the project's hash chain",
    at: "call",
    whenSpent: "run",
    run: traceChanges,
  },
  {
    name: "journal",
    does: "records the decision, without secrets, where `sluice why` finds it",
    at: "call",
    whenSpent: "run",
    run: recordCall,
  },
] as const satisfies readonly Stage[];

/** The name of a stage. */
export type StageName = (typeof STAGES)[number]["name"];

async function runHooks({ decision: { event }, told }: Decided, context: DecideContext): Promise<Decided> {
  const { executor, signal, stopOnFailure = false, budget, project } = context;
  const decision = await executor.decide(event, { signal, stopOnFailure, budget });
  if (project === undefined) return { decision, told };
  return {
    decision: withNotices(decision, untold(agentNotices(project.trust, event), event, context)),
    told: noticesOf(project),
  };
}

/** An agent that accepts messages for its model here gets each notice once per session; any other caller, each time. */
function untold(notices: readonly string[], { sessionId }: HookEvent, { journal, env, isDry }: DecideContext) {
  if (notices.length === 0 || isDry || journal?.takesContext !== true) return notices;
  const { notices: left, told } = untoldNotices(sessionId, notices, env);
  if (journal.afterwards === undefined) told();
  else journal.afterwards(told);
  return left;
}

/** Notifies the agent about hooks of its call that did not run. */
function withNotices(decision: Decision, notices: readonly string[]): Decision {
  return notices.length === 0 ? decision : withParts(decision, { contexts: [...decision.contexts, ...notices] });
}

function protectSluice(decided: Decided, context: DecideContext): Decided | Promise<Decided> {
  const { project } = context;
  if (project === undefined || !(isGoverned(decided.decision) || hidesFromReaders(decided.decision, project, context)))
    return decided;
  return protectedBy(decided, project, context);
}

async function protectedBy(decided: Decided, project: Configuration, { env, isDry }: DecideContext): Promise<Decided> {
  const final = finalCall(decided.decision);
  if (await isIssuedCall(final, project, env)) return decided;
  const [{ protectionContext }, { noteOpened, selfProtection }] = await Promise.all([
    loadGovernance(),
    loadSelfProtection(),
  ]);
  const protection = protectionContext({ ...project, hooks: project.written }, env);
  const result = selfProtection(final, protection);
  if (result === undefined && !isDry) noteOpened(final, protection);
  return withResult(decided, result);
}

function denyAgain(decided: Decided, context: DecideContext): Decided | Promise<Decided> {
  const { decision } = decided;
  const { project, env, denials } = context;
  if ((project ?? denials) === undefined || isDenied(decision, project) || !isGoverned(decision)) return decided;
  if (project !== undefined) return deniedAgain(decided, project, env);
  return denials === undefined ? decided : deniedInProgram(decided, denials);
}

async function deniedAgain(decided: Decided, project: Configuration, env: DecideContext["env"]): Promise<Decided> {
  const { deniedBefore } = await loadDenyMemory();
  return withResult(decided, deniedBefore(finalCall(decided.decision), await stateContext(project, env)));
}

/** Calls that only read are let by before anything is loaded. */
function isGoverned({ event, input }: Decision): boolean {
  if (event.type !== "tool:pre_execute") return false;
  if (input !== undefined) return isMoreThanLooking(withModifiable(event, input));
  if (looked?.event !== event) looked = { event, isGoverned: isMoreThanLooking(event) };
  return looked.isGoverned;
}

/** Reading is harmless, but not of what proves a person, nor of another terminal. */
function isMoreThanLooking(event: HookEvent): boolean {
  return !onlyLooks(event) || LOOKED_AT.test(event.toText());
}

/** Whether there are files that no call may read: a PIN, or the address of notifications. A link may lead to them. */
function hidesFromReaders({ event }: Decision, { settings }: Configuration, { env }: DecideContext): boolean {
  if (event.type !== "tool:pre_execute") return false;
  const { approvals, shared } = settings;
  return (approvals?.via.length ?? 0) > 0 || shared?.key !== undefined || isPersonFileWritten({ env });
}

/** Two stages ask about the same call, one after the other. */
let looked: { readonly event: HookEvent; readonly isGoverned: boolean } | undefined;

/** Asks the hooks about what follows from a call, where one matches that. */
function askDerived(decided: Decided, context: DecideContext): Decided | Promise<Decided> {
  const { event } = decided.decision;
  const derived = eventsDerivedFrom(event.type);
  const { registry } = context.executor;
  if (derived.length === 0 || isDenied(decided.decision, context.project)) return decided;
  if (!derived.some((name) => registry.isMatched(name, event.toolName))) return decided;
  return withDerived(decided, context);
}

async function withDerived(decided: Decided, context: DecideContext): Promise<Decided> {
  await context.begin?.();
  const { decideDerived } = await import("./derived-events.ts");
  const { decision } = decided;
  const said = await decideDerived(finalCall(decision), context);
  return said.length === 0 ? decided : { ...decided, decision: said.reduce(joined, decision) };
}

function checkIntents(decided: Decided, context: DecideContext): Decided | Promise<Decided> {
  const { intents } = context.project?.settings ?? WITHOUT_PROJECT;
  if (!concernsIntents(decided.decision.event, intents.mode)) return decided;
  return underIntent(decided, { ...intents, ...context });
}

async function underIntent(
  decided: Decided,
  context: DecideContext & Configuration["settings"]["intents"],
): Promise<Decided> {
  const { begin, isDry, root, env, canAsk, mode, onUnknown } = context;
  await begin?.();
  const governed = { root, mode, onUnknown, canAsk, env };
  const { decision } = decided;
  if (isDry) {
    const { gate } = await import("../policies/intent/gate.ts");
    // Selecting an intent binds the session.
    if (gate(decision.event, { ...governed, approved: decision.approved }).kind === "selects") return decided;
  }
  return withDecision(decided, await underIntents(decision, governed));
}

/** Keeps what a call destroys; a loss that can be undone is not denied. */
function keepForUndo(decided: Decided, context: DecideContext): Decided | Promise<Decided> {
  const { action, event, results } = decided.decision;
  const { project, isDry = false } = context;
  if (project === undefined) return decided;
  if (event.type === "tool:pre_execute") {
    if (STRICTNESS[action] >= STRICTNESS.ask && results.some(({ undoable }) => undoable))
      return recoverable(decided, project, context);
    if (isDry || action === "deny" || project.settings.undo === undefined) return decided;
    const final = finalCall(decided.decision);
    if (!isGoverned(decided.decision) || !mayDestroy(final, diskLookups)) return decided;
    const keep = () => keptQuietly(decided, project, context);
    // A box holds back what its call writes, and what that replaces is kept before it is committed.
    return unlessContained(decided, final, project, context, keep);
  }
  if (isDry || project.settings.undo === undefined) return decided;
  if (!ENDS.has(event.type) || !hasOpenCalls(context.env)) return decided;
  return ended(decided, context);
}

/** Files that an ordinary call overwrites are kept too, without a message if possible. */
async function keptQuietly(decided: Decided, project: Configuration, context: DecideContext): Promise<Decided> {
  const { begin, env, journal } = context;
  const { root, settings } = project;
  if (settings.undo === undefined) return decided;
  const { keepQuietly } = await import("../policies/undo/keep.ts");
  const afterwards = unrecorded(journal?.afterwards);
  // What is approved without a question is kept before that.
  const unlessArrives = settings.approve === "known" ? undefined : unrecorded(journal?.unlessArrives);
  const where = { root, env, settings: settings.undo, lookups: diskLookups, afterwards };
  const call = finalCall(decided.decision);
  const kept = unlessArrives === undefined ? undefined : keepQuietly(call, { ...where, unlessArrives });
  if (kept !== undefined && kept.kind !== "later") return withLoss(decided, kept);
  await begin?.();
  return withLoss(decided, keepQuietly(call, where));
}

/** What could not be kept is reported. */
async function withLoss(decided: Decided, kept: ReturnType<typeof keepQuietly>): Promise<Decided> {
  if (kept.kind === "later") return decided;
  if (kept.kind !== "not kept") return { ...decided, isKept: true };
  const { withLossTold } = await import("../policies/undo/recover.ts");
  return withDecision(decided, withLossTold(decided.decision, kept));
}

/** Notes what a call has left: a file that differs from that at an undo was written later. */
async function ended(decided: Decided, context: DecideContext): Promise<Decided> {
  const { noteEnd } = await import("../policies/undo/recover.ts");
  const { begin, env } = context;
  const { event } = decided.decision;
  const later = unrecorded(context.journal?.afterwards);
  if (later === undefined) await begin?.();
  (later ?? atOnce)(() => noteEnd(event, env));
  return decided;
}

async function recoverable(
  decided: Decided,
  { root, settings: { undo: settings } }: Configuration,
  { begin, env, isDry = false }: DecideContext,
): Promise<Decided> {
  const [{ isRecoverable, recovered }, { rememberMovedAway }] = await Promise.all([
    import("../policies/undo/recover.ts"),
    import("../policies/undo/moved-away.ts"),
  ]);
  const { decision } = decided;
  const isKept = settings !== undefined && isRecoverable(decision);
  if (isKept || !isDry) await begin?.();
  const final = isKept ? recovered(decision, { root, env, settings, isDry, lookups: diskLookups }) : decision;
  if (!isDry && final.action !== "deny") rememberMovedAway(finalCall(decision), root);
  return withDecision(decided, final);
}

function traceChanges(decided: Decided, context: DecideContext): Decided | Promise<Decided> {
  const { project, isDry } = context;
  if (project === undefined || isDry) return decided;
  const { root, settings, isTraceMissing } = project;
  const { trace, isTraceStated, intents } = settings;
  if (!isTraced({ root, trace, isTraceStated, intents, isTraceMissing })) return decided;
  return traced(decided, project, context);
}

async function traced(decided: Decided, project: Configuration, context: DecideContext): Promise<Decided> {
  const { traceDecision } = await import("./change-trace.ts");
  const { decision, told } = await traceDecision(decided.decision, project, context);
  return { ...decided, decision, told: told.length === 0 ? decided.told : [...decided.told, ...told] };
}

function withDecision(decided: Decided, decision: Decision): Decided {
  return decision === decided.decision ? decided : { ...decided, decision };
}

/** Loaded with the first call that needs them; to import again what is loaded takes as long as some rules do. */
const loadSelfProtection = once(() => import("../policies/protect/self-protection.ts"));
const LOOKED_AT = /\/dev\/(?!null\b|shm\b)|\/proc\/\d|approvals/;
const WITHOUT_PROJECT = { intents: { mode: "off", onUnknown: "ask" } } as const;
