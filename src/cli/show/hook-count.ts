import type { Hook } from "../../hook/hook.ts";
import { isGuardHook } from "../../policies/guards/guard-hooks.ts";
import { BUILT_IN } from "../../policies/protect/built-in.ts";
import { plural } from "./terminal-text.ts";

/** How many hooks there are, in the words of every command: `3 hooks, 41 guards`. Guards are what comes with Sluice. */
export function hookCount(hooks: readonly Hook[]): string {
  const own = ownHooks(hooks).length;
  const guards = hooks.length - own;
  const counts = [own > 0 || guards === 0 ? plural(own, "hook") : "", guards > 0 ? plural(guards, "guard") : ""];
  return counts.filter((count) => count !== "").join(", ");
}

/** The hooks that people wrote; guards and the rest of what is built in are left out. */
export function ownHooks(hooks: readonly Hook[]): readonly Hook[] {
  return hooks.filter((hook) => !isGuardHook(hook) && hook.origin?.place.file !== BUILT_IN);
}
