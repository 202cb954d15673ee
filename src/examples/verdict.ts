import type { Trusted } from "../config/trusted.ts";
import type { Decision } from "../decision/decision.ts";
import type { Action, HookResult } from "../decision/result.ts";
import { HookExecutor } from "../engine/executor.ts";
import type { EventInit, HookEvent } from "../event/event.ts";
import { attachRoot } from "../event/field.ts";
import type { Hook } from "../hook/hook.ts";
import { isPureKind } from "../hook/schema.ts";
import type { LlmSettings } from "../llm/llm-settings.ts";
import { loadRegex } from "../pattern/regex.ts";
import { HookRegistry } from "../registry/registry.ts";

/** What hooks made of one event. */
export interface ExampleVerdict {
  readonly action: Action;
  /** All messages about it. */
  readonly reason: string;
  /** The changed input or output, when a hook changed it. */
  readonly input?: unknown;
  /** The hook that decided; undefined if none did. */
  readonly hook?: Hook | undefined;
  /** Everyone who took part, by name. */
  readonly matchedBy: readonly string[];
  /** How hooks broke, in a sentence each. */
  readonly failures: readonly string[];
}

/** Where hooks run, and which model answers. */
export interface ExampleContext {
  readonly root: string;
  readonly llm?: LlmSettings | undefined;
}

/** The answer of one hook alone, whether or not it may stop the event, and also in monitor mode. */
export async function verdictAlone(hook: Hook, event: HookEvent, around: ExampleContext): Promise<ExampleVerdict> {
  const { decision, results } = await decided([hook], event, around);
  const [result] = results;
  if (result === undefined) return { action: "continue", reason: "", matchedBy: [], failures: [] };
  const isFinal = event.isGate && result.wouldBe === undefined && !hook.async;
  return {
    ...together(decision, results),
    action: isFinal ? decision.action : (result.wouldBe ?? result.action),
    reason: [...new Set([result.reason, result.context])].filter(Boolean).join("\n"),
    hook,
  };
}

/** What all hooks together decide. */
export async function verdictOfAll(
  hooks: readonly Hook[],
  event: HookEvent,
  around: ExampleContext,
): Promise<ExampleVerdict> {
  const { decision, results } = await decided(hooks, event, around);
  return together(decision, results);
}

async function decided(hooks: readonly Hook[], event: HookEvent, { root, llm }: ExampleContext) {
  const registry = new HookRegistry();
  registry.loadHooks(hooks);
  attachRoot(event, root);
  const executor = new HookExecutor({ registry, workingDir: root, llm });
  const decision = await executor.decide(event);
  const background = await executor.idle();
  return { decision, results: [...decision.results, ...background] };
}

function together(decision: Decision, results: readonly HookResult[]): ExampleVerdict {
  const input = decision.input ?? decision.output;
  return {
    action: decision.action,
    reason: [...decision.reasons, ...decision.contexts].join("\n"),
    ...(input === undefined ? {} : { input }),
    hook: results.find(({ action, hook }) => action === decision.action && action !== "continue" && !hook.async)?.hook,
    matchedBy: results.map(({ hook }) => hook.name),
    failures: results.flatMap(({ hook, failure, error }) => (failure ? [`hook "${hook.name}" ${error}`] : [])),
  };
}

/** Why a verdict is not what an example expects, in a sentence; undefined if it is. */
export async function mismatch(example: HookExample, verdict: ExampleVerdict): Promise<string | undefined> {
  if (verdict.failures.length > 0) return `${verdict.failures.join("; ")}; a broken hook proves nothing`;
  if (verdict.action !== example.expect) return `expected ${example.expect}, and got ${verdict.action}`;
  if (example.isWarning && verdict.reason === "") return "expected a warning, and there was none";
  const absent = example.hooks.filter((name) => !verdict.matchedBy.includes(name));
  if (absent.length > 0) return `${absent.join(", ")} did not take part`;
  if (example.input !== undefined && !isWithin(example.input, verdict.input)) {
    return `expected the input to hold ${shown(example.input)}, and got ${shown(verdict.input)}`;
  }
  return example.reason === undefined ? undefined : reasonMismatch(example.reason, verdict.reason);
}

/** Whether everything that is wanted is there; objects may hold more, lists may not. */
export function isWithin(wanted: unknown, got: unknown): boolean {
  if (typeof wanted !== "object" || wanted === null) return Object.is(wanted, got);
  if (typeof got !== "object" || got === null || Array.isArray(wanted) !== Array.isArray(got)) return false;
  if (Array.isArray(wanted) && wanted.length !== (got as readonly unknown[]).length) return false;
  return Object.entries(wanted).every(
    ([key, value]) => Object.hasOwn(got, key) && isWithin(value, (got as Record<string, unknown>)[key]),
  );
}

/** Why a reason is not what is wanted, in a sentence; undefined if it is. */
export async function reasonMismatch(wanted: string, reason: string): Promise<string | undefined> {
  const [, pattern, flags = ""] = /^\/(.+)\/(i?)$/s.exec(wanted) ?? [];
  const fact = `expected a reason with ${wanted}, and got ${shown(reason)}`;
  if (pattern === undefined) return reason.includes(wanted) ? undefined : fact;
  const regex = (await loadRegex())(flags === "i" ? `(?i)${pattern}` : pattern);
  if ("refused" in regex) return `the regular expression ${wanted} ${regex.refused}. ${regex.instead}`;
  return regex.test(reason) ? undefined : fact;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

/** What happens, and what has to come of it. */
export interface HookExample {
  readonly name: string;
  readonly event: EventInit;
  /** The shell command, if the example names one and no tool: it is judged as each installed agent sends it. */
  readonly command?: string | undefined;
  readonly expect: Action;
  /** It passes with a message. */
  readonly isWarning?: boolean;
  /** A part of the reason, or a regular expression between slashes. */
  readonly reason?: string | undefined;
  /** What the changed input has to hold, at least. */
  readonly input?: unknown;
  /** The keys that lead to it. */
  readonly path: readonly (string | number)[];
  /** Hooks that have to take part. */
  readonly hooks: readonly string[];
  /** Variables that are set while it runs. */
  readonly env: Readonly<Record<string, string>>;
  /** Where it happens; the project when left out. */
  readonly cwd?: string | undefined;
}

/** What is tested: hooks as they are written, and what of them may run. */
export interface Subject extends ExampleContext {
  readonly hooks: readonly Hook[];
  /** What may run of them; all of them when left out. */
  readonly active?: readonly Hook[] | undefined;
  /** Why a hook is not run as it is written, such as one that is not approved yet. */
  readonly whyWithheld?: ((hook: Hook) => string | undefined) | undefined;
}

/** The hooks of a project, as far as its user has approved them. */
export function trustedSubject(root: string, written: readonly Hook[], { hooks, trust, settings }: Trusted): Subject {
  const reasons = new Map(trust.skipped.map(({ hook, why }) => [hook, `${why}; \`sluice trust\` shows it`]));
  return { root, hooks: written, active: hooks, whyWithheld: (hook) => reasons.get(hook), llm: settings.llm };
}

/** Why a hook is not run for an example of its own; rules have no side effects, and always run. */
export function whySilentAlone(hook: Hook, subject: Subject, isLive: boolean): string | undefined {
  const withheld = hook.parts.every(({ type }) => isPureKind(type)) ? undefined : subject.whyWithheld?.(hook);
  return withheld ?? whyOff(hook) ?? whyDistant(hook, isLive);
}

/** Why a hook is not asked together with others; one that is switched off is not missed. */
export function whyMissing(hook: Hook, subject: Subject, isLive: boolean): string | undefined {
  return hook.enabled ? (subject.whyWithheld?.(hook) ?? whyDistant(hook, isLive)) : undefined;
}

function whyOff({ enabled }: Hook): string | undefined {
  return enabled ? undefined : "it is switched off";
}

/** Models cost money and servers are not here: they are asked only when that is wanted. */
function whyDistant({ parts }: Hook, isLive: boolean): string | undefined {
  const distant = parts.find(({ type }) => type === "llm" || type === "http" || type === "opa");
  if (distant === undefined || isLive) return undefined;
  return `it ${distant.type === "llm" ? "asks a language model" : "posts to a server"}; --live runs it`;
}
