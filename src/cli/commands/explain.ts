import { decideByRules } from "../../decide/in-project.ts";
import type { Configuration } from "../../decide/project.ts";
import { distinctCalls, merged, type SentCall, senders, strictest } from "../../decide/sent-calls.ts";
import { type Explained, explainAct, explainHook } from "../../explain/explain-call.ts";
import type { CommandInput } from "../command.ts";
import { configurationOf } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { agentsDiffer, agentVerdicts } from "../show/agent-verdicts.ts";
import { effectLines } from "../show/effects.ts";
import { showExplanation } from "../show/explanation.ts";
import { trustJson } from "../show/trust.ts";
import { describedCall, describedCalls } from "./event-options.ts";

/** Shows the decision of every rule that matches an event, and why. Nothing is run. */
export async function run(input: CommandInput): Promise<Exit> {
  const { io } = input;
  if (input.has("effects")) return showEffects(input);
  const sent = describedCalls(input);
  const configuration = configurationOf(input);
  const judged: JudgedCall[] = [];
  for (const call of distinctCalls(sent, configuration.hooks))
    judged.push(await judgedCall(call, configuration, io.env));
  const [first, ...others] = merged(judged, ({ ruled: { decision, matched, notRun } }) => [
    [decision.action, decision.reasons, decision.contexts],
    [...matched, ...notRun.map((hook) => ({ hook }))].map(({ hook }) => hook.name),
  ]);
  if (first === undefined) throw new Error("a command line means at least one call");
  const calls = [first, ...others] as const;
  if (input.has("json")) {
    const whole = strictest(calls, ({ ruled }) => ruled.decision.action);
    io.out(JSON.stringify({ ...(await callJson(whole, configuration)), ...agentVerdicts(calls) }, null, 2));
  } else {
    for (const [index, call] of calls.entries()) {
      const all = { ...(await explanationOf(call, configuration)), senders: senders(call, sent) };
      for (const line of [...(index > 0 ? [""] : []), ...showExplanation(all, io, input.has("all"))]) io.out(line);
    }
    for (const line of agentsDiffer(calls, io)) io.out(line);
    for (const notice of configuration.notices) io.err(notice);
  }
  return configuration.errors.length > 0 ? "problem" : "done";
}

/** Prints what a command line or a tool call does; no configuration is read and no rule is asked. */
async function showEffects(input: CommandInput): Promise<Exit> {
  const { readCommand, readToolCall } = await import("../../effects/report/read-call.ts");
  const { line, shell, tool, args } = describedCall(input);
  const report = tool === undefined ? readCommand(line, { shell }) : readToolCall(tool, args, { shell });
  if (input.has("json")) input.io.out(JSON.stringify(report, null, 2));
  else for (const text of effectLines(report, input.io)) input.io.out(text);
  return "done";
}

/** One call with what the rules decide about it. */
interface JudgedCall extends SentCall {
  readonly ruled: Awaited<ReturnType<typeof decideByRules>>;
  readonly decision: JudgedCall["ruled"]["decision"];
}

async function judgedCall(call: SentCall, configuration: Configuration, env: CommandInput["io"]["env"]) {
  const ruled = await decideByRules(call.event, configuration, env);
  return { ...call, ruled, decision: ruled.decision };
}

async function explanationOf({ event, ruled }: JudgedCall, configuration: Configuration) {
  const { decision, microseconds, notRun: unknown, matched } = ruled;
  const { action, reasons, contexts, results } = decision;
  const hooks = matched.map(({ hook }) => hook);
  const act = event.type === "tool:pre_execute" ? explainAct(event) : undefined;
  const built = results.filter(({ hook }) => !configuration.hooks.includes(hook));
  const explained = await Promise.all(
    matched.flatMap(({ hook, event: its }) => hook.parts.map((part) => explainHook(part, its))),
  );
  return { event, act, action, reasons, contexts, results, microseconds, hooks, built, unknown, explained };
}

async function callJson(call: JudgedCall, configuration: Configuration): Promise<object> {
  const { event, act, action, reasons, contexts, microseconds, ...rest } = await explanationOf(call, configuration);
  return {
    event,
    act,
    decision: { action, reasons, contexts },
    microseconds,
    hooks: rest.explained.map(asJson),
    built_in: rest.built.map(({ hook, ...said }) => ({ hook: hook.name, action: said.action, reason: said.reason })),
    not_run: rest.unknown.map(({ name }) => name),
    problems: configuration.errors,
    ...trustJson(configuration.trust),
  };
}

function asJson({ hook, rules, problems }: Explained): object {
  return { hook: hook.name, layer: hook.layer, ...hook.origin?.place, type: hook.type, rules, problems };
}
