import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { builtFile } from "../built-file.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const DIST = dirname(builtFile("sluice.cjs"));

/** What a process is started with. */
export interface Given {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** The built command without compiled code, as npm installs it, and a user with the standard guards. */
export interface Installed {
  readonly folder: string;
  readonly launcher: string;
  readonly home: string;
  /** The folder of the user's compiled code. */
  readonly compiled: string;
  run(words: readonly string[], given?: Given): SpawnSyncReturns<string>;
  /** A shell command as an agent reports it, decided in a process of its own: `deny`, `ask`, or nothing. */
  call(command: string, given?: Given): string | undefined;
}

/** Installs the build of this checkout into a folder of the given name. */
export function installed(name?: string): Installed {
  return installedAs(name, (dist) =>
    cpSync(DIST, dist, { recursive: true, filter: (path) => !path.endsWith("/compiled") }),
  );
}

/**
 * The same launcher with a small bundle for calls, which denies everything but `ls`: for what depends on how a bundle is
 * started and kept compiled, and not on what is in it.
 */
export function installedSmall(): Installed {
  return installedAs(undefined, (dist) => {
    mkdirSync(dist, { recursive: true });
    copyFileSync(join(DIST, "sluice.cjs"), join(dist, "sluice.cjs"));
    writeFileSync(join(dist, "call.cjs"), SMALL_BUNDLE);
    for (const name of readdirSync(DIST))
      if (!["sluice.cjs", "call.cjs", "compiled"].includes(name)) symlinkSync(join(DIST, name), join(dist, name));
  });
}

function installedAs(name = "node_modules/sluice", fill: (dist: string) => void): Installed {
  const base = mkdtempSync(join(realpathSync(tmpdir()), "sluice-installed-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true, maxRetries: 9, retryDelay: 200 }));
  const folder = join(base, name);
  const home = join(base, "home");
  mkdirSync(join(home, ".config/sluice"), { recursive: true });
  writeFileSync(join(home, ".config/sluice/hooks.yaml"), "guards: standard\n");
  mkdirSync(folder, { recursive: true });
  fill(join(folder, "dist"));
  cpSync(join(ROOT, "package.json"), join(folder, "package.json"));
  const launcher = join(folder, "dist/sluice.cjs");
  const run = (words: readonly string[], { flags = [], env = {}, input = "" }: Given = {}) =>
    spawnSync(process.execPath, [...flags, launcher, ...words], {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, SLUICE_RESIDENT: "0", ...env },
      input,
      encoding: "utf8",
    });
  return {
    folder,
    launcher,
    home,
    compiled: join(home, ".cache/sluice/compiled"),
    run,
    call: (command, given) => {
      const input = JSON.stringify({
        session_id: "s",
        cwd: home,
        hook_event_name: "PreToolUse",
        tool_name: "Bash",
        tool_input: { command },
      });
      const { status, stdout, stderr } = run(["run", "claude-code"], { ...given, input });
      if (status !== 0) throw new Error(`the call ended with ${status}: ${stderr}`);
      return stdout === "" ? undefined : JSON.parse(stdout).hookSpecificOutput.permissionDecision;
    },
  };
}

const SMALL_BUNDLE = `(function (exports, require) {
  const answer = (command) =>
    command.startsWith("ls ") ? "" : JSON.stringify({ hookSpecificOutput: { permissionDecision: "deny" } });
  const start = (answered) => {
    const { readFileSync, writeSync } = require("node:fs");
    writeSync(1, answer(JSON.parse(readFileSync(0, "utf8")).tool_input.command));
    answered(0);
  };
  const warmUp = async () => answer("ls -la") + answer("rm -r .");
  exports.parts = { call: async () => ({ start, warmUp }) };
})`;
