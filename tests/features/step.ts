import type { Line, Scenario } from "./feature.ts";

/** What a sentence of a scenario does to the world of that scenario. */
export interface Step<World> {
  readonly pattern: RegExp;
  readonly run: (world: World, below: Line["below"], ...captured: string[]) => unknown;
}

/** Runs the steps of one scenario; a step that is unknown, ambiguous or wrong fails it and is named. */
export async function runScenario<World>(
  scenario: Scenario,
  steps: readonly Step<World>[],
  world: World,
): Promise<void> {
  if (scenario.steps.length === 0) throw new Error(`${scenario.file}: "${scenario.name}" has no steps`);
  const plan = scenario.steps.map((line) => ({ line, ...stepFor(line, scenario.file, steps) }));
  for (const { line, step, captured } of plan) {
    try {
      await step.run(world, line.below, ...captured);
    } catch (error) {
      if (error instanceof Error) error.message = `${scenario.file}: ${line.text}\n${error.message}`;
      throw error;
    }
  }
}

/** The definitions that no step of these scenarios needs. */
export function unusedSteps<World>(scenarios: readonly Scenario[], steps: readonly Step<World>[]): string[] {
  const texts = scenarios.flatMap((scenario) => scenario.steps.map((line) => line.text));
  return steps.filter(({ pattern }) => !texts.some((text) => pattern.test(text))).map(({ pattern }) => String(pattern));
}

function stepFor<World>({ text }: Line, file: string, steps: readonly Step<World>[]) {
  const fitting = steps.flatMap((step) => {
    const found = step.pattern.exec(text);
    return found === null ? [] : [{ step, captured: found.slice(1) }];
  });
  const [only, ...others] = fitting;
  if (only === undefined) throw new Error(`${file}: no step definition for "${text}"`);
  if (others.length > 0) throw new Error(`${file}: ${fitting.length} step definitions fit "${text}"`);
  return only;
}
