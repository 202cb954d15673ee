import { hasApprovals } from "../approvals/store.ts";
import type { Decision } from "../decision/decision.ts";
import { finalCall } from "../decision/modification.ts";
import { STRICTNESS } from "../decision/result.ts";
import { once } from "../event/once.ts";
import type { ProtectionContext } from "../policies/protect/protection-context.ts";
import type { DecideContext, Decided, Denials } from "./context.ts";
import { acceptAllowed, ENDS, withResult } from "./inventory.ts";
import { policyHash } from "./policy-hash.ts";
import type { Configuration } from "./project.ts";

/** What a person approved passes; every other question becomes a request, and every denial is remembered for a while. */
export function useApprovals(decided: Decided, context: DecideContext): Decided | Promise<Decided> {
  const { action, event } = decided.decision;
  const { project, isDry = false, env } = context;
  if (isDry) return decided;
  if (ENDS.has(event.type))
    return project !== undefined && hasApprovals({ env }) ? settled(decided, project, context) : decided;
  if (event.type === "permission:check")
    return project !== undefined && context.waitUntil !== undefined && action === "continue"
      ? answeredElsewhere(decided, project, context)
      : decided;
  if (event.type !== "tool:pre_execute") return decided;
  if (STRICTNESS[action] < STRICTNESS.ask)
    return project?.settings.approve === "known" ? approvedIfKnown(decided, project) : decided;
  if (project !== undefined) {
    const isFinal = action === "deny" && !isForgetting && !hasApprovals({ env });
    const later = isFinal ? context.journal?.afterwards : undefined;
    return later === undefined
      ? underAnswers(decided, project, context)
      : rememberedLater(decided, project, env, later);
  }
  return context.denials === undefined ? decided : rememberedInProgram(decided, context.denials);
}

/** Lets a call that certainly does no harm pass without a question of the agent, if the user wants that. */
async function approvedIfKnown(decided: Decided, { root }: Configuration): Promise<Decided> {
  const { decision, told, isKept = false } = decided;
  if (decision.approved || told.length > 0) return decided;
  const { isKnownCall } = await loadKnownCall();
  if (!isKnownCall(decision, { root, isKept: isKept || decision.kept !== undefined })) return decided;
  return { ...decided, decision: { ...decision, approved: true } };
}

async function settled(decided: Decided, project: Configuration, { env, begin }: DecideContext): Promise<Decided> {
  const { root, settings } = project;
  await begin?.();
  await (await loadApprovals()).settled(decided.decision.event, { root, env, shared: settings.shared });
  return decided;
}

/** Where the agent shows the question while its hooks run, an answer on the page or by a link ends the dialog. */
async function answeredElsewhere(decided: Decided, project: Configuration, context: DecideContext): Promise<Decided> {
  const { env, waitUntil, begin } = context;
  await begin?.();
  const { besideDialog } = await loadApprovals();
  const around = { root: project.root, env, policy: policyHash(project), canAsk: true, waitUntil };
  return withFinal(decided, await besideDialog(decided.decision, around));
}

async function underAnswers(decided: Decided, project: Configuration, context: DecideContext): Promise<Decided> {
  const { begin, env, journal, waitUntil } = context;
  await begin?.();
  const [{ underApprovals }, { rememberDenial }] = await Promise.all([loadApprovals(), loadDenyMemory()]);
  const { root, settings } = project;
  const final = await underApprovals(decided.decision, {
    root,
    env,
    policy: policyHash(project),
    settings: settings.approvals,
    shared: settings.shared,
    get canAsk() {
      return context.canAsk;
    },
    waitUntil,
    isOnlyAnswered: journal?.isFired,
    ...((settings.approvals?.via.length ?? 0) > 0 ? { notify: (id) => notifierOf(id, root) } : {}),
  });
  if (STRICTNESS[final.action] < STRICTNESS.ask) acceptAllowed(decided.decision, project, env);
  const trouble = rememberDenial(final, await stateContext(project, env));
  isForgetting = trouble !== undefined;
  return withFinal(trouble === undefined ? decided : { ...decided, told: [...decided.told, trouble] }, final);
}

/** A denial that nothing stored can lift is remembered after the answer: the agent makes its next call when it has that. */
async function rememberedLater(
  decided: Decided,
  project: Configuration,
  env: DecideContext["env"],
  later: (act: () => void) => void,
): Promise<Decided> {
  const [{ rememberDenial }, { protectionContext }] = await Promise.all([loadDenyMemory(), loadGovernance()]);
  later(() => {
    const state = protectionContext({ ...project, hooks: [] }, env);
    isForgetting = rememberDenial(decided.decision, state) !== undefined;
  });
  return decided;
}

/** Whether the last denial could not be remembered: then the next one reports that. */
let isForgetting = false;

async function notifierOf(id: string, root: string): Promise<void> {
  return (await import("./background.ts")).startNotifier(id, root);
}

/** The folder of the state; it does not depend on the scripts of hooks. */
export async function stateContext(project: Configuration, env: DecideContext["env"]): Promise<ProtectionContext> {
  const { protectionContext } = await loadGovernance();
  return protectionContext({ ...project, hooks: [] }, env);
}

function withFinal(decided: Decided, decision: Decision): Decided {
  return decision === decided.decision ? decided : { ...decided, decision };
}

/** Denies another way to a denied target in a program without a configuration, which keeps the denials of its sessions itself. */
export async function deniedInProgram(decided: Decided, denials: Denials): Promise<Decided> {
  const event = finalCall(decided.decision);
  const targets = denials.get(event.sessionId ?? "") ?? [];
  if (targets.length === 0) return decided;
  const { deniedAmong } = await loadDenyMemory();
  return withResult(decided, deniedAmong(event, targets, Date.now()));
}

/** Remembers the target of a denial in such a program. */
async function rememberedInProgram(decided: Decided, denials: Denials): Promise<Decided> {
  const { MAX_REMEMBERED, targetOfDenial } = await loadDenyMemory();
  const target = targetOfDenial(decided.decision, Date.now());
  const session = decided.decision.event.sessionId;
  if (target !== undefined && session !== undefined)
    denials.set(session, [...(denials.get(session) ?? []), target].slice(-MAX_REMEMBERED));
  return decided;
}

/** Loaded with the first call that needs it. */
export const loadGovernance = once(() => import("../policies/protect/protection-context.ts"));
/** The same for the memory of denials. */
export const loadDenyMemory = once(() => import("../policies/protect/deny-memory.ts"));
const loadApprovals = once(() => import("../approvals/under-approvals.ts"));
const loadKnownCall = once(() => import("../approvals/known-call.ts"));
