import type { HookEvent } from "../event/event.ts";
import type { Hook } from "../hook/hook.ts";
import type { Configuration } from "./configuration.ts";
import type { Resident } from "./io.ts";

/** Tells a resident engine which hooks are about to hear an event, where one of them is more than rules. */
export async function announceHooks(
  { hooks, root }: Pick<Configuration, "hooks" | "root">,
  event: HookEvent,
  patience: number,
  resident: Resident,
): Promise<void> {
  const isHeard = (hook: Hook) => hook.matches(event) || hook.hears("memory:update", event.toolName);
  const parts = hooks
    .filter((hook) => hook.enabled && isHeard(hook))
    .flatMap((hook) => hook.parts)
    .filter(({ type }) => type !== "inline");
  if (parts.length === 0) return;
  const kinds = [...new Set(parts.map(({ type }) => type))];
  await resident.beforeHooks({ kinds, root, patience, usesNetwork: parts.some(usesNetwork) });
}

/** What a plugin does is its own business. */
function usesNetwork({ type, url = "" }: Hook): boolean {
  return type === "llm" || type === "plugin" || (type === "http" && !/^http:/i.test(url));
}
