import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readLayersOnce } from "./caller.ts";
import { readLayers } from "./layers.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "plain-layers-"));
  mkdirSync(join(root, ".sluice"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const HOOK = "hooks:\n  - name: own\n    event: session:start\n    command: echo hello\n";

describe("the layers of a cold call are those of every other call", () => {
  test.each([
    ["in plain YAML", "hooks.yaml", `guards: strict\n${HOOK}`],
    ["in YAML with an anchor, which only the library reads", "hooks.yaml", `guards: &preset strict\n${HOOK}`],
    ["in YAML that nothing can read", "hooks.yaml", `guards: [strict\n${HOOK}`],
    ["in JSON with a comment, which only the library reads", "hooks.json", '{ "guards": "strict" // most\n}'],
  ])("%s", async (_, name, text) => {
    writeFileSync(join(root, ".sluice", name), text);
    const { hooks, settings, errors, files, notices } = await readLayersOnce(root);
    const full = readLayers(root);
    expect(hooks.map((hook) => hook.name)).toEqual(full.hooks.map((hook) => hook.name));
    expect({ settings, files, notices }).toEqual({
      settings: full.settings,
      files: full.files,
      notices: full.notices,
    });
    expect(errors.map(({ code }) => code)).toEqual(full.errors.map(({ code }) => code));
  });
});
