import type { Hook } from "../hook/hook.ts";
import { HookRegistry } from "../registry/registry.ts";
import { asksAboutRecent } from "../rule/recent.ts";

/** What follows from a list of hooks alone. */
interface Prepared {
  /** Those that decide nothing, and run where nobody waits for them. */
  readonly background: readonly Hook[];
  /** All others, sorted by what they hear. */
  readonly registry: HookRegistry;
  /** Whether one of the others asks about the past. */
  readonly asksAboutPast: boolean;
  /** Whether all are rules, which do nothing but judge. */
  readonly areRules: boolean;
}

/** A resident engine is asked about the same hooks again and again; what was found out about them stays. */
export function prepared(hooks: readonly Hook[]): Prepared {
  const known = PREPARED.get(hooks);
  if (known !== undefined) return known;
  const deciding = hooks.filter((hook) => !hook.async);
  const registry = new HookRegistry();
  registry.loadHooks(deciding);
  const found: Prepared = {
    background: hooks.filter((hook) => hook.async),
    registry,
    asksAboutPast: deciding.some(asksAboutRecent),
    areRules: hooks.every(({ type, combination }) => type === "inline" && combination === undefined),
  };
  PREPARED.set(hooks, found);
  return found;
}

const PREPARED = new WeakMap<readonly Hook[], Prepared>();
