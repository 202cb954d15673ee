import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { gitIndexAt } from "./git-index.ts";

let base: string;
let top: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "sluice-index-"));
  top = join(base, "project");
  mkdirSync(top);
  vi.stubEnv("HOME", base);
  vi.stubEnv("XDG_CONFIG_HOME", undefined);
  git("init", "-q");
  write("a.ts", "first\n");
  git("add", "-A");
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true, force: true });
});

function git(...args: string[]): void {
  execFileSync("git", args, { cwd: top, stdio: "ignore" });
}

/** Writes a file that seems to be old. */
function write(name: string, text: string): void {
  writeFileSync(join(top, name), text);
  utimesSync(join(top, name), 1_700_000_000, 1_700_000_000.5);
}

function isUnchanged(name: string): boolean | undefined {
  const path = join(top, name);
  return gitIndexAt(top)?.all().isUnchanged(path, lstatSync(path));
}

describe("a file is known to be unchanged without being read", () => {
  test("if its size, times and inode are those of the index", () => {
    expect(isUnchanged("a.ts")).toBe(true);
    expect(gitIndexAt(top)?.all().get(join(top, "a.ts"))).toMatch(/^[0-9a-f]{40}$/);
  });

  test("not after it was written again, in the same length and with its old time", async () => {
    await new Promise((done) => setTimeout(done, 30));
    write("a.ts", "other\n");
    expect(isUnchanged("a.ts")).toBe(false);
  });

  test("not if it was written at about the time of the index", () => {
    writeFileSync(join(top, "a.ts"), "young\n");
    git("add", "-A");
    const { mtime } = statSync(join(top, "a.ts"));
    utimesSync(join(top, ".git/index"), mtime, mtime);
    expect(isUnchanged("a.ts")).toBe(false);
  });

  test("not if it is not in the index", () => {
    write("b.ts", "new\n");
    expect(isUnchanged("b.ts")).toBe(false);
  });

  test.each([
    [".gitattributes in the work tree", () => writeFileSync(join(top, ".gitattributes"), "* text=auto\n")],
    ["attributes of the repository", () => writeFileSync(join(top, ".git/info/attributes"), "*.ts filter=x\n")],
    ["a setting of the repository", () => git("config", "core.autocrlf", "true")],
    ["a setting of the user", () => writeFileSync(join(base, ".gitconfig"), "[core]\n\tautocrlf = input\n")],
    ["a setting of the environment", () => vi.stubEnv("GIT_CONFIG_COUNT", "1")],
  ])("not if git may store it with other bytes: %s", (_, convert) => {
    convert();
    expect(isUnchanged("a.ts")).toBe(false);
  });
});
