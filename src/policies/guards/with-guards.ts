import type { Hook } from "../../hook/hook.ts";
import type { Place } from "../../problem/problem.ts";
import type { Preset } from "./guard.ts";
import { guardHooks } from "./guard-hooks.ts";

/** The part of a configuration that guards look at. */
interface Guarded {
  readonly hooks: readonly Hook[];
  readonly settings: { readonly guards: Preset | "off" };
  readonly disabledBy: ReadonlyMap<Hook, Place>;
  readonly disabledGuards: ReadonlyMap<string, Place>;
}

/** A configuration with the guards that it asks for, before its own hooks. Guards only deny and ask: they need no trust. */
export function withGuards<Whole extends Guarded>(configuration: Whole): Whole {
  const { hooks, settings, disabledGuards } = configuration;
  if (settings.guards === "off") return configuration;
  const guards = guardHooks(settings.guards);
  const disabledBy = new Map(configuration.disabledBy);
  for (const guard of guards) {
    const place = disabledGuards.get(guard.name);
    if (place === undefined) continue;
    guard.enabled = false;
    disabledBy.set(guard, place);
  }
  return { ...configuration, hooks: [...guards, ...hooks], disabledBy };
}
