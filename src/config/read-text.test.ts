import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadLayers } from "./load.ts";
import { readText } from "./read-text.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "sluice-text-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test("a path at which nothing lies is no fault", () => {
  expect(readText(join(folder(), "none"))).toEqual({ state: "missing" });
});

test.each([
  [
    "a loop of links",
    (path: string) => symlinkSync("hooks.yaml", path),
    /symbolic links lead in a circle/,
    /Correct the links/,
  ],
  ["a link to nothing", (path: string) => symlinkSync("nowhere", path), /a symlink to nowhere/, /correct the link/],
  ["a folder", (path: string) => mkdirSync(path), /This is a folder/, /Put a file in its place/],
])("a configuration that is %s says so, and gates say that a guard may be missing", (_, make, what, fix) => {
  const root = folder();
  mkdirSync(join(root, ".sluice"));
  const path = join(root, ".sluice", "hooks.yaml");
  make(path);
  const { errors, notices } = loadLayers(root, { layers: ["project"] });
  expect(errors.map(({ message }) => message).join()).toMatch(what);
  expect(errors.map((error) => error.fix).join()).toMatch(fix);
  expect(notices.join()).toMatch(/^A guard may be missing: /);
});

test.skipIf(process.platform === "win32")("a socket is told as one, not as a question of permissions", async () => {
  const path = join(folder(), "hooks.yaml");
  const server = createServer().listen(path);
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const read = readText(path);
  expect(read.state === "corrupt" && [read.problem.message, read.problem.fix]).toEqual([
    "This file cannot be read: it is a socket. None of its hooks are active.",
    "Put a file in its place, or remove it.",
  ]);
});
