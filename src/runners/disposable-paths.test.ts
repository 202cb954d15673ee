import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { isDisposableAt } from "./disposable-paths.ts";

let base: string;

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "sluice-home-"));
  mkdirSync(join(base, "home", ".ssh"), { recursive: true });
  for (const made of [".cache/pip", ".m2/repository/a", "Documents"])
    mkdirSync(join(base, "home", made), { recursive: true });
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

test("what lies in a project among temporary files is no temporary file, whatever letters the project's path has", () => {
  for (const root of ["project", "a\\b"].map((name) => join(base, "scratch", name))) {
    mkdirSync(join(root, "work"), { recursive: true });
    expect(isDisposableAt(join(root, "work"), { root, sessionId: undefined })).toBe(false);
  }
});

test.each([
  [".cache/pip", true],
  [".m2/repository", true],
  [".m2/repository/a", true],
  [".m2", false],
  ["Documents", false],
])("in a home, what package managers keep and fetch again is disposable: %s: %s", (path, is) => {
  const from = { root: join(base, "home", "project"), sessionId: undefined };
  expect(isDisposableAt(join(base, "home", path), from)).toBe(is);
});
