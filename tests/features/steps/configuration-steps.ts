import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { Hook, HookConfig } from "../../../src/index.ts";
import type { Step } from "../step.ts";
import { rowsOf, type World } from "../world.ts";

/** Hooks in the files of a user and of a project. */
export const CONFIGURATION_STEPS: readonly Step<World>[] = [
  {
    pattern: /^the user's hooks\.json has (\d+) hooks?$/,
    run: (_world, _below, count) => write(HookConfig.getGlobalPath(), listOf(Number(count))),
  },
  {
    pattern: /^the project's "([^"]*)" has (\d+) hooks?$/,
    run: (world, _below, file = "", count) => write(join(world.project, file), listOf(Number(count))),
  },
  {
    pattern: /^the user has no hooks\.json$/,
    run: (world) => {
      expect(HookConfig.getGlobalPath().startsWith(world.home)).toBe(true);
      expect(existsSync(HookConfig.getGlobalPath())).toBe(false);
    },
  },
  {
    pattern: /^the user's hooks\.json is the text "([^"]*)"$/,
    run: (_world, _below, text = "") => write(HookConfig.getGlobalPath(), text),
  },
  {
    pattern: /^I call HookConfig\.(loadGlobal|loadProject|loadAll)$/,
    run: (world, _below, method) => {
      world.given = LOADS[method as keyof typeof LOADS](world.project);
    },
  },
  {
    pattern: /^(\d+|no) hooks? (?:is|are) loaded$/,
    run: (world, _below, count) => {
      const hooks = world.given as Hook[];
      expect(hooks).toHaveLength(count === "no" ? 0 : Number(count));
      expect(hooks.filter((hook) => !(hook instanceof Hook))).toEqual([]);
    },
  },
  {
    pattern: /^a list of these hooks:$/,
    run: (world, below) => {
      world.given = world.hooksFrom(rowsOf(below));
    },
  },
  {
    pattern: /^I call HookConfig\.saveGlobal with the list$/,
    run: (world) => HookConfig.saveGlobal(world.given as Hook[]),
  },
  {
    pattern: /^the user's hooks\.json is JSON with (\d+) hooks$/,
    run: (_world, _below, count) => {
      const { hooks } = JSON.parse(readFileSync(HookConfig.getGlobalPath(), "utf8"));
      expect(hooks).toHaveLength(Number(count));
    },
  },
  {
    pattern: /^HookConfig\.loadGlobal gives the same list$/,
    run: (world) => {
      const asObjects = (hooks: readonly Hook[]) => hooks.map((hook) => hook.toJSON());
      expect(asObjects(HookConfig.loadGlobal())).toEqual(asObjects(world.given as Hook[]));
    },
  },
  { pattern: /^there was no warning$/, run: (world) => expect(world.warnings).toEqual([]) },
  {
    pattern: /^a warning names the user's hooks\.json$/,
    run: (world) => {
      expect(world.warnings).toHaveLength(1);
      expect(world.warnings[0]).toContain(HookConfig.getGlobalPath());
    },
  },
];

const LOADS = {
  loadGlobal: () => HookConfig.loadGlobal(),
  loadProject: (root: string) => HookConfig.loadProject(root),
  loadAll: (root: string) => HookConfig.loadAll(root),
};

function listOf(count: number): string {
  const hooks = Array.from({ length: count }, (_, index) => ({ event: "tool:*", command: `echo ${index}` }));
  return JSON.stringify({ hooks });
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
