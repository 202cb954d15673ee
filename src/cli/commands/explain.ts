import { decideByRules } from "../../decide/in-project.ts";
import { type Explained, explainAct, explainHook } from "../../explain/explain-call.ts";
import type { CommandInput } from "../command.ts";
import { configurationOf } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { showExplanation } from "../show/explanation.ts";
import { trustJson } from "../show/trust.ts";
import { eventOrCommand } from "./event-options.ts";

/** Shows what every rule that matches an event would say about it, and why. Nothing is run. */
export async function run(input: CommandInput): Promise<Exit> {
  const { io } = input;
  const event = eventOrCommand(input);
  const configuration = configurationOf(input);
  const { decision, microseconds, notRun: unknown, matched } = await decideByRules(event, configuration, io.env);
  const { action, reasons, contexts, results } = decision;
  const hooks = matched.map(({ hook }) => hook);
  const act = event.type === "tool:pre_execute" ? explainAct(event) : undefined;
  const built = results.filter(({ hook }) => !configuration.hooks.includes(hook));
  const explained = await Promise.all(
    matched.flatMap(({ hook, event: its }) => hook.parts.map((part) => explainHook(part, its))),
  );
  if (input.has("json")) {
    io.out(
      JSON.stringify(
        {
          event,
          act,
          decision: { action, reasons, contexts },
          microseconds,
          hooks: explained.map(asJson),
          built_in: built.map(({ hook, ...said }) => ({ hook: hook.name, action: said.action, reason: said.reason })),
          not_run: unknown.map(({ name }) => name),
          problems: configuration.errors,
          ...trustJson(configuration.trust),
        },
        null,
        2,
      ),
    );
  } else {
    const all = { event, act, action, reasons, contexts, results, microseconds, hooks, built, unknown, explained };
    for (const line of showExplanation(all, io, input.has("all"))) io.out(line);
  }
  if (!input.has("json")) for (const notice of configuration.notices) io.err(notice);
  return configuration.errors.length > 0 ? "problem" : "done";
}

function asJson({ hook, rules, problems }: Explained): object {
  return { hook: hook.name, layer: hook.layer, ...hook.origin?.place, type: hook.type, rules, problems };
}
