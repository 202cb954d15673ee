import { finalCall } from "../decision/modification.ts";
import type { HookEvent } from "../event/event.ts";
import { observedOf } from "../event/observed.ts";
import { once } from "../event/once.ts";
import type { DecideContext, Decided } from "./context.ts";
import { ENDS } from "./inventory.ts";
import type { Configuration, ProcessEnvironment } from "./project.ts";

/** Has a call run in a box that the settings want there; at its end, looks whether it did. */
export function containCall(decided: Decided, context: DecideContext): Decided | Promise<Decided> {
  const { project } = context;
  const { event, action } = decided.decision;
  // What is judged after its run has run already.
  const isOpen = event.type === "tool:pre_execute" && action !== "deny" && observedOf(event) === undefined;
  if (project?.settings.contain === undefined || !(isOpen || ENDS.has(event.type))) return decided;
  return loadContained().then(({ contained }) => contained(decided, finalCall(decided.decision), project, context));
}

/** Asks about a call that the settings want in a box if none can be made. */
export function askWithoutBox(decided: Decided, context: DecideContext): Decided | Promise<Decided> {
  const { contain } = context.project?.settings ?? {};
  const { event, action } = decided.decision;
  if (contain === undefined || event.type !== "tool:pre_execute" || action === "deny") return decided;
  if (observedOf(event) !== undefined) return decided;
  return loadContained().then(({ askedWithoutBox }) =>
    askedWithoutBox(decided, finalCall(decided.decision), contain, context),
  );
}

/** Does something to a decision, unless its call will run in a box. */
export function unlessContained(
  decided: Decided,
  final: HookEvent,
  project: Configuration,
  { env }: DecideContext,
  act: () => Decided | Promise<Decided>,
): Decided | Promise<Decided> {
  const { contain } = project.settings;
  if (contain === undefined) return act();
  return loadContained()
    .then(({ isContained }) => isContained(final, contain, env))
    .then((isHeldBack) => (isHeldBack ? decided : act()));
}

/** Whether a call is exactly the line that was given for another call, to run that in its box. */
export async function isIssuedCall(
  final: HookEvent,
  { settings }: Configuration,
  env: ProcessEnvironment,
): Promise<boolean> {
  return settings.contain !== undefined && (await loadContained()).isIssued(final, env);
}

const loadContained = once(() => import("./contained-call.ts"));
