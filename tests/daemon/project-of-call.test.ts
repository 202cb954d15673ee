import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { stopDaemon } from "../../src/server/clients/ask-daemon.ts";
import { cold } from "./both-ways.ts";
import { BEST, type DaemonHome, daemonHome, shellCall } from "./daemon-home.ts";
import { ended } from "./ended.ts";
import { posted, sluice } from "./posting.ts";

/** Rules that say whose they are about the call `deploy`. */
const rules = (whose: string) =>
  `hooks:\n  - name: own\n    event: tool:pre_execute\n    rules: call runs "deploy" -> deny("${whose}")\n`;

/** A folder of the home, with hooks of its own, or as a repository without any. */
function folder(at: DaemonHome, name: string, mark: "hooks" | ".git" | "nothing"): string {
  const path = join(at.home, name);
  mkdirSync(join(path, mark === "hooks" ? ".sluice" : mark === ".git" ? ".git" : "."), { recursive: true });
  if (mark === "hooks") writeFileSync(join(path, ".sluice/hooks.yaml"), rules(`rules of ${name}`));
  return path;
}

it("a call belongs to the project of its own folder, whichever folder Sluice was started in, by every way in", async () => {
  const at = daemonHome("guards: off\n", BEST);
  mkdirSync(join(at.root, ".sluice"));
  writeFileSync(join(at.root, ".sluice/hooks.yaml"), rules("rules of the first project"));
  expect(sluice(at, "install", "claude-code", "--http", "--yes")).toMatchObject({ code: 0 });
  onTestFinished(async () => {
    await stopDaemon(at.runtimeDir);
  });
  const asked = async (cwd: string, { env = {}, isPosted = true } = {}) => {
    const payload = { ...shellCall(cwd, "deploy"), session_id: cwd };
    const alone = await cold(at, JSON.stringify(payload), env);
    const together = await ended(at, JSON.stringify(payload), { env });
    expect(together.stdout.replace(WHY, "")).toBe(alone.stdout.replace(WHY, ""));
    const answer = isPosted ? await posted(at, "PreToolUse", payload) : undefined;
    if (answer !== undefined)
      expect("body" in answer && answer.body.replace(WHY, "")).toBe(alone.stdout.replace(WHY, ""));
    return alone.stdout;
  };
  expect(await asked(at.root)).toContain("rules of the first project");
  expect(await asked(folder(at, "second", "hooks"))).toContain("rules of second");
  expect(await asked(folder(at, "repository", ".git"))).not.toContain("deny");
  // A command that has gone to a folder of no project has not left its project's rules behind. A post has no other folder.
  expect(await asked(folder(at, "plain", "nothing"), { isPosted: false })).toContain("rules of the first project");
  // What the agent itself says it works on counts before the folder that a command has gone to.
  const stated = { env: { CLAUDE_PROJECT_DIR: at.root }, isPosted: false };
  expect(await asked(folder(at, "second", "hooks"), stated)).toContain("rules of the first project");
});

const WHY = /\(why: sluice why \w+\)/;
