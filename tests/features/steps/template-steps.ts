import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { HOOK_TEMPLATES, Hook, HookEvent } from "../../../src/index.ts";
import type { Step } from "../step.ts";
import type { World } from "../world.ts";

/** Templates, registered as they are. */
export const TEMPLATE_STEPS: readonly Step<World>[] = [
  {
    pattern: /^the template "([^"]*)"$/,
    run: (world, _below, name) => {
      const template = HOOK_TEMPLATES[name as keyof typeof HOOK_TEMPLATES];
      expect(template).toBeInstanceOf(Hook);
      world.hook = template;
      world.registry.register(template);
    },
  },
  {
    pattern: /^it listens to "([^"]*)"$/,
    run: (world, _below, pattern) => expect(world.hook.eventPattern).toBe(pattern),
  },
  {
    pattern: /^the template hears the tool "([^"]*)" about to run with (\{.*\})$/,
    run: (world, _below, tool = "", args = "{}") =>
      hear(world, HookEvent.toolPreExecute(tool, JSON.parse(args), { cwd: world.project })),
  },
  {
    pattern: /^the template hears that the tool "([^"]*)" has run$/,
    run: (world, _below, tool = "") =>
      hear(world, HookEvent.toolPostExecute(tool, { path: NEW_FILE }, "written", { cwd: world.project })),
  },
  {
    pattern: /^a new file in the user's home tells of "([^"]*)"$/,
    run: (world, _below, words = "") => {
      const files = readdirSync(world.home, { recursive: true, encoding: "utf8" })
        .map((path) => join(world.home, path))
        .filter((path) => statSync(path).isFile());
      expect(files.map((path) => readFileSync(path, "utf8")).join("\n")).toContain(words);
    },
  },
  {
    pattern: /^the project is a git repository with a new file$/,
    run: (world) => {
      git(world, "init", "--quiet");
      git(world, "config", "user.name", "Sluice");
      git(world, "config", "user.email", "sluice@example.com");
      writeFileSync(join(world.project, NEW_FILE), "new\n");
    },
  },
  {
    pattern: /^git has one commit and nothing left to add$/,
    run: (world) => {
      expect(git(world, "log", "--oneline").trim().split("\n")).toHaveLength(1);
      expect(git(world, "status", "--porcelain")).toBe("");
    },
  },
];

async function hear(world: World, event: HookEvent): Promise<void> {
  world.event = event;
  world.results = await world.executor.executeHooks(event);
}

function git({ project }: World, ...args: string[]): string {
  return execFileSync("git", args, { cwd: project, encoding: "utf8" });
}

const NEW_FILE = "new.txt";
