import { mkdirSync, mkdtempSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A home with an agent's folder, an empty project and an environment that knows nothing else. */
export function freshHome(prefix) {
  const home = mkdtempSync(join(realpathSync(tmpdir()), prefix));
  const root = join(home, "project");
  const { PATH, LANG } = process.env;
  const config = join(home, ".config");
  mkdirSync(join(root, ".git"), { recursive: true });
  mkdirSync(join(config, "sluice"), { recursive: true });
  mkdirSync(join(home, ".claude"));
  const env = { PATH, LANG, HOME: home, XDG_CONFIG_HOME: config, XDG_STATE_HOME: join(home, ".state"), NO_COLOR: "1" };
  return { home, root, env };
}

/** What Claude Code sends before it runs a command, for the call with this number. */
export function bashCall(cwd, at, command) {
  return JSON.stringify({
    hook_event_name: "PreToolUse",
    session_id: `s${at}`,
    tool_use_id: `t${at}`,
    cwd,
    tool_name: "Bash",
    tool_input: { command },
  });
}

/** The line that `sluice install` wrote into the agent's settings for the moment before a tool runs. */
export function installedLine(home) {
  const { hooks } = JSON.parse(readFileSync(join(home, ".claude/settings.json"), "utf8"));
  return hooks.PreToolUse[0].hooks[0].command;
}
