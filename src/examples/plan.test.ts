import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { findTestFiles, isTestFile } from "./plan.ts";

it("files of tests are found anywhere but in what others made, and links are not followed", () => {
  const root = mkdtempSync(join(tmpdir(), "sluice-files-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const wanted = [".sluice/b.hooks.test.json", "a.hooks.test.yaml", "deep/down/c.hooks.test.yml"];
  const others = ["node_modules/x.hooks.test.yaml", ".git/x.hooks.test.yaml", "dist/x.hooks.test.yaml", "x.test.yaml"];
  for (const path of [...wanted, ...others]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), "");
  }
  symlinkSync(root, join(root, "circle"));
  expect(findTestFiles(root)).toEqual({ files: wanted.map((path) => join(root, path)), isWhole: true });
});

it.each([
  ["a.hooks.test.yaml", true],
  ["a.hooks.test.json", true],
  ["hooks.test.yaml", false],
  ["a.hooks.yaml", false],
  ["a.hooks.test.ts", false],
])("%s holds tests: %s", (name, holds) => {
  expect(isTestFile(name)).toBe(holds);
});
