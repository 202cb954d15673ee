import { neverHasTool } from "../../config/entry.ts";
import { noticesAbout } from "../../config/trusted.ts";
import { decideInProject } from "../../decide/in-project.ts";
import { matchedHooks } from "../../decide/matched-hooks.ts";
import type { Configuration } from "../../decide/project.ts";
import type { Decision } from "../../decision/decision.ts";
import type { HookResult } from "../../decision/result.ts";
import type { HookEvent } from "../../event/event.ts";
import type { CommandInput } from "../command.ts";
import { configurationOf } from "../configuration.ts";
import { type Exit, exitOnSignal } from "../exit-codes.ts";
import { showDecision } from "../show/decision.ts";
import { countsHint } from "../show/terminal-text.ts";
import { trustJson, trustLines } from "../show/trust.ts";
import { eventOrCommand } from "./event-options.ts";

/** Fires one event at the hooks that are active here, and shows what each said. */
export async function run(input: CommandInput): Promise<Exit> {
  const { io } = input;
  const event = eventOrCommand(input);
  const configuration = configurationOf(input, { strict: input.has("strict"), cwd: event.cwd, event });
  if (matchedHooks(configuration.hooks, event) !== undefined) exitOnSignal();
  const stopOnFailure = input.has("stop-on-failure");
  const {
    decision,
    background = [],
    record,
  } = await decideInProject(event, configuration, { env: io.env, stopOnFailure });
  if (input.has("json")) {
    const isLost = record !== undefined && "lost" in record;
    const decided = asJson(decision, background, [...configuration.errors, ...(isLost ? [record.lost] : [])]);
    io.out(JSON.stringify({ ...(isLost ? {} : record), ...decided, ...trustJson(configuration.trust) }, null, 2));
  } else {
    for (const line of showDecision(decision, background, io, skippedAt(event, configuration))) io.out(line);
    if (record !== undefined && "lost" in record) io.err(record.lost.format());
    else if (EXITS[decision.action] !== "done" || [...decision.results, ...background].some(hasFailed))
      io.err(`Why: sluice why ${record?.id}`);
    for (const line of hints(event, configuration)) io.err(line);
  }
  return decision.action === "continue" && configuration.errors.length > 0 ? "problem" : EXITS[decision.action];
}

/** The hooks that match an event and of which nothing ran. */
function skippedAt(event: HookEvent, { trust }: Configuration): Configuration["trust"]["skipped"] {
  return trust.skipped.filter(({ hook, stillDenies, instead }) => !stillDenies && !instead && hook.matches(event));
}

function hasFailed({ failure }: HookResult): boolean {
  return failure !== undefined;
}

/** What a person should know who wonders why nothing, or not everything, ran. */
function hints(event: HookEvent, { hooks, errors, warnings, notices, trust }: Configuration): string[] {
  const waiting = hooks.filter((hook) => Array.isArray(hook.toolsFor(event.type))).length;
  return [
    ...(event.toolName === undefined && waiting > 0 ? [withoutTool(event, waiting)] : []),
    ...trustLines(trust),
    ...(event.isGate ? notices.filter((notice) => !noticesAbout(trust).includes(notice)) : []),
    ...(errors.length > 0 && !event.isGate ? [countsHint({ errors, warnings })] : []),
  ];
}

function withoutTool({ type }: HookEvent, waiting: number): string {
  const hooks = (many: string, one: string) => (waiting === 1 ? `1 hook ${one}` : `${waiting} hooks ${many}`);
  return neverHasTool(type)
    ? `${hooks("want", "wants")} a tool here, and ${type} never comes with one.`
    : `No tool was named; ${hooks("match", "matches")} this event only with a tool. Add --tool bash, for example.`;
}

const EXITS: Readonly<Record<Decision["action"], Exit>> = {
  continue: "done",
  modify: "done",
  ask: "asked",
  deny: "denied",
};

function asJson(decision: Decision, background: readonly HookResult[], errors: readonly object[]): object {
  const { event, action, reasons, contexts, input, output, approved, results, kept } = decision;
  return {
    event,
    action,
    reasons,
    contexts,
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...(kept === undefined ? {} : { kept }),
    approved,
    results: results.map(resultJson),
    background: background.map(resultJson),
    problems: errors,
  };
}

function resultJson({ hook, ...result }: HookResult): object {
  const { place, layer } = hook.origin ?? {};
  return { hook: hook.name, layer, ...place, ...result };
}
