import { spawnSync } from "node:child_process";
import { accessSync, constants, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, relative } from "node:path";
import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { ADAPTERS } from "../../src/adapters/index.ts";
import type { Scope } from "../../src/adapters/recipe.ts";
import { isOurs } from "../../src/install/invocation.ts";
import { filesOf } from "../../src/install/targets.ts";
import { Household } from "./household.ts";

const INSTALLABLE = ADAPTERS.filter(({ recipe }) => recipe !== undefined);
const SCOPES: readonly Scope[] = ["user", "project"];
const ROWS = INSTALLABLE.flatMap(({ id }) => SCOPES.map((scope) => [id, scope] as const));

describe.each(ROWS)("%s, %s", (agent, scope) => {
  it("is installed, found again, and removed without a trace", () => {
    const house = new Household();
    const before = house.everything();
    const { changes, problems } = house.install(agent, scope);
    expect(problems).toEqual([]);
    expect(changes.length).toBeGreaterThan(0);
    const start = scope === "user" ? house.home : house.root;
    for (const { path } of changes) expect(path.startsWith(`${start}/`)).toBe(true);
    expect(house.install(agent, scope).changes).toEqual([]);
    house.uninstall(agent, scope);
    expect(house.everything()).toEqual(before);
  });

  it("is removed without the backup, and from a path with blanks and quotes", () => {
    const house = new Household(["/usr/bin/node", "/opt/o'my sluice/dist/sluice.cjs"]);
    house.install(agent, scope);
    house.forgetBackups();
    expect(house.install(agent, scope).changes).toEqual([]);
    house.uninstall(agent, scope);
    const left = Object.values(house.everything()).filter((content) => content !== "folder");
    expect(left).toEqual([]);
  });

  it("writes what the agent can read: JSON, a program that a shell understands, or a module", () => {
    const house = Household.ofHooks();
    for (const { path, after = "", isProgram } of house.install(agent, scope).changes) {
      expect(after.split("\n").some((line) => isOurs(line, agent)) || after.includes("/sluice.sh")).toBe(true);
      if (isProgram) {
        expect(after.startsWith("#!/bin/sh\n")).toBe(true);
        accessSync(path, constants.X_OK);
        expect(spawnSync("sh", ["-n", path]).status).toBe(0);
      } else if (extname(path) === ".json") {
        const top = agent === "droid" && path.endsWith("hooks.json");
        expect(JSON.parse(after)).toHaveProperty(top ? "PreToolUse" : "hooks");
        if (top) expect(JSON.parse(after)).not.toHaveProperty("hooks");
      } else {
        const module = join(house.home, "module.mjs");
        writeFileSync(module, after);
        const checked = extname(path) === ".ts" ? { status: 0 } : spawnSync(process.execPath, ["--check", module]);
        expect(checked.status).toBe(0);
        expect(after).toContain("export");
      }
    }
  });
});

it("the documentation names every file", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/install.md"), "utf8");
  const house = new Household();
  for (const adapter of INSTALLABLE) {
    const row = page.split("\n").find((line) => line.startsWith(`| \`${adapter.id}\` |`)) ?? "";
    for (const path of filesOf(adapter, "user", house.around)) {
      const file = relative(house.home, path);
      expect(row.includes(file) || row.includes(basename(file)) || row.includes(`~/${dirname(file)}/…`), file).toBe(
        true,
      );
    }
    for (const path of filesOf(adapter, "project", house.around)) {
      const file = relative(house.root, path);
      expect(
        row.includes(`\`${file}`) || row.includes(basename(file)) || row.includes(`\`${dirname(file)}/…`),
        file,
      ).toBe(true);
    }
  }
});

describe("times are in the units of the agent", () => {
  const units: Record<string, readonly [key: string, perSecond: number]> = {
    "claude-code": ["timeout", 1],
    codex: ["timeout", 1],
    "gemini-cli": ["timeout", 1000],
    cursor: ["timeout", 1],
    copilot: ["timeoutSec", 1],
    vscode: ["timeout", 1],
    "qwen-code": ["timeout", 1000],
    droid: ["timeout", 1],
    kiro: ["timeout", 1],
    auggie: ["timeout", 1000],
  };

  it.each(Object.entries(units))("%s", (agent, [key, perSecond]) => {
    const house = new Household();
    const settings = house.install(agent).changes.find(({ path }) => extname(path) === ".json");
    const adapter = INSTALLABLE.find(({ id }) => id === agent);
    const times = valuesOf(parse(settings?.after ?? ""), key);
    expect(times).toContain((adapter?.seconds ?? 0) * perSecond);
    for (const time of times) expect(Number(time) / perSecond).toBeLessThanOrEqual(600);
  });
});

describe("an agent that runs files", () => {
  it("is given the path of a script, which is found again", () => {
    const house = new Household();
    const { changes } = house.install("auggie");
    const script = join(house.home, ".augment/hooks/sluice.sh");
    expect(changes.map(({ path }) => path)).toContain(script);
    expect(valuesOf(JSON.parse(house.read(".augment/settings.json") ?? ""), "command")).toContain(script);
    expect(house.read(".augment/hooks/sluice.sh")).toMatch(
      /^#!\/bin\/sh\n.*; \/usr\/bin\/node \/opt\/sluice\/dist\/sluice\.cjs run auggie \|\| exit 2\n$/,
    );
  });

  it("is stopped, not let through, when the program behind the script is gone", () => {
    const house = new Household(["/nowhere/node", "/nowhere/sluice.cjs"]);
    house.install("auggie");
    const { status } = spawnSync(join(house.home, ".augment/hooks/sluice.sh"), { input: "{}" });
    expect(status).toBe(2);
  });
});

describe("hook events that are wanted only when a hook hears them", () => {
  const rare = INSTALLABLE.filter(({ hookEvents }) =>
    Object.values(hookEvents).some(({ installed }) => installed === "if matched"),
  );

  it.each(rare.map(({ id }) => id))("%s: come with the hook and go with it", (agent) => {
    const house = Household.ofHooks();
    const before = house.everything();
    house.install(agent);
    const few = house.everything();
    house.install(agent, "user", { isMatched: () => true });
    expect(house.everything()).not.toEqual(few);
    house.install(agent);
    expect(house.everything()).toEqual(few);
    house.uninstall(agent);
    expect(house.everything()).toEqual(before);
  });
});

function valuesOf(value: unknown, key: string): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([own, inner]) => (own === key ? [inner] : valuesOf(inner, key)));
}
