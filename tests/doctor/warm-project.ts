import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ADAPTERS } from "../../src/adapters/index.ts";
import type { Project } from "../cli/sluice.ts";
import { runCommand } from "../command-server/run-command.ts";
import { BEST, daemonHome, sharedHome } from "../daemon/daemon-home.ts";
import { sluice } from "../daemon/posting.ts";

/**
 * Makes projects of one home where no agent has Sluice yet, one at a time. The tests of a file share the daemon that answers
 * their canaries.
 */
export function warmProjects(): (files?: Readonly<Record<string, string>>) => Promise<Project> {
  const shared = sharedHome(BEST, daemonHome);
  return async (files = {}) => {
    const at = shared("guards: standard\n");
    await at.warm();
    for (const folder of [at.home, join(at.home, ".config")])
      for (const name of readdirSync(folder))
        if (!LASTING.includes(name)) rmSync(join(folder, name), { recursive: true });
    rmSync(join(at.home, ".s/sluice/installed"), { recursive: true, force: true });
    const root = mkdtempSync(join(at.home, "project-"));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    const call =
      (env: Readonly<Record<string, string>>) =>
      (...args: string[]) =>
        sluice({ ...at, root, env: { ...at.env, NO_COLOR: "", ...env } }, ...args);
    return { root, home: at.home, sluice: call({}), with: call };
  };
}

/** One shell call of an agent, as its wire has it, through the command that its settings start. */
export function called({ home, root }: Project, id: string, state = ".s"): void {
  const payload = ADAPTERS.find((adapter) => adapter.id === id)?.canary?.payload("ls", root);
  const env = { HOME: home, XDG_STATE_HOME: join(home, state), XDG_CONFIG_HOME: join(home, ".config") };
  const { code, err } = runCommand(["run", id, "--cold"], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    input: JSON.stringify(payload),
  });
  if (code !== 0) throw new Error(`a call of ${id} ended with ${code}: ${err}`);
}

/** What the daemon needs, and its client. */
const LASTING = [".config", "sluice", ".s", "bin"];
