import { expect, test } from "vitest";
import { COMMON_OPTIONS, type Option } from "../../src/cli/command.ts";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { onlyShows, SWITCHES, VALUE_OPTIONS } from "../../src/effects/own-command.ts";

test("options with a value are skipped in the search for the verb behind them", () => {
  const commands = [{ name: "", options: COMMON_OPTIONS }, ...COMMANDS];
  const all = commands.flatMap(({ name: verb, options }) =>
    Object.entries<Option>(options).map(([name, { type }]) => ({ verb, name, type })),
  );
  const valued = new Set(all.filter(({ type }) => type === "string").map(({ name }) => name));
  expect([...VALUE_OPTIONS].sort()).toEqual([...valued].sort());
  const switches = all.filter(({ name, type }) => type === "boolean" && VALUE_OPTIONS.has(name));
  expect(switches.filter(({ verb, name }) => !SWITCHES[verb]?.has(name))).toEqual([]);
  for (const [verb, names] of Object.entries(SWITCHES))
    for (const name of names) expect(switches).toContainEqual({ verb, name, type: "boolean" });
});

test("a verb counts as showing only where it is said to", () => {
  const bare = COMMANDS.filter(({ name }) => onlyShows({ verb: name, words: [], options: new Set() }));
  expect(bare.map(({ name }) => name).sort()).toEqual(
    "approvals check completion doctor events explain fleet intents list log mcp packs stats templates trace why".split(
      " ",
    ),
  );
});
