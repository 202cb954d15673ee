import { expect } from "vitest";
import { EVENTS, type EventName, Hook, HookEvent } from "../../../src/index.ts";
import type { Step } from "../step.ts";
import { objectFrom, rowsOf, type World } from "../world.ts";

/** Making hooks, what they hear, and what they look like as JSON. */
export const HOOK_STEPS: readonly Step<World>[] = [
  {
    pattern: /^a hook that listens to "([^"]*)"$/,
    run: (world, _below, event) => {
      world.hook = Hook.fromJSON({ event, command: "true" });
    },
  },
  {
    pattern: /^it hears "([^"]*)"(?: with the tool "([^"]*)")?$/,
    run: (world, _below, event, tool) => expect(world.hook.matches(hookEvent(event, tool))).toBe(true),
  },
  {
    pattern: /^it does not hear "([^"]*)"(?: with the tool "([^"]*)")?$/,
    run: (world, _below, event, tool) => expect(world.hook.matches(hookEvent(event, tool))).toBe(false),
  },
  {
    pattern: /^it hears every event there is, with a tool and without$/,
    run: (world) => {
      const deafTo = Object.keys(EVENTS).filter(
        (name) => !world.hook.matches(hookEvent(name)) || !world.hook.matches(hookEvent(name, "bash")),
      );
      expect(deafTo).toEqual([]);
    },
  },
  {
    pattern: /^a hook made with:$/,
    run: (world, below) => {
      world.hook = new Hook(objectFrom(rowsOf(below)));
    },
  },
  {
    pattern: /^I call toJSON$/,
    run: (world) => {
      world.given = world.hook.toJSON();
    },
  },
  {
    pattern: /^the object has:$/,
    run: (world, below) => expect(world.given).toMatchObject(objectFrom(rowsOf(below))),
  },
  {
    pattern: /^I call Hook\.fromJSON with:$/,
    run: (world, below) => {
      world.hook = Hook.fromJSON(JSON.parse(String(below)));
    },
  },
  { pattern: /^I have a Hook$/, run: (world) => expect(world.hook).toBeInstanceOf(Hook) },
  {
    pattern: /^its event pattern is "([^"]*)"$/,
    run: (world, _below, pattern) => expect(world.hook.eventPattern).toBe(pattern),
  },
  {
    pattern: /^its timeout is (\S+) s$/,
    run: (world, _below, seconds) => expect(world.hook.timeout).toBe(Number(seconds)),
  },
  { pattern: /^it is enabled$/, run: (world) => expect(world.hook.enabled).toBe(true) },
];

function hookEvent(type: string | undefined, toolName?: string): HookEvent {
  return new HookEvent({ type: type as EventName, toolName });
}
