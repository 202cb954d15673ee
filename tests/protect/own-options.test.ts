import { expect, test } from "vitest";
import { onlyShows, VALUE_OPTIONS } from "../../src/effects/own-command.ts";
import { COMMON_OPTIONS } from "../../src/cli/command.ts";
import { COMMANDS } from "../../src/cli/commands/index.ts";

test("options with a value are known to whoever looks for a verb behind them", () => {
  const all = [COMMON_OPTIONS, ...COMMANDS.map(({ options }) => options)].flatMap((options) => Object.entries(options));
  const names = (type: string) => new Set(all.filter(([, option]) => option.type === type).map(([name]) => name));
  expect([...VALUE_OPTIONS].sort()).toEqual([...names("string")].sort());
  expect([...names("boolean")].filter((name) => VALUE_OPTIONS.has(name))).toEqual([]);
});

test("a verb counts as showing only where it is said to", () => {
  const bare = COMMANDS.filter(({ name }) => onlyShows({ verb: name, words: [], options: new Set() }));
  expect(bare.map(({ name }) => name).sort()).toEqual(
    "check completion doctor events explain intents list log mcp packs stats templates trace why".split(" "),
  );
});
