import { AstBuilder, compile, GherkinClassicTokenMatcher, Parser } from "@cucumber/gherkin";
import { IdGenerator, type PickleStep } from "@cucumber/messages";

/** A feature file, read. */
export interface Feature {
  readonly file: string;
  readonly name: string;
  readonly scenarios: readonly Scenario[];
}

/** One scenario, with the steps of a background in front. */
export interface Scenario {
  readonly file: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly steps: readonly Line[];
}

/** One step as it is written. */
export interface Line {
  readonly text: string;
  /** The text between `"""`, or the rows of a table, below the step. */
  readonly below: string | readonly (readonly string[])[] | undefined;
}

/** Reads a feature file's text. A scenario outline counts once for each of its rows. */
export function readFeature(file: string, text: string): Feature {
  const newId = IdGenerator.incrementing();
  const document = new Parser(new AstBuilder(newId), new GherkinClassicTokenMatcher()).parse(text);
  const scenarios = compile(document, file, newId).map((pickle) => ({
    file,
    name: pickle.name,
    tags: pickle.tags.map((tag) => tag.name),
    steps: pickle.steps.map((step) => ({ text: step.text, below: belowOf(step) })),
  }));
  return { file, name: document.feature?.name ?? "", scenarios };
}

function belowOf({ argument }: PickleStep): Line["below"] {
  return argument?.docString?.content ?? argument?.dataTable?.rows.map((row) => row.cells.map((cell) => cell.value));
}
