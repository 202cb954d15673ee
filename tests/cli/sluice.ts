import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type Ended, runCommand } from "../command-server/run-command.ts";

/** A folder of its own for one test, with a home and these files in it; gone afterwards. */
export function project(files: Readonly<Record<string, string>> = {}): Project {
  const home = mkdtempSync(join(tmpdir(), "sluice-cli-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
  const root = join(home, "project");
  mkdirSync(root);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const call =
    (env: Env) =>
    (...args: string[]) =>
      run(args, root, home, env);
  return { root, home, sluice: call({}), with: call };
}

/** The same, with everything in it approved by its user. */
export function trustedProject(files: Readonly<Record<string, string>>): Project {
  const made = project(files);
  const { code, err } = made.sluice("trust", "--yes");
  if (code !== 0) throw new Error(`sluice trust --yes ended with ${code}: ${err}`);
  return made;
}

export interface Project {
  readonly root: string;
  readonly home: string;
  sluice(...args: string[]): Ended;
  /** The command with more in its environment. */
  with(env: Env): (...args: string[]) => Ended;
}

type Env = Readonly<Record<string, string>>;

function run(args: readonly string[], cwd: string, home: string, more: Env): Ended {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  return runCommand(args, {
    cwd,
    env: {
      ...env,
      HOME: home,
      XDG_CONFIG_HOME: join(home, ".config"),
      XDG_STATE_HOME: join(home, ".state"),
      NO_COLOR: "",
      SLUICE_RESIDENT: "0",
      ...more,
    },
  });
}
