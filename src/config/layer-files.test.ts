import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { loadLayers } from "./load.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-extends-"));
});

function write(file: string, content: string | object): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
}

const load = () => loadLayers(join(folder, "project"), { layers: ["project"] });

describe("extends", () => {
  test("local files are read before the one that names them, in the same layer, each once", () => {
    write(
      "project/.sluice/hooks.yaml",
      "extends: [./a.yaml, ../team/b.json]\nhooks: [{name: own, event: '*', command: x}]\n",
    );
    write("project/.sluice/a.yaml", "extends: ../team/b.json\nhooks: [{name: a, event: '*', command: x}]\n");
    write("project/team/b.json", [{ name: "b", event: "tool:*", command: "true" }]);
    const { hooks, errors, files } = load();
    expect(hooks.map(({ name, layer }) => `${layer} ${name}`)).toEqual(["project b", "project a", "project own"]);
    expect(errors).toEqual([]);
    expect(files).toHaveLength(3);
  });

  test.each([
    ["extends: ./missing.yaml", "config/extends-nothing", "is not there"],
    ["extends: some-pack", "config/no-pack", "is not in node_modules of"],
    ["extends: ['@acme/hooks']", "config/no-pack", "npm install --save-dev @acme/hooks"],
    ["extends: 'a/../../b'", "config/pack-name", "neither a path nor the name of a package"],
    ["extends: ./hooks.yaml", "config/extends-itself", "a circle"],
    ["extends: ./round.yaml", "config/extends-itself", "a circle"],
    ["extends: ./deep-0.yaml", "config/extends-too-deep", "More than 16 files"],
  ])("%s is a problem, and the file's own hooks stay", (line, code, words) => {
    write("project/.sluice/round.yaml", "extends: ./hooks.yaml\n");
    for (let i = 0; i < 20; i++) write(`project/.sluice/deep-${i}.yaml`, `extends: ./deep-${i + 1}.yaml\n`);
    write("project/.sluice/hooks.yaml", `${line}\nhooks: [{name: own, event: '*', command: x}]\n`);
    const { hooks, errors, notices } = load();
    expect(errors.map((problem) => problem.code)).toEqual([code]);
    expect(errors[0]?.format()).toContain(words);
    expect(hooks.map(({ name }) => name)).toEqual(["own"]);
    expect(notices).toHaveLength(1);
  });

  test("64 files are the most", () => {
    const names = Array.from({ length: 70 }, (_, i) => `./f${i}.yaml`);
    for (const name of names) write(`project/.sluice/${name}`, "hooks: []\n");
    write("project/.sluice/hooks.json", { extends: names });
    const { files, errors } = load();
    expect(files).toHaveLength(65);
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(["config/too-many-files"]));
  });
});
