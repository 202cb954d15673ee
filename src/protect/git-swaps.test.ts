import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Act } from "../act/act.ts";
import { readCommandLine } from "../shell/read-command-line.ts";
import { swappedByGit } from "./git-swaps.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "sluice-swaps-"));
  git("init", "-q");
  writeFileSync(join(root, "hooks.yaml"), "guards: standard\n");
  git("add", ".");
  git("-c", "user.name=a", "-c", "user.email=a@b.test", "commit", "-qm", "one");
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function git(...words: readonly string[]): void {
  execFileSync("git", words, { cwd: root, stdio: "ignore" });
}

function swapped(command: string): boolean {
  const { commands } = readCommandLine(command);
  const act: Act = { commands, effects: [], place: { cwd: root, home: undefined } };
  const places = [{ path: join(root, "hooks.yaml"), base: root }] as unknown as Parameters<
    typeof swappedByGit
  >[1]["places"];
  return swappedByGit(act, { places }, root) !== undefined;
}

test("what git keeps as it is can be put back without loss", () => {
  expect(swapped("git stash")).toBe(false);
  expect(swapped("git checkout -f")).toBe(false);
});

test("what was changed since would go", () => {
  writeFileSync(join(root, "hooks.yaml"), "guards: strict\n");
  expect(swapped("git stash")).toBe(true);
  expect(swapped("git reset --hard")).toBe(true);
});

test("no filter that the repository names is run to find that out", () => {
  const trap = join(root, "ran");
  git("config", "filter.trap.clean", `touch ${trap}; cat`);
  writeFileSync(join(root, ".gitattributes"), "* filter=trap\n");
  writeFileSync(join(root, "hooks.yaml"), "guards: strict\n");
  expect(swapped("git stash -u")).toBe(true);
  expect(swapped("git checkout .")).toBe(true);
  expect(existsSync(trap)).toBe(false);
});
