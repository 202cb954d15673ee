import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { isDisposableAt } from "./disposable-paths.ts";

let base: string;

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "sluice-home-"));
  mkdirSync(join(base, "home", ".ssh"), { recursive: true });
  mkdirSync(join(base, "scratch"));
  vi.stubEnv("HOME", join(base, "home"));
});

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true, force: true });
});

test("what lies in a home among temporary files is no temporary file; what lies beside it is", () => {
  const from = { root: join(base, "home", "project"), sessionId: undefined };
  expect(isDisposableAt(join(base, "home", ".ssh"), from)).toBe(false);
  expect(isDisposableAt(join(base, "scratch"), from)).toBe(true);
});
