import { eventsDerivedFrom } from "../event/catalogue.ts";
import type { HookEvent } from "../event/event.ts";
import type { Hook } from "../hook/hook.ts";
import type { MatchedHooks } from "./context.ts";

/** The hooks that match an event, or one that is derived from it, and are more than rules; undefined if there are none. */
export function matchedHooks(
  hooks: readonly Hook[],
  event: HookEvent,
): Pick<MatchedHooks, "kinds" | "usesNetwork"> | undefined {
  const derived = eventsDerivedFrom(event.type);
  const isMatching = (hook: Hook) =>
    hook.matches(event) || derived.some((name) => hook.patternMatches(name, event.toolName));
  const parts = hooks
    .filter((hook) => hook.enabled && isMatching(hook))
    .flatMap((hook) => hook.parts)
    .filter(({ type }) => type !== "inline");
  if (parts.length === 0) return undefined;
  return { kinds: [...new Set(parts.map(({ type }) => type))], usesNetwork: parts.some(usesNetwork) };
}

/** Whether this process opens a connection for it; what a program or a plugin opens is opened by its own process. */
function usesNetwork({ type, url = "", opa }: Hook): boolean {
  if (type === "opa") return !/^http:/i.test(opa?.url ?? "");
  return type === "llm" || (type === "http" && !/^http:/i.test(url));
}
