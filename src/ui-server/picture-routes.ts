import { EVENT_NAMES, type EventName, eventNamed, eventSpec } from "../event/catalogue.ts";
import { compilePattern } from "../event/pattern.ts";
import { explainHook } from "../explain/explain-call.ts";
import type { Hook } from "../hook/hook.ts";
import { isGuardHook } from "../policies/guards/guard-hooks.ts";
import { HookRegistry } from "../registry/registry.ts";
import { times } from "../trace/call-statistics.ts";
import { noDurations } from "../trace/call-sums.ts";
import { recordedEvent } from "../trace/recorded-event.ts";
import { wireRules } from "./call-routes.ts";
import { sumOf } from "./journal-index.ts";
import { daysIn } from "./review-routes.ts";
import { refusedReply, type UiRoute } from "./route.ts";
import { whyOff } from "./rules-routes.ts";
import { draftedConfiguration, whyNot } from "./try-routes.ts";
import type { HookMatch, PolicyPicture } from "./wire-policy.ts";

/** Which hooks listen to which event, in the order in which they run, with what the last days report about them. */
export const showPicture: UiRoute = async ({ query }, context) => {
  const configuration = draftedConfiguration(context.hello.root, new Map(), context);
  const { hooks: tallies } = sumOf(await context.index.days(daysIn(query)));
  const registry = new HookRegistry();
  registry.loadHooks(configuration.written);
  const ordered = registry.hooks.map((hook) => ({ hook, events: compilePattern(hook.eventPattern).events }));
  const shown = (hook: Hook): PolicyPicture["events"][number]["hooks"][number] => {
    const { name, layer, priority, type, mode, origin, eventPattern, matcher, parallel, async: isAsync } = hook;
    const { file, line } = origin?.place ?? {};
    const tally = tallies[name];
    const off = whyOff(hook, configuration);
    return {
      hook: name,
      layer,
      priority,
      kind: type,
      mode: mode ?? "enforce",
      pattern: matcher === undefined ? eventPattern : JSON.stringify(matcher),
      isGuard: isGuardHook(hook),
      ...(file && { file }),
      ...(line !== undefined && { line }),
      ...(off !== undefined && { off }),
      ...(parallel && { parallel: true as const }),
      ...(isAsync && { async: true as const }),
      ran: tally?.ran ?? 0,
      fired: (tally?.denied ?? 0) + (tally?.asked ?? 0) + (tally?.modified ?? 0) + (tally?.would ?? 0),
      p50: times(tally?.took ?? noDurations()).p50,
    };
  };
  const events = EVENT_NAMES.flatMap((event) => {
    const own = ordered.filter(({ events: all }) => all.has(event)).map(({ hook }) => shown(hook));
    return own.length === 0 ? [] : [{ event, isGate: eventSpec(event).gate, when: eventSpec(event).when, hooks: own }];
  });
  return { json: { events } satisfies PolicyPicture };
};

/** Why a hook matches a recorded call, or does not, and what its rules report about it. Nothing is run. */
export const explainMatch: UiRoute = async ({ query }, context) => {
  const record = await context.source.find(query.get("id") ?? "", Number(query.get("at") ?? Number.NaN));
  if (record === undefined) return refusedReply(404, "This call is no longer recorded.");
  const configuration = draftedConfiguration(context.hello.root, new Map(), context);
  const hook = configuration.written.find(
    ({ name, layer }) => name === query.get("hook") && layer === query.get("layer"),
  );
  if (hook === undefined) return refusedReply(404, "This hook is no longer in the configuration.");
  const event = recordedEvent(record);
  if (event === undefined)
    return refusedReply(422, "This call is recorded in part, so no hook can be matched against it.");
  const mayRun = configuration.hooks.some(({ name }) => name === hook.name);
  const listens = compilePattern(hook.eventPattern).events.has(event.type);
  const why = listens ? whyNot(hook, event, mayRun) : `it matches ${eventsText(hook)}, and this is ${record.event}`;
  const explained = why === undefined ? await Promise.all(hook.parts.map((part) => explainHook(part, event))) : [];
  const rules = explained.flatMap(({ rules: own = [] }) => own);
  const match: HookMatch = {
    matches: why === undefined,
    why: why ?? "its event, its tools and its matcher fit",
    ...(rules.length > 0 && { rules: wireRules(rules) }),
    ...(why === undefined && hook.parts.some(({ type }) => type !== "inline") && { wouldRun: true as const }),
  };
  return { json: match };
};

function eventsText({ eventPattern }: Hook): string {
  const name: EventName | undefined = eventNamed(eventPattern);
  return name ?? eventPattern;
}
