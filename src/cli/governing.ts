import type { HookResult } from "../decision/result.ts";
import type { Govern } from "../engine/executor.ts";
import type { HookEvent } from "../event/event.ts";
import { onlyLooks } from "../policies/protect/only-looks.ts";
import type { Input } from "./command.ts";
import type { Configuration } from "./configuration.ts";

/** What holds for every call of an agent here; calls that only look are let by before anything is loaded. */
export function governing(configuration: Configuration, { io }: Pick<Input, "io">): Govern {
  // Nobody waits for a promise of nothing.
  return (event) => (onlyLooks(event) ? NOTHING : governance(event));

  async function governance(event: HookEvent): Promise<readonly HookResult[]> {
    const { governed, protectionContext } = await import("../policies/protect/governance.ts");
    return governed(event, protectionContext({ ...configuration, hooks: configuration.written }, io.env));
  }
}

const NOTHING: readonly HookResult[] = [];
