import type { Decision } from "../../decision/decision.ts";
import { type Govern, HookExecutor } from "../../engine/executor.ts";
import { lately } from "../../engine/history.ts";
import { eventNamed, eventSpellings } from "../../event/catalogue.ts";
import { HookEvent } from "../../event/event.ts";
import type { Hook } from "../../hook/hook.ts";
import { concernsIntents, underIntents } from "../../policies/intent/under-intents.ts";
import { nearest } from "../../problem/nearest.ts";
import { problems } from "../../problem/problem.ts";
import { HookRegistry } from "../../registry/registry.ts";
import { attachRecent } from "../../rule/recent.ts";
import type { Input } from "../command.ts";
import { type Configuration, configurationOf, historyFor } from "../configuration.ts";
import { eventFrom, folderOf } from "../event-from-words.ts";
import type { Exit } from "../exit-codes.ts";
import { type Explained, explainHook } from "../explain-hook.ts";
import { governing } from "../governing.ts";
import { showExplanation } from "../show-explanation.ts";
import { trustJson } from "../show-trust.ts";

/** Shows what every rule that hears an event would say about it, and why. Nothing is run. */
export async function run(input: Input): Promise<Exit> {
  const { io } = input;
  const event = described(input);
  const registry = new HookRegistry();
  const configuration = configurationOf(input);
  registry.loadHooks(configuration.hooks);
  const hooks = registry.getHooks(event);
  const history = await historyFor(hooks, io);
  if (history) attachRecent(event, (name, tool, seconds) => history.count(lately(event, name, tool, seconds)));
  const act = event.type === "tool:pre_execute" ? (await import("../explain-act.ts")).explainAct(event) : undefined;
  const ruled = await decidedByRules(hooks, event, governing(configuration, input));
  const { action, reasons, results } = await intended(ruled.decision, configuration, input);
  const { microseconds } = ruled;
  const built = results.filter(({ hook }) => !hooks.includes(hook));
  // What only watches or is not waited for changes nothing here.
  const unknown = action === "deny" ? [] : hooks.filter((hook) => isWaitedFor(hook) && !hasOnlyRules(hook));
  const explained = await Promise.all(hooks.flatMap((hook) => hook.parts).map((hook) => explainHook(hook, event)));
  if (input.has("json")) {
    io.out(
      JSON.stringify(
        {
          event,
          act,
          decision: { action, reasons },
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
    const all = { event, act, action, reasons, results, microseconds, hooks, built, unknown, explained };
    for (const line of showExplanation(all, io, input.has("all"))) io.out(line);
  }
  if (!input.has("json")) for (const notice of configuration.notices) io.err(notice);
  return configuration.errors.length > 0 ? "problem" : "done";
}

/** Adds what intents have to say. Selecting one binds the session, which is no business of an explanation. */
async function intended(decision: Decision, { root, settings }: Configuration, { io }: Input): Promise<Decision> {
  const { event, approved } = decision;
  if (!concernsIntents(event, settings.intents.mode)) return decision;
  const governed = { root, ...settings.intents, canAsk: true, env: io.env };
  const { gate } = await import("../../policies/intent/gate.ts");
  return gate(event, { ...governed, approved }).kind === "selects" ? decision : underIntents(decision, governed);
}

function isWaitedFor({ async, mode }: Hook): boolean {
  return !async && mode !== "monitor";
}

function hasOnlyRules({ parts }: Hook): boolean {
  return parts.every(({ type }) => type === "inline");
}

/** What the rules and self-protection come to, with the time of a second look: the first one loads what they need. */
async function decidedByRules(hooks: readonly Hook[], event: HookEvent, govern: Govern): Promise<RuledOn> {
  const registry = new HookRegistry();
  registry.loadHooks(hooks.filter(hasOnlyRules));
  const executor = new HookExecutor({ registry, govern });
  await executor.decide(event.withData({ ...event.data }));
  const again = event.withData({ ...event.data });
  const began = performance.now();
  const decision = await executor.decide(again);
  return { decision, microseconds: Math.round((performance.now() - began) * 1000) };
}

interface RuledOn {
  readonly decision: Decision;
  readonly microseconds: number;
}

/** A word that names no event, and is not nearly one, is a shell command that an agent might run. */
function described(input: Input): HookEvent {
  const [word = "", ...more] = input.words;
  const isEvent = eventNamed(word.split(":").slice(0, 2).join(":")) ?? eventNamed(word.split(":", 1)[0] ?? "");
  const isNearly = /^[\w:@*]+$/.test(word) && nearest(word, eventSpellings()) !== undefined;
  if (word === "" && input.text("args") === undefined) throw PROBLEMS.nothing({});
  if (word === "" || isEvent !== undefined || isNearly) return eventFrom(input);
  if (more.length > 0) throw PROBLEMS.unquoted({ words: input.words });
  return HookEvent.toolPreExecute(input.text("tool") ?? "bash", { command: word }, { cwd: folderOf(input) });
}

function asJson({ hook, rules, problems }: Explained): object {
  return { hook: hook.name, layer: hook.layer, ...hook.origin?.place, type: hook.type, rules, problems };
}

const PROBLEMS = problems("usage", {
  nothing: (_: object) => ({
    what: "`sluice explain` needs an event or a shell command.",
    fix: 'Write, for example, sluice explain "rm -rf build".',
  }),
  unquoted: ({ words }: { words: readonly string[] }) => ({
    what: "`sluice explain` takes one event or one shell command.",
    fix: `Put the command in quotes: sluice explain "${words.join(" ")}"`,
  }),
});
