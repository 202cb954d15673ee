import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Project, project } from "../cli/sluice.ts";
import { runCommand } from "../command-server/run-command.ts";
import type { Ended } from "./agents/agent.ts";

/** A project, and a user with these hooks. */
export function userWith(hooks: string, files: Readonly<Record<string, string>> = {}): Project {
  const at = project(files);
  mkdirSync(join(at.home, ".config/sluice"), { recursive: true });
  writeFileSync(join(at.home, ".config/sluice/hooks.yaml"), hooks);
  return at;
}

/** Calls `sluice run` as an agent does. */
export function called(at: Project, words: readonly string[], input: string | Buffer, env: object = {}): Ended {
  const { code, out, err } = runCommand(["run", ...words], { cwd: at.root, env: environment(at, env), input });
  return { stdout: out, stderr: err, exitCode: code ?? -1 };
}

/** The environment of that user. */
export function environment({ home }: Project, more: object = {}): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _, SLUICE_DEPTH: __, ...env } = process.env;
  const places = { XDG_CONFIG_HOME: join(home, ".config"), XDG_STATE_HOME: join(home, ".state") };
  return { ...env, HOME: home, ...places, NO_COLOR: "1", SLUICE_RESIDENT: "0", ...more };
}

/** Everything that was written down about calls. */
export function journalOf({ home }: Project): string {
  const folder = join(home, ".state/sluice/decisions");
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");
}
