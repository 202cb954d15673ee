import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { fireEvent, Hook, HookEvent, HookRegistry } from "../../../src/index.ts";
import type { Step } from "../step.ts";
import type { World } from "../world.ts";

/** Running hooks as real processes, and what came of it. */
export const RUNNING_STEPS: readonly Step<World>[] = [
  {
    pattern: /^(?:a hook|a registry of my own has a hook)(?: with a timeout of (\S+) s)? that runs "(.*)"$/,
    run: (world, _below, timeout, command) => {
      const stated = timeout === undefined ? {} : { timeout: Number(timeout) };
      world.registry.register(Hook.fromJSON({ event: "*", command: unquoted(command), ...stated }));
    },
  },
  {
    pattern: /^the shared registry has a hook that runs "(.*)"$/,
    run: (_world, _below, command) => {
      HookRegistry.getInstance().register(Hook.fromJSON({ event: "*", command: unquoted(command) }));
    },
  },
  {
    pattern:
      /^the tool "([^"]*)" is about to run(?: with (\{.*\}))?(, with stopOnFailure)?(?: in the session "([^"]*)")?$/,
    run: async (world, _below, tool = "", args = "{}", stop, sessionId) => {
      world.event = HookEvent.toolPreExecute(tool, JSON.parse(args), { sessionId, cwd: world.project });
      world.results = await world.executor.executeHooks(world.event, { stopOnFailure: stop !== undefined });
    },
  },
  {
    pattern: /^I call fireEvent( with my executor)?$/,
    run: async (world, _below, mine) => {
      const event = HookEvent.toolPreExecute("bash", {}, { cwd: world.project });
      world.results = await fireEvent(event, mine === undefined ? {} : { executor: world.executor });
    },
  },
  {
    pattern: /^there are (\d+) results$/,
    run: (world, _below, count) => expect(world.results).toHaveLength(Number(count)),
  },
  {
    pattern: /^its exit code is (\d+)$/,
    run: (world, _below, code) => expect(world.result.exitCode).toBe(Number(code)),
  },
  {
    pattern: /^its output has "([^"]*)"$/,
    run: (world, _below, words) => expect(world.result.stdout).toContain(words),
  },
  {
    pattern: /^its output reads as JSON (.*)$/,
    run: (world, _below, value = "") => expect(JSON.parse(world.result.stdout)).toEqual(JSON.parse(value)),
  },
  {
    pattern: /^both lines of its output name the project's folder$/,
    run: (world) => expect(world.result.stdout).toBe(`${world.project}\n${world.project}\n`),
  },
  { pattern: /^it succeeded$/, run: (world) => expect(world.result.success).toBe(true) },
  { pattern: /^it did not succeed$/, run: (world) => expect(world.result.success).toBe(false) },
  { pattern: /^the call should continue$/, run: (world) => expect(world.result.shouldContinue).toBe(true) },
  { pattern: /^the call should not continue$/, run: (world) => expect(world.result.shouldContinue).toBe(false) },
  { pattern: /^it timed out$/, run: (world) => expect(world.result.timedOut).toBe(true) },
  {
    pattern: /^the process whose number is in the file "([^"]*)" is gone$/,
    run: (world, _below, file = "") => {
      const pid = Number(readFileSync(join(world.project, file), "utf8"));
      expect(pid).toBeGreaterThan(1);
      expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    },
  },
  {
    pattern: /^the file "([^"]*)" is (not )?there$/,
    run: (world, _below, file = "", not) => expect(existsSync(join(world.project, file))).toBe(not === undefined),
  },
];

function unquoted(command: string | undefined): string {
  return (command ?? "").replaceAll('\\"', '"');
}
