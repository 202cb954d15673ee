import type { HookEvent } from "../event/event.ts";
import type { Hook } from "../hook/hook.ts";
import { DecidedElsewhere } from "../pipeline.ts";
import type { Io } from "./io.ts";

/**
 * A resident engine starts no program, loads no plugin and opens no connection for its callers: what needs one is left to
 * the caller's own process, in the caller's own surroundings, before anything has run. So nothing that a hook does can
 * happen twice, and whoever reaches the engine gets decisions from it and nothing else.
 */
export function startsNothing(hooks: readonly Hook[], event: HookEvent, { resident }: Io): void {
  if (resident === undefined) return;
  const isHeard = (hook: Hook) => hook.matches(event) || hook.hears("memory:update", event.toolName);
  const kinds = hooks
    .filter((hook) => hook.enabled && isHeard(hook))
    .flatMap(({ parts }) => parts.map(({ type }) => type))
    .filter((kind) => kind !== "inline");
  if (kinds.length > 0) throw new DecidedElsewhere(kinds.some((kind) => kind !== "command"));
}
