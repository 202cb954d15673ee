import { ownHooks } from "../../check/own-hooks.ts";
import type { Hook } from "../../hook/hook.ts";
import { plural } from "./terminal-text.ts";

/** How many hooks there are, in the same form for every command: `3 hooks, 41 guards`. Guards are what comes with Sluice. */
export function hookCount(hooks: readonly Hook[]): string {
  const own = ownHooks(hooks).length;
  const guards = hooks.length - own;
  const counts = [own > 0 || guards === 0 ? plural(own, "hook") : "", guards > 0 ? plural(guards, "guard") : ""];
  return counts.filter((count) => count !== "").join(", ");
}
