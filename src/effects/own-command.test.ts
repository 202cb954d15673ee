import { expect, test } from "vitest";
import { onlyShows, ownCallsIn } from "./own-command.ts";

test.each<[line: string, verb: string, words: string[], shows: boolean]>([
  ["sluice check", "check", [], true],
  ["sluice intents", "intents", [], true],
  ["sluice intents --json show INT-1", "intents", ["show", "INT-1"], true],
  ["sluice intents --root . scope add X src/**", "intents", ["scope", "add", "X", "src/**"], false],
  ["sluice intents --root=. scope add X", "intents", ["scope", "add", "X"], false],
  ["sluice intents -- scope add X", "intents", ["scope", "add", "X"], false],
  ["sluice intents --name list start X", "intents", ["start", "X"], false],
  ["sluice intents scope --help", "intents", ["scope"], true],
  ["sluice --root . intents done X", "intents", ["done", "X"], false],
  ["sluice serve --status", "serve", [], true],
  ["sluice serve --stop=1", "serve", [], false],
  ["sluice trust --root --status --yes", "trust", [], false],
  ["sluice --status trust", "trust", [], false],
  ["node -r ./x.js dist/sluice.cjs trust", "trust", [], false],
  ["npx --yes sluice@1 trust --status", "trust", [], true],
  ["npm run sluice trust --status -- --yes", "trust", ["--yes"], false],
  ["npm exec -- sluice trust --status", "trust", [], true],
  ["templates show", "", [], true],
])("%s", (line, verb, words, shows) => {
  const [own = { verb: "", words: [], options: new Set<string>() }] = ownCallsIn(line.split(" "));
  expect(own).toMatchObject({ verb, words });
  expect(onlyShows(own)).toBe(shows);
});
