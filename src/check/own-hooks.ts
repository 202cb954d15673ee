import type { Hook } from "../hook/hook.ts";
import { isGuardHook } from "../policies/guards/guard-hooks.ts";
import { BUILT_IN } from "../policies/protect/built-in.ts";

/** The hooks that people wrote; guards and the rest of what is built in are left out. */
export function ownHooks(hooks: readonly Hook[]): readonly Hook[] {
  return hooks.filter((hook) => !isGuardHook(hook) && hook.origin?.place.file !== BUILT_IN);
}
