import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { costOfStart } from "./start-cost.ts";

function runtimeDir(): { readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), "sluice-start-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { folder };
}

it("is measured once and is the same from then on", () => {
  const at = runtimeDir();
  const first = costOfStart(at);
  expect(first).toBeGreaterThan(0);
  expect([costOfStart(at), costOfStart(at)]).toEqual([first, first]);
  writeFileSync(join(at.folder, "start"), `${process.version} 123456\n`);
  expect(costOfStart(at)).toBe(123456);
});

it("is measured anew for another version of node, and where nothing can be kept", () => {
  const at = runtimeDir();
  writeFileSync(join(at.folder, "start"), "v0.1.0 123456\n", { mode: 0o600 });
  expect(costOfStart(at)).toBeLessThan(123456);
  expect(costOfStart({ folder: join(at.folder, "nowhere") })).toBeGreaterThan(0);
});
