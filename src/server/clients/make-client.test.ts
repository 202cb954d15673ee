import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { installClient, isRunnable, makeClient } from "./make-client.ts";

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

test("two processes that make the same client at once do not touch each other's draft", () => {
  const path = join(home, "client-12345678");
  const write = (draft: string) => {
    writeFileSync(draft, '#!/bin/sh\nexec "$@"\n');
    return true;
  };
  const outer = installClient(path, (draft) => write(draft) && installClient(path, write));
  expect(outer).toBe(true);
  expect(readdirSync(home).filter((name) => name.includes("12345678"))).toEqual(["client-12345678"]);
});
