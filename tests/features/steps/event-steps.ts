import { expect } from "vitest";
import { EventType, HookEvent } from "../../../src/index.ts";
import type { Step } from "../step.ts";
import { rowsOf, type World } from "../world.ts";

/** Making events and looking at them. */
export const EVENT_STEPS: readonly Step<World>[] = [
  {
    pattern: /^I look at EventType$/,
    run: (world) => {
      world.given = EventType;
    },
  },
  {
    pattern: /^these constants are there:$/,
    run: (world, below) => expect(world.given).toMatchObject(Object.fromEntries(rowsOf(below))),
  },
  {
    pattern: /^I make HookEvent\.(toolPreExecute|toolPostExecute|toolError) from (.*)$/,
    run: (world, _below, factory, values) => {
      const [tool, args, outcome] = JSON.parse(`[${values}]`);
      world.event = FACTORIES[factory as keyof typeof FACTORIES](tool, args, outcome);
    },
  },
  {
    pattern: /^the event is a "([^"]*)"$/,
    run: (world, _below, type) => expect(world.event.type).toBe(type),
  },
  {
    pattern: /^the event names the tool "([^"]*)"$/,
    run: (world, _below, tool) => expect(world.event.toolName).toBe(tool),
  },
  {
    pattern: /^its data holds "([^"]*)" as (.*)$/,
    run: (world, _below, key, value = "") => expect(world.event.data).toHaveProperty(String(key), JSON.parse(value)),
  },
  {
    pattern: /^I call toEnv$/,
    run: (world) => {
      world.given = world.event.toEnv();
    },
  },
  {
    pattern: /^the environment has (\w+) "([^"]*)" under (\w+), (\w+) and (\w+)$/,
    run: (world, _below, name, value, ...prefixes) => {
      const wanted = Object.fromEntries(prefixes.map((prefix) => [`${prefix}${name}`, value]));
      expect(world.given).toMatchObject(wanted);
    },
  },
  {
    pattern: /^the variable (\w+) reads as JSON (.*)$/,
    run: (world, _below, name = "", value = "") => {
      const env = world.given as Record<string, string>;
      expect(JSON.parse(env[name] ?? "")).toEqual(JSON.parse(value));
    },
  },
  {
    pattern: /^I stringify the event and parse the text again$/,
    run: (world) => {
      world.given = JSON.parse(JSON.stringify(world.event));
    },
  },
  {
    pattern: /^the parsed event has the keys (.*)$/,
    run: (world, _below, keys) =>
      expect(Object.keys(world.given as object)).toEqual(expect.arrayContaining(JSON.parse(`[${keys}]`))),
  },
  {
    pattern: /^the parsed event says "([^"]*)" is "([^"]*)"$/,
    run: (world, _below, key, value) => expect(world.given).toHaveProperty(String(key), value),
  },
];

const FACTORIES = {
  toolPreExecute: (tool: string, args: unknown) => HookEvent.toolPreExecute(tool, args),
  toolPostExecute: (tool: string, args: unknown, result: unknown) => HookEvent.toolPostExecute(tool, args, result),
  toolError: (tool: string, args: unknown, error: unknown) => HookEvent.toolError(tool, args, error),
};
