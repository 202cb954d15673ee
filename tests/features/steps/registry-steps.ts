import { expect } from "vitest";
import { type EventName, Hook, HookEvent, HookRegistry } from "../../../src/index.ts";
import type { Step } from "../step.ts";
import { rowsOf, type World } from "../world.ts";

/** Filling registries and asking them. */
export const REGISTRY_STEPS: readonly Step<World>[] = [
  { pattern: /^an empty registry$/, run: (world) => expect(world.registry.size).toBe(0) },
  {
    pattern: /^(?:a registry with these hooks|these hooks are registered):$/,
    run: (world, below) => {
      for (const hook of world.hooksFrom(rowsOf(below))) world.registry.register(hook);
    },
  },
  {
    pattern: /^I register a hook for "([^"]*)"$/,
    run: (world, _below, event) => world.registry.register(Hook.fromJSON({ event, command: "true" })),
  },
  {
    pattern: /^the registry holds (\d+) hooks?$/,
    run: (world, _below, count) => {
      expect(world.registry.size).toBe(Number(count));
      expect(world.registry.hooks).toHaveLength(Number(count));
    },
  },
  {
    pattern: /^I ask getHooks for "([^"]*)"$/,
    run: (world, _below, type) => {
      world.given = world.registry.getHooks(new HookEvent({ type: type as EventName }));
    },
  },
  {
    pattern: /^I get the hooks for "([^"]*)" and "([^"]*)"$/,
    run: (world, _below, ...patterns) =>
      expect((world.given as Hook[]).map((hook) => hook.eventPattern)).toEqual(patterns),
  },
  { pattern: /^I get no hooks$/, run: (world) => expect(world.given).toEqual([]) },
  {
    pattern: /^I unregister "([^"]*)"$/,
    run: (world, _below, pattern = "") => {
      world.given = world.registry.unregister(pattern);
    },
  },
  { pattern: /^unregister says that it removed something$/, run: (world) => expect(world.given).toBe(true) },
  { pattern: /^I clear the registry$/, run: (world) => world.registry.clear() },
  { pattern: /^the shared registry was reset$/, run: () => HookRegistry.resetInstance() },
  {
    pattern: /^I call HookRegistry\.getInstance twice$/,
    run: (world) => {
      world.given = [HookRegistry.getInstance(), HookRegistry.getInstance()];
    },
  },
  {
    pattern: /^both calls give the same registry$/,
    run: (world) => {
      const [first, second] = world.given as HookRegistry[];
      expect(first).toBeInstanceOf(HookRegistry);
      expect(second).toBe(first);
    },
  },
];
