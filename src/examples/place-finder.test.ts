import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { parseText } from "../config/document.ts";
import { readLayerFiles } from "../config/layer-files.ts";
import { merge } from "../config/merge.ts";
import { Hook } from "../hook/hook.ts";
import { placeFinder } from "./place-finder.ts";

const YAML = `hooks:
  - event: "*"
    rules: |
      # first
      tool exists -> deny("a")
    examples:
      deny:
        - ls
  - { event: "*", rules: 'tool exists -> deny("b")' }
`;
const JSON_TEXT = `[
  { "event": "*",
    "inlineRules": [
      { "field": "tool", "operator": "exists", "action": "deny" } ] }
]`;

it.each([
  ["yaml", YAML, 0, ["rules"], 2, 5],
  ["yaml", YAML, 0, ["examples", "deny", 0], undefined, 8],
  ["yaml", YAML, 0, ["nothing"], undefined, 2],
  ["yaml", YAML, 1, ["rules"], 1, 9],
  ["json", JSON_TEXT, 0, ["inline_rules", 0], undefined, 4],
])("a part of a hook in %s is found at its line (%#)", (suffix, text, index, path, line, expected) => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-places-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, `hooks.${suffix}`);
  writeFileSync(file, text);
  const { hooks } = merge(readLayerFiles([{ layer: "project", path: file }], parseText).shapes);
  const hook = hooks[index] ?? expect.fail("no hook");
  expect(placeFinder()(hook, path, line)).toMatchObject({ file, line: expected });
});

it("a hook that a program made stands nowhere", () => {
  expect(placeFinder()(new Hook({ event: "*", command: "true" }), ["examples"])).toBeUndefined();
});
