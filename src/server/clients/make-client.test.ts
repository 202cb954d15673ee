import { mkdtempSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { makeClient, isRunnable } from "./make-client.ts";

const home = mkdtempSync(join(tmpdir(), "sluice-client-"));
const root = fileURLToPath(new URL("../../..", import.meta.url));
afterAll(() => rmSync(home, { recursive: true, force: true }));

test("a client that a crash has left empty is made again: an empty program ends well, and every call would pass", () => {
  const env = { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: join(home, "state") };
  const cold = [process.execPath, join(root, "sluice.cjs")] as const;
  const first = makeClient(cold, env);
  expect(first).toBeDefined();
  if (first === undefined) return;
  truncateSync(first.path);
  expect(isRunnable(first.path)).toBe(false);
  const again = makeClient(cold, env);
  expect(again).toEqual(first);
  expect(statSync(first.path).size).toBeGreaterThan(0);
  expect(isRunnable(first.path)).toBe(true);
});
