import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { stopDaemon } from "../../src/server/clients/ask-daemon.ts";
import { BEST, type DaemonHome, daemonHome, shellCall } from "../daemon/daemon-home.ts";
import { HOOKS } from "../daemon/hooks.ts";
import { sluice } from "../daemon/posting.ts";

const OLD = readFileSync(resolve(import.meta.dirname, "old-client.bash"), "utf8");
const BASH = spawnSync("/bin/sh", ["-c", "command -v bash"], { encoding: "utf8" }).stdout.trim();

/** A user whose settings start the bash client that an older version has made. */
function oldInstallation(): DaemonHome & { readonly client: string; readonly settings: string } {
  const at = daemonHome(HOOKS, BEST);
  onTestFinished(async () => {
    await stopDaemon(at.runtimeDir);
  });
  const settings = join(at.home, ".claude/settings.json");
  mkdirSync(join(at.home, ".claude"));
  writeFileSync(settings, "{}\n");
  sluice(at, "install", "claude-code", "--yes");
  const client = join(at.runtimeDir.folder, "client-0123abcd");
  writeFileSync(client, `#!${BASH} -p\n${OLD}`, { mode: 0o700 });
  const [best = ""] = at.words;
  writeFileSync(settings, readFileSync(settings, "utf8").replaceAll(basename(best), basename(client)));
  return { ...at, client, settings };
}

/** Calls as the settings say, through a shell. */
function called({ root, env, settings }: ReturnType<typeof oldInstallation>, command: string) {
  const { hooks } = JSON.parse(readFileSync(settings, "utf8"));
  const line: string = hooks.PreToolUse[0].hooks[0].command;
  const input = JSON.stringify(shellCall(root, command));
  return spawnSync("/bin/sh", ["-c", line], { cwd: root, env, input, encoding: "utf8" });
}

it.skipIf(BASH === "" || BEST === undefined)("a bash client of an older version decides cold", async () => {
  const at = oldInstallation();
  writeFileSync(join(at.runtimeDir.folder, "port"), "9\n", { mode: 0o600 });
  expect(called(at, "sudo ls").stdout).toContain('"deny"');
  await at.warm();
  // The daemon takes away the number of a port that nothing listens on.
  expect(existsSync(join(at.runtimeDir.folder, "port"))).toBe(false);
  expect(called(at, "sudo ls").stdout).toContain('"deny"');
  expect(called(at, "ls")).toMatchObject({ status: 0, stdout: "" });
});

it.skipIf(BASH === "" || BEST === undefined)("doctor names it, and install replaces it", () => {
  const at = oldInstallation();
  expect(sluice(at, "doctor").out).toContain("the bash client of an older version");
  const { code, err } = sluice(at, "install", "claude-code", "--yes");
  expect(code).toBe(0);
  expect(err).toContain("The bash client of an older version is replaced: agents ask through the");
  expect(readFileSync(at.settings, "utf8")).not.toContain(basename(at.client));
  expect(sluice(at, "doctor").out).not.toContain("older version");
  expect(sluice(at, "install", "claude-code", "--yes").err).not.toContain("older version");
  sluice(at, "uninstall", "claude-code", "--yes");
  expect(existsSync(at.client)).toBe(false);
});
