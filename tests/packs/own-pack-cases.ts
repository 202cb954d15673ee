import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { checkPack, testPack } from "../../src/packs/check-pack.ts";
import { localCandidate } from "../../src/packs/local-source.ts";

const FOLDER = fileURLToPath(new URL("../../packs", import.meta.url));
const PACKS = readdirSync(FOLDER);

test("six packs come with the package", () => {
  expect(PACKS).toEqual(["cloud", "databases", "git-hygiene", "kubernetes", "node-python", "secrets"]);
});

describe.each(PACKS)("the pack %s", async (name) => {
  const folder = `${FOLDER}/${name}`;
  const candidate = localCandidate(folder, FOLDER);
  const checked = await checkPack(candidate, folder);

  test("is called by its folder, has a readme, and fits two screens", () => {
    expect(candidate.name).toBe(`@sluice/${name}`);
    expect(candidate.files.map(({ path }) => path)).toEqual(["README.md", "package.json", "sluice.yaml"]);
    expect(readFileSync(`${folder}/sluice.yaml`, "utf8").split("\n").length).toBeLessThan(200);
  });

  test("passes `sluice pack check` without a warning", () => {
    expect(checked.problems.map((problem) => problem.format())).toEqual([]);
    expect(checked.warnings.map((problem) => problem.format())).toEqual([]);
  });

  test("passes `sluice pack test`", async () => {
    const report = await testPack(checked, folder);
    const failed = report.outcomes.filter(({ status }) => status !== "passed");
    expect(failed.map(({ group, name: example, why }) => `${group}: ${example}: ${why}`)).toEqual([]);
    expect(report.problems).toEqual([]);
    expect(report.outcomes.length).toBeGreaterThan(10);
  });

  test("names every hook and every parameter in its readme", () => {
    const readme = readFileSync(`${folder}/README.md`, "utf8");
    const hooks = checked.content?.hooks.map((hook) => hook.name.slice(candidate.name.length + 1)) ?? [];
    for (const word of [...hooks, ...(checked.content?.parameters.keys() ?? [])])
      expect(readme).toContain(`\`${word}\``);
  });
});
