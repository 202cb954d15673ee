import { guardCall } from "./guard-call.ts";
import type { Hooks } from "./hooks.ts";

export { type Hooks, type HooksSource, hooksFrom } from "./hooks.ts";

/** What a guarded function may be told besides. */
export interface GuardFunctionOptions {
  /** Gets what hooks want the agent to know; a plain function has no other way to pass it on. */
  readonly onContext?: (contexts: readonly string[]) => void;
}

/**
 * Puts hooks around any function: its first argument is the tool's input, the rest is passed on. Throws
 * `ToolDeniedError` where the hooks say no.
 */
export function guardFunction<Input, Rest extends unknown[], Output>(
  hooks: Hooks,
  name: string,
  fn: (input: Input, ...rest: Rest) => Promise<Output> | Output,
  { onContext }: GuardFunctionOptions = {},
): (input: Input, ...rest: Rest) => Promise<Output> {
  return async (input, ...rest) => {
    const outcome = await guardCall(hooks, { name, input }, (final) => fn(final, ...rest));
    if (outcome.kind === "denied") throw outcome.error;
    if (outcome.contexts.length > 0) onContext?.(outcome.contexts);
    return outcome.output;
  };
}
