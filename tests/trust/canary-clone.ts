import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { builtFile } from "../built-file.ts";

/** A cloned project for the built command: every program in it that must not start writes its name down. */
export interface CanaryClone {
  readonly folder: string;
  readonly root: string;
  readonly home: string;
  /** A command line that writes `tag` down, and then does `rest`. */
  canary(tag: string, rest?: string): string;
  write(file: string, content: string | object, mode?: number): string;
  git(...args: string[]): string;
  sluice(
    args: readonly string[],
    more?: { env?: Readonly<Record<string, string>>; input?: string; cwd?: string },
  ): Said;
  /** What was started since the last look. */
  started(): string[];
  end(): void;
}

/** Runs the command with these words in a folder and an environment. */
type RunSluice = (
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly input: string },
) => Said;

interface Said {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const COMMAND = builtFile("sluice.cjs");

export function canaryClone(run: RunSluice = started): CanaryClone {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-canary-")));
  const [root, home] = [join(folder, "project"), join(folder, "home")];
  for (const path of [root, home]) mkdirSync(path);
  const program = join(folder, "canary");
  const mark = join(folder, "started");
  writeFileSync(program, `#!/bin/sh\necho "$1" >> '${mark}'\n`);
  chmodSync(program, 0o755);
  const homes = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_STATE_HOME: join(home, ".state"),
    XDG_CACHE_HOME: join(home, ".cache"),
  };
  const surroundings = {
    PATH: process.env.PATH ?? "",
    LANG: "C.UTF-8",
    NO_COLOR: "1",
    SLUICE_RESIDENT: "0",
    // In a new home npm asks the registry whether there is a newer one.
    npm_config_update_notifier: "false",
    ...homes,
  };
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null", ...args], {
      cwd: root,
      env: { ...surroundings, GIT_CONFIG_NOSYSTEM: "1" },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  return {
    folder,
    root,
    home,
    canary: (tag, rest = "") => `${program} ${tag}${rest && `; ${rest}`}`,
    write: (file, content, mode = 0o644) => {
      const path = resolve(root, file);
      mkdirSync(dirname(path), { recursive: true });
      rmSync(path, { force: true });
      writeFileSync(path, typeof content === "string" ? content : `${JSON.stringify(content, null, 1)}\n`, { mode });
      return path;
    },
    git,
    sluice: (args, { env = {}, input = "", cwd = root } = {}) =>
      run(args, { cwd, env: { ...surroundings, ...env }, input }),
    started: () => {
      const names = existsSync(mark) ? readFileSync(mark, "utf8").split("\n").filter(Boolean) : [];
      rmSync(mark, { force: true });
      return [...new Set(names)];
    },
    end: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The built command in a process of its own. */
function started(...[args, options]: Parameters<RunSluice>): Said {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], {
    ...options,
    encoding: "utf8",
    timeout: 60_000,
  });
  return { code: status, out: stdout, err: stderr };
}
