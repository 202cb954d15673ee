import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { library } from "../built.mjs";

/** Sluice with one of its presets: what `guardHooks` decides about a call, without a look at the disk. */
export async function sluice(preset) {
  const { HookEvent, HookExecutor, HookRegistry, guardHooks } = await library();
  const registry = new HookRegistry();
  registry.loadHooks(guardHooks(preset));
  const executor = new HookExecutor({ registry });
  return {
    label: `Sluice, ${preset}`,
    async judge({ tool, args }, cwd) {
      const { action, results } = await executor.decide(HookEvent.toolPreExecute(tool, args, { cwd }));
      const by = results.filter((result) => result.action === action).map(({ hook }) => hook.name);
      return { isStopped: action === "deny" || action === "ask", why: action === "continue" ? "" : `${action} ${by}` };
    },
  };
}

/**
 * The same question to another guard, which reads shell lines only. It refuses everything in a folder that is not there, so it gets an empty
 * repository, whose place replaces that of the home in the lines.
 */
export async function safetyNet(listHome) {
  const { checkCommand } = await import("cc-safety-net/api");
  const home = mkdtempSync(join(tmpdir(), "guards-home-"));
  const project = join(home, "project");
  mkdirSync(project);
  execFileSync("git", ["init", "-q", project]);
  const ownHome = process.env.HOME;
  return {
    label: "cc-safety-net",
    judge({ command }) {
      if (command === undefined) return undefined;
      process.env.HOME = home;
      const { kind, ruleId = "" } = checkCommand({ command: command.replaceAll(listHome, home), cwd: project });
      process.env.HOME = ownHome;
      return { isStopped: kind === "deny", why: kind === "deny" ? `deny ${ruleId}` : "" };
    },
    end: () => rmSync(home, { recursive: true }),
  };
}
