import type { Trusted } from "../config/trusted.ts";
import type { Hook } from "../hook/hook.ts";
import type { ExampleContext } from "./verdict.ts";

/** What is tested: hooks as they are written, and what of them may run. */
export interface Subject extends ExampleContext {
  readonly hooks: readonly Hook[];
  /** What may run of them; all of them when left out. */
  readonly active?: readonly Hook[] | undefined;
  /** Why a hook is not run as it is written, such as one that nobody has approved yet. */
  readonly whyWithheld?: ((hook: Hook) => string | undefined) | undefined;
}

/** The hooks of a project, as far as its user has approved them. */
export function trustedSubject(root: string, written: readonly Hook[], { hooks, trust, settings }: Trusted): Subject {
  const reasons = new Map(trust.skipped.map(({ hook, why }) => [hook, `${why}; \`sluice trust\` shows it`]));
  return { root, hooks: written, active: hooks, whyWithheld: (hook) => reasons.get(hook), llm: settings.llm };
}

/** Why a hook is not asked about an example of its own; rules harm nobody, and are always asked. */
export function whySilentAlone(hook: Hook, subject: Subject, isLive: boolean): string | undefined {
  const withheld = hook.parts.every(({ type }) => type === "inline") ? undefined : subject.whyWithheld?.(hook);
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
  const distant = parts.find(({ type }) => type === "llm" || type === "http");
  if (distant === undefined || isLive) return undefined;
  return `it ${distant.type === "llm" ? "asks a language model" : "posts to a server"}; --live runs it`;
}
