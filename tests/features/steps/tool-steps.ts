import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { Hook, HookBlockedError, ToolExecutor } from "../../../src/index.ts";
import type { Step } from "../step.ts";
import type { World } from "../world.ts";

/** Tools that run between hooks; a tool leaves a file behind when it has run. */
export const TOOL_STEPS: readonly Step<World>[] = [
  {
    pattern: /^a hook for "([^"]*)" that runs the script:$/,
    run: (world, below, event) => world.registry.register(Hook.fromJSON({ event, command: below })),
  },
  {
    pattern: /^a hook for "([^"]*)" that writes down the event it hears$/,
    run: (world, _below, event) => world.registry.register(Hook.fromJSON({ event, command: `cat >> ${WRITTEN}` })),
  },
  {
    pattern: /^the tool fails with "([^"]*)"$/,
    run: (world, _below, message = "") => writeFileSync(join(world.project, FAILS), message),
  },
  {
    pattern: /^a ToolExecutor executes the tool "([^"]*)"(?: with (\{.*\}))?$/,
    run: async (world, _below, name = "", params = "{}") => {
      const host = new ToolExecutor({ executor: world.executor });
      world.thrown = undefined;
      try {
        await host.execute(tool(name, world), JSON.parse(params), { cwd: world.project });
      } catch (error) {
        world.thrown = error;
      }
    },
  },
  {
    pattern: /^it throws HookBlockedError$/,
    run: (world) => expect(world.thrown).toBeInstanceOf(HookBlockedError),
  },
  {
    pattern: /^it throws the tool's own error "([^"]*)"$/,
    run: (world, _below, message) => {
      expect(world.thrown).not.toBeInstanceOf(HookBlockedError);
      expect(world.thrown).toHaveProperty("message", message);
    },
  },
  {
    pattern: /^the message has "([^"]*)"$/,
    run: (world, _below, words = "") => expect(String(world.thrown)).toContain(words),
  },
  {
    pattern: /^the tool has run$/,
    run: (world) => {
      expect(world.thrown).toBeUndefined();
      expect(existsSync(join(world.project, RAN))).toBe(true);
    },
  },
  { pattern: /^the tool has not run$/, run: (world) => expect(existsSync(join(world.project, RAN))).toBe(false) },
  {
    pattern: /^the event written down has "([^"]*)" as (.*)$/,
    run: (world, _below, key = "", value = "") => expect(written(world)).toHaveProperty(key, JSON.parse(value)),
  },
  {
    pattern: /^the data written down has "([^"]*)" as (.*)$/,
    run: (world, _below, key = "", value = "") => expect(written(world).data).toHaveProperty(key, JSON.parse(value)),
  },
];

function tool(name: string, { project }: World) {
  return {
    name,
    execute: () => {
      writeFileSync(join(project, RAN), "");
      if (existsSync(join(project, FAILS))) throw new Error(readFileSync(join(project, FAILS), "utf8"));
      return `${name} has run`;
    },
  };
}

/** The one event that the hook heard; two would not parse. */
function written({ project }: World): { readonly data: unknown } {
  return JSON.parse(readFileSync(join(project, WRITTEN), "utf8"));
}

const WRITTEN = "event.json";
const RAN = "ran";
const FAILS = "fails";
