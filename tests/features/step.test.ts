import { describe, expect, it } from "vitest";
import { readFeature } from "./feature.ts";
import { runScenario, type Step, unusedSteps } from "./step.ts";

type Log = unknown[];

const STEPS: readonly Step<Log>[] = [
  { pattern: /^I say "(.*)" to (\w+)$/, run: (log, _below, what, whom) => log.push([what, whom]) },
  { pattern: /^I show:$/, run: (log, below) => log.push(below) },
  {
    pattern: /^it breaks$/,
    run: () => {
      throw new Error("the pieces");
    },
  },
];

describe("a scenario", () => {
  it("runs its steps in order, each with what it captures and what stands below it", async () => {
    const log: Log = [];
    await run(['Given I say "hi" to you', "When I show:", "  | a | b |", "Then I show:", '"""', "text", '"""'], log);
    expect(log).toEqual([["hi", "you"], [["a", "b"]], "text"]);
  });

  it("fails on an undefined step, before any step has run", async () => {
    const log: Log = [];
    const outcome = run(['Given I say "hi" to you', "Then I sing"], log);
    await expect(outcome).rejects.toThrow('a.feature: no step definition for "I sing"');
    expect(log).toEqual([]);
  });

  it("fails on a step that two definitions fit", async () => {
    const twice = [...STEPS, { pattern: /^it/, run: () => {} }];
    await expect(run(["Given it breaks"], [], twice)).rejects.toThrow('2 step definitions fit "it breaks"');
  });

  it("names the step that failed", async () => {
    await expect(run(["Given it breaks"])).rejects.toThrow("a.feature: it breaks\nthe pieces");
  });

  it("fails when it has no steps", async () => {
    await expect(run([])).rejects.toThrow('a.feature: "S" has no steps');
  });
});

it("a step definition that no scenario needs is found", () => {
  const { scenarios } = feature(["Given it breaks", "And I show:"]);
  expect(unusedSteps(scenarios, STEPS)).toEqual(['/^I say "(.*)" to (\\w+)$/']);
});

function run(lines: readonly string[], log: Log = [], steps = STEPS): Promise<void> {
  const [scenario] = feature(lines).scenarios;
  return runScenario(scenario ?? { file: "a.feature", name: "S", tags: [], steps: [] }, steps, log);
}

function feature(lines: readonly string[]) {
  return readFeature("a.feature", ["Feature: F", "Scenario: S", ...lines].join("\n"));
}
