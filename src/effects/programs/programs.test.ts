import { describe, expect, it } from "vitest";
import { effectText } from "../effect-text.ts";
import { effectsOf } from "../effects.ts";
import { readCommandLine } from "../parse/read-command-line.ts";
import { programNamed } from "./index.ts";
import { TABLES } from "./tables.ts";

const ROWS = TABLES.flatMap((table) => Object.entries(table()));
const EXAMPLES = ROWS.flatMap(([names, { examples }]) => examples.map((example) => ({ names, example })));

describe("the table of programs", () => {
  it("knows each program once", () => {
    const names = ROWS.flatMap(([each]) => each.split(" "));
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    expect(names.length).toBeGreaterThan(120);
  });

  it("shows every row by an example of its own", () => {
    for (const [names, { examples }] of ROWS) {
      const shown = examples.map(([command]) => programNamed(command.split("| ").at(-1)?.split(" ", 1)[0] ?? ""));
      expect(shown.length, names).toBeGreaterThan(0);
      expect(new Set(shown), names).toEqual(new Set([programNamed(names.split(" ", 1)[0] ?? "")]));
    }
  });

  it.each(EXAMPLES)("tells what $example.0 does", ({ example: [command, ...told] }) => {
    const effects = effectsOf(readCommandLine(command)).map(effectText);
    expect(effects.filter((text) => text !== "")).toEqual(told);
  });
});
