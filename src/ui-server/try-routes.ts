import type { Adapter, AgentHookEvent, Reply } from "../adapters/adapter.ts";
import { fitDecision } from "../adapters/fit.ts";
import { ADAPTERS } from "../adapters/index.ts";
import type { Payload } from "../adapters/payload.ts";
import { type Native, readCall } from "../adapters/read-call.ts";
import { decideByRules, type RuledDecision } from "../decide/in-project.ts";
import { layersWithDrafts } from "../decide/layers.ts";
import { type Configuration, configurationAt, trustedConfiguration } from "../decide/project.ts";
import { distinctCalls, type SentCall, type SentCalls, sentCalls, strictest } from "../decide/sent-calls.ts";
import type { Decision } from "../decision/decision.ts";
import { attempt } from "../event/attempt.ts";
import { HookEvent } from "../event/event.ts";
import { attachRoot } from "../event/field.ts";
import { isObject } from "../event/json.ts";
import { compilePattern } from "../event/pattern.ts";
import { explainAct, explainHook } from "../explain/explain-call.ts";
import type { Hook } from "../hook/hook.ts";
import { errorText, problems } from "../problem/problem.ts";
import { wireRules } from "./call-routes.ts";
import type { UiContext, UiRoute } from "./route.ts";
import type { TriedAnswer, TriedHook, TryRequest, TryResult } from "./wire.ts";

/** Says what would come of a call, by the policy that is saved or by one that is not yet. Nothing is run. */
export const tryCall: UiRoute = async ({ body }, context) => ({ json: await tried(tryRequest(body), context) });

/** The configuration of a project, with drafts in the place of its files. */
export function draftedConfiguration(
  root: string,
  drafts: ReadonlyMap<string, string>,
  { env, hello }: UiContext,
): Configuration {
  const where = { env, ...(hello.home !== "" && { home: hello.home }) };
  const layers = layersWithDrafts(root, drafts, where);
  // What is not saved cannot be approved yet; the page shows what it would do once it is.
  return drafts.size > 0
    ? trustedConfiguration(layers, root, { env, vouching: "all" })
    : configurationAt(root, { env, layers: () => layers });
}

async function tried({ text, root, drafts = [] }: TryRequest, context: UiContext): Promise<TryResult> {
  const folder = root ?? context.hello.root;
  const configuration = draftedConfiguration(folder, new Map(drafts.map((draft) => [draft.path, draft.text])), context);
  const trial = readTrial(text, folder);
  const sent: SentCalls =
    trial.as === "command"
      ? sentCalls(text.trim(), { root: folder, env: context.env, cwd: folder })
      : { calls: [{ agents: [], event: trial.event }], isInstalled: true };
  const judge = async (call: SentCall): Promise<JudgedCall> => {
    attachRoot(call.event, folder);
    return { ...call, ruled: await decideByRules(call.event, configuration, context.env, drafts.length === 0) };
  };
  const judged: JudgedCall[] = [];
  for (const call of distinctCalls(sent, configuration.hooks)) judged.push(await judge(call));
  const [first, ...others] = judged;
  if (first === undefined) throw PROBLEMS.nothingToTry({});
  const { event, ruled } = strictest([first, ...others], (one) => one.ruled.decision.action);
  const { decision, matched } = ruled;
  const isJudged = ({ id }: Adapter) => judged.some(({ agents }) => agents.some((agent) => agent.id === id));
  const absent = trial.as === "command" ? ADAPTERS.filter((adapter) => adapter.canary && !isJudged(adapter)) : [];
  const unsent = absent.flatMap(
    ({ id }) => sentCalls(text.trim(), { root: folder, env: context.env, cwd: folder, agent: id }).calls,
  );
  for (const call of distinctCalls({ calls: unsent, isInstalled: true }, configuration.hooks))
    judged.push(await judge(call));
  const act = explainAct(event);
  return {
    read: {
      as: trial.as,
      ...(trial.native !== undefined && { agent: trial.native.adapter.title, hookEvent: trial.native.name }),
    },
    event: event.type,
    ...(event.toolName !== undefined && { tool: event.toolName }),
    action: decision.action,
    reasons: decision.reasons,
    contexts: decision.contexts,
    ...(decision.input !== undefined && { input: decision.input }),
    ...(act !== undefined && { act: { commands: act.commands, effects: act.effects } }),
    matched: [
      ...(await Promise.all(matched.map(({ hook, event: its }) => triedHook(hook, its, ruled)))),
      ...builtIn(ruled),
    ],
    near: nearHooks(event, configuration, ruled),
    answers: agentAnswers(judged, decision, trial, folder),
    problems: configuration.errors.map((problem) => problem.format()),
  };
}

/** One call with what the rules decide about it. */
interface JudgedCall extends SentCall {
  readonly ruled: RuledDecision;
}

async function triedHook(hook: Hook, event: HookEvent, { decision, notRun }: RuledDecision): Promise<TriedHook> {
  const explained = await Promise.all(hook.parts.map((part) => explainHook(part, event)));
  const rules = explained.flatMap(({ rules: own = [] }) => own);
  const said = decision.results.find((result) => result.hook === hook);
  return {
    ...about(hook),
    wouldRun: notRun.includes(hook) || hook.parts.some(({ type }) => type !== "inline"),
    ...(said !== undefined && { action: said.wouldBe ?? said.action }),
    ...(said?.reason !== undefined && { reason: said.reason }),
    ...(rules.length > 0 && { rules: wireRules(rules) }),
  };
}

/** Guards and Sluice's own protection are in no file; those that decided something are shown. */
function builtIn({ decision, matched }: RuledDecision): TriedHook[] {
  return decision.results
    .filter(
      ({ hook, action, reason }) =>
        !matched.some((one) => one.hook === hook) && (action !== "continue" || reason !== undefined),
    )
    .map(({ hook, action, reason }) => ({
      ...about(hook),
      wouldRun: false,
      action,
      ...(reason !== undefined && { reason }),
    }));
}

function about({ name, layer, origin, type, mode }: Hook): Omit<TriedHook, "wouldRun"> {
  const { file, line } = origin?.place ?? {};
  return {
    hook: name,
    layer,
    ...(file && { file }),
    ...(line !== undefined && { line }),
    kind: type,
    mode: mode ?? "enforce",
  };
}

/** Hooks of the same event that do not match, with the condition that fails; hooks that may not run come too. */
function nearHooks(event: HookEvent, { written, hooks }: Configuration, { matched }: RuledDecision): TryResult["near"] {
  return written.flatMap((hook) => {
    if (hook.origin === undefined || matched.some((one) => one.hook.name === hook.name)) return [];
    const why = whyNot(
      hook,
      event,
      hooks.some(({ name }) => name === hook.name),
    );
    if (why === undefined) return [];
    const { file, line } = hook.origin.place;
    return [{ hook: hook.name, why, file, ...(line !== undefined && { line }) }];
  });
}

/** The condition with which a hook does not match an event; undefined if it matches, and for a hook of other events. */
export function whyNot(hook: Hook, event: HookEvent, mayRun: boolean): string | undefined {
  if (!compilePattern(hook.eventPattern).events.has(event.type)) return undefined;
  if (!hook.enabled) return "it is switched off";
  if (!hook.patternMatches(event.type, event.toolName))
    return `it listens to other tools than ${event.toolName ?? "none"}`;
  if (!hook.fits(event)) return "its matcher looks for another path, command, model or kind of session";
  return mayRun ? undefined : "it is not approved: `sluice trust` shows it";
}

function tryRequest(body: unknown): TryRequest {
  const { text, root, drafts } = Object(body) as Readonly<Record<string, unknown>>;
  const isDraft = (draft: unknown): draft is { path: string; text: string } =>
    typeof Object(draft).path === "string" && typeof Object(draft).text === "string";
  return {
    text: typeof text === "string" ? text : "",
    ...(typeof root === "string" && { root }),
    drafts: Array.isArray(drafts) ? drafts.filter(isDraft) : [],
  };
}

/** What each agent would be answered about its own call, in its own format. */
function agentAnswers(judged: readonly JudgedCall[], shown: Decision, trial: Trial, cwd: string): TriedAnswer[] {
  return ADAPTERS.map((adapter) => {
    const own = judged.find(({ agents }) => agents.includes(adapter));
    return answerOf(adapter, own?.ruled.decision ?? shown, trial, cwd);
  }).sort((one, other) => one.title.localeCompare(other.title));
}

function answerOf(adapter: Adapter, decision: Decision, trial: Trial, cwd: string): TriedAnswer {
  const { id: agent, title } = adapter;
  const call = callOf(adapter, decision, trial, cwd);
  if (call === undefined) return { agent, title, notes: [`${title} does not report ${decision.event.type}.`] };
  const { outcome: said, notes } = fitDecision(decision, call.hookEvent, title, call.payload);
  const reply = replyOf(call, said);
  return {
    agent,
    title,
    hookEvent: call.name,
    action: said.action,
    ...(reply !== undefined && printed(reply)),
    notes: reply === undefined ? [...notes, "Its answer repeats its own payload: paste one to see it."] : notes,
  };
}

/** One call as an agent makes it. */
interface AgentSide {
  readonly name: string;
  readonly hookEvent: AgentHookEvent;
  readonly payload: Payload;
}

/** The agent's own payload where one was pasted, else the shell call that it would report. */
function callOf(adapter: Adapter, { event }: Decision, { native }: Trial, cwd: string): AgentSide | undefined {
  if (native?.adapter.id === adapter.id) return native;
  const { canary, hookEvents } = adapter;
  const { command } = Object(event.data.tool_args) as { readonly command?: unknown };
  const own = canary && hookEvents[canary.hookEvent];
  if (canary !== undefined && own?.as === event.type && typeof command === "string")
    return { name: canary.hookEvent, hookEvent: own, payload: canary.payload(command, cwd) };
  const found = Object.entries(hookEvents).find(([, { as }]) => as === event.type);
  return found && { name: found[0], hookEvent: found[1], payload: {} };
}

/** An answer that repeats parts of a payload cannot be made without one. */
function replyOf({ hookEvent, payload }: AgentSide, said: Parameters<AgentHookEvent["encode"]>[0]): Reply | undefined {
  return attempt(() => hookEvent.encode(said, payload));
}

function printed({
  stdout = "",
  stderr = "",
  exitCode = 0,
}: Reply): Pick<TriedAnswer, "stdout" | "stderr" | "exitCode"> {
  return { stdout: typeof stdout === "string" ? stdout : JSON.stringify(stdout), stderr, exitCode };
}

/** What a person's text was taken for. */
interface Trial {
  readonly as: "command" | "tool call" | "payload";
  readonly event: HookEvent;
  /** The agent's side of it, where the text is a payload. */
  readonly native?: Native;
}

/** Reads a text as the payload of an agent, else as a tool call, else as a command line. */
function readTrial(text: string, cwd: string): Trial {
  const trimmed = text.trim();
  if (trimmed === "") throw PROBLEMS.nothingToTry({});
  if (!trimmed.startsWith("{"))
    return { as: "command", event: HookEvent.toolPreExecute("bash", { command: trimmed }, { cwd }) };
  const value = parsed(trimmed);
  const call = toolCall(value);
  if (call !== undefined) return { as: "tool call", event: HookEvent.toolPreExecute(call.tool, call.args, { cwd }) };
  const read = readCall({ text: trimmed, value });
  switch (read.kind) {
    case "event":
      return { as: "payload", event: read.event, native: read.native };
    case "unknown hook event":
      throw PROBLEMS.unknownHookEvent({ agent: read.adapter.title, name: read.name });
    case "unreadable":
    case "nothing":
      throw PROBLEMS.unreadablePayload({ why: read.why });
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (cause) {
    throw PROBLEMS.noTrialJson({ why: errorText(cause) }, { cause });
  }
  throw PROBLEMS.noTrialJson({ why: "it is not an object" });
}

/** `{ "tool": "Write", "args": { … } }`, and nothing else: everything with more keys is an agent's payload. */
function toolCall(
  value: Readonly<Record<string, unknown>>,
): { readonly tool: string; readonly args: unknown } | undefined {
  const { tool, tool_name, args, input, tool_input, ...rest } = value;
  const name = tool ?? tool_name;
  const given = args ?? input ?? tool_input;
  if (typeof name !== "string" || Object.keys(rest).length > 0 || given === undefined) return undefined;
  return { tool: name, args: given };
}

const PROBLEMS = problems("ui", {
  nothingToTry: (_: object) => ({
    what: "There is nothing to try.",
    fix: "Write a command line, a tool call as JSON, or paste what an agent sends.",
  }),
  noTrialJson: ({ why }: { why: string }) => ({
    what: `The text begins like JSON and is not valid: ${why}.`,
    fix: 'Write a tool call as { "tool": "Write", "args": { … } }, or a command line.',
  }),
  unknownHookEvent: ({ agent, name }: { agent: string; name: string }) => ({
    what: `${agent} has no hook event "${name}" that Sluice knows; it would pass.`,
    fix: "Correct its name.",
  }),
  unreadablePayload: ({ why }: { why: string }) => ({
    what: `The payload cannot be read: ${why}.`,
    fix: 'Write a tool call as { "tool": "Write", "args": { … } }, or a command line.',
  }),
});
