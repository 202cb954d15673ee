import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { unexplainedChanges } from "../../src/trace/change/audit.ts";

test("asking git which files changed runs nothing that the repository configures", () => {
  const root = mkdtempSync(join(tmpdir(), "sluice-git-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: root });
  const canary = join(root, "..", `${root.split("/").at(-1)}.ran`);
  git("init", "-q");
  writeFileSync(join(root, "a.txt"), "one\n");
  git("add", "-A");
  git("commit", "-qm", "first");
  const program = join(root, ".git", "evil.sh");
  writeFileSync(program, `#!/bin/sh\ntouch '${canary}'\ncat\n`);
  chmodSync(program, 0o755);
  writeFileSync(join(root, ".gitattributes"), "* filter=evil diff=evil\n");
  mkdirSync(join(root, ".git/hooks"), { recursive: true });
  for (const name of ["post-index-change", "fsmonitor-watchman"])
    writeFileSync(join(root, ".git/hooks", name), `#!/bin/sh\ntouch '${canary}'\n`, { mode: 0o755 });
  for (const [key, value] of [
    ["filter.evil.clean", program],
    ["filter.evil.required", "true"],
    ["core.fsmonitor", program],
    ["core.hooksPath", join(root, ".git/hooks")],
    ["diff.external", program],
    ["diff.evil.textconv", program],
    ["core.pager", program],
  ] as const)
    execFileSync("git", ["config", key, value], { cwd: root });
  writeFileSync(join(root, "a.txt"), "two\n");
  writeFileSync(join(root, "new.txt"), "new\n");
  const { files, by } = unexplainedChanges({ root, env: { XDG_STATE_HOME: join(root, ".git/state") } });
  expect(by).toBe("git");
  expect(files.map(({ path }) => path).sort()).toEqual([".gitattributes", "a.txt", "new.txt"]);
  expect(existsSync(canary)).toBe(false);
});
