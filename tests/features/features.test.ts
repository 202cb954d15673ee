import { readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readFeature } from "./feature.ts";
import { runScenario, unusedSteps } from "./step.ts";
import { STEPS } from "./steps/all-steps.ts";
import { World } from "./world.ts";

const FOLDER = new URL(".", import.meta.url);
const FEATURES = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".feature"))
  .sort()
  .map((file) => readFeature(file, readFileSync(new URL(file, FOLDER), "utf8")));
const SCENARIOS = FEATURES.flatMap((feature) => feature.scenarios);

let world: World;

beforeEach(() => {
  world = new World();
});

afterEach(() => {
  world.close();
});

for (const feature of FEATURES) {
  describe(feature.name, () => {
    for (const scenario of feature.scenarios) {
      it(scenario.name, () => runScenario(scenario, STEPS, world));
    }
  });
}

describe("the features", () => {
  it("are 53 scenarios in 12 features, all of them run", () => {
    expect(FEATURES).toHaveLength(12);
    expect(SCENARIOS).toHaveLength(53);
    expect(SCENARIOS.filter((scenario) => scenario.tags.length > 0 || scenario.steps.length === 0)).toEqual([]);
  });

  it("have names of their own", () => {
    expect(new Set(FEATURES.map((feature) => feature.name)).size).toBe(FEATURES.length);
    const names = SCENARIOS.map((scenario) => `${scenario.file} ${scenario.name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it("need every step definition", () => {
    expect(unusedSteps(SCENARIOS, STEPS)).toEqual([]);
  });
});
