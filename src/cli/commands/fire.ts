import { noticesAbout } from "../../config/trusted.ts";
import type { Decided } from "../../decide/context.ts";
import { decideByRules, decideInProject } from "../../decide/in-project.ts";
import { matchedHooks } from "../../decide/matched-hooks.ts";
import type { Configuration } from "../../decide/project.ts";
import { distinctCalls, merged, type SentCall, type SentCalls, senders, strictest } from "../../decide/sent-calls.ts";
import type { Decision } from "../../decision/decision.ts";
import type { HookResult } from "../../decision/result.ts";
import type { HookEvent } from "../../event/event.ts";
import { neverHasTool } from "../../hook/event-problems.ts";
import type { CommandInput } from "../command.ts";
import { configurationOf } from "../configuration.ts";
import { type Exit, exitOnSignal } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { agentsDiffer, agentVerdicts } from "../show/agent-verdicts.ts";
import { showDecision } from "../show/decision.ts";
import { countsHint } from "../show/terminal-text.ts";
import { trustJson, trustLines } from "../show/trust.ts";
import { describedCalls } from "./event-options.ts";

/** Fires one event at the hooks that are active here, and shows the answer of each. */
export async function run(input: CommandInput): Promise<Exit> {
  const { io } = input;
  const sent = describedCalls(input);
  const fired: FiredCall[] = [];
  for (const call of await distinctInProject(sent, input)) fired.push(await fire(call, input));
  const [first, ...others] = fired;
  if (first === undefined) throw new Error("a command line means at least one call");
  const calls = [first, ...others] as const;
  const worst = strictest(calls, ({ decision }) => decision.action);
  const { configuration } = worst;
  if (input.has("json")) io.out(JSON.stringify({ ...firedJson(worst), ...agentVerdicts(calls) }, null, 2));
  else {
    for (const [index, call] of calls.entries()) {
      if (index > 0) io.out("");
      showFired(call, senders(call, sent), io);
    }
    for (const line of agentsDiffer(calls, io)) io.out(line);
    for (const line of new Set(calls.flatMap((call) => hints(call.event, call.configuration)))) io.err(line);
  }
  const { action } = worst.decision;
  return action === "continue" && configuration.errors.length > 0 ? "problem" : EXITS[action];
}

/** One call with what was decided about it. */
interface FiredCall extends SentCall, Decided {
  readonly configuration: Configuration;
}

/** The calls about which the hooks can decide differently: rules are evaluated first, so that every hook runs as rarely as it can. */
async function distinctInProject(sent: SentCalls, input: CommandInput): Promise<readonly SentCall[]> {
  const [first] = sent.calls;
  if (first === undefined || sent.calls.length === 1) return sent.calls;
  const configuration = configurationFor(first, input);
  const distinct = distinctCalls(sent, configuration.hooks);
  if (distinct.length === 1) return distinct;
  const judged: (SentCall & { readonly key: unknown })[] = [];
  for (const call of distinct) {
    const { decision, matched, notRun } = await decideByRules(call.event, configuration, input.io.env);
    const tool = notRun.length > 0 && sent.isInstalled ? call.event.toolName : "";
    const { action, reasons, contexts } = decision;
    judged.push({ ...call, key: [action, reasons, contexts, matched.map(({ hook }) => hook.name), tool] });
  }
  return merged(judged, ({ key }) => key);
}

function configurationFor({ event }: SentCall, input: CommandInput): Configuration {
  return configurationOf(input, { strict: input.has("strict"), cwd: event.cwd, event });
}

async function fire(call: SentCall, input: CommandInput): Promise<FiredCall> {
  const { event } = call;
  const configuration = configurationFor(call, input);
  if (matchedHooks(configuration.hooks, event) !== undefined) exitOnSignal();
  const stopOnFailure = input.has("stop-on-failure");
  const decided = await decideInProject(event, configuration, { env: input.io.env, stopOnFailure });
  return { ...call, ...decided, configuration };
}

function firedJson({ decision, background = [], record, configuration }: FiredCall): object {
  const isLost = record !== undefined && "lost" in record;
  const decided = asJson(decision, background, [...configuration.errors, ...(isLost ? [record.lost] : [])]);
  return { ...(isLost ? {} : record), ...decided, ...trustJson(configuration.trust) };
}

function showFired({ event, decision, background = [], record, configuration }: FiredCall, from: string, io: Io): void {
  for (const line of showDecision(decision, background, io, skippedAt(event, configuration), from)) io.out(line);
  if (record !== undefined && "lost" in record) io.err(record.lost.format());
  else if (EXITS[decision.action] !== "done" || [...decision.results, ...background].some(hasFailed))
    io.err(`Why: sluice why ${record?.id}`);
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
