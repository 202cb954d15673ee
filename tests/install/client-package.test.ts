import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { daemonStatus, stopDaemon } from "../../src/server/clients/ask-daemon.ts";
import { type RuntimeDir, runtimeDirOf } from "../../src/server/runtime-dir.ts";
import { type Ended, runCommand } from "../command-server/run-command.ts";
import { endDaemons, plain, removed, shellCall, TIERS } from "../daemon/daemon-home.ts";
import { HOOKS } from "../daemon/hooks.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const NAME = `sluice-client-${process.platform}-${process.arch}`;
const place = mkdtempSync(join(realpathSync(tmpdir()), "p-"));
const app = join(place, "app");
const sluice = join(app, "node_modules/sluice");
const packaged = join(app, "node_modules", NAME);
const client = join(packaged, "client");
/** What is used where no package is. */
const SCRIPT = TIERS.find((kind) => kind !== "native") ?? "perl";
const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };

// A package is made where something compiles.
if (TIERS.includes("native")) madePackages();
else
  it("where nothing compiles no package is made, and each is told why", () => {
    const words = [join(ROOT, "scripts/client-packages.mjs"), "--no-build", "--out", place];
    expect(execFileSync(process.execPath, words, { encoding: "utf8" })).toContain(
      `${process.platform}-${process.arch}: left out`,
    );
  });

function madePackages(): void {
  beforeAll(() => {
    const words = [join(ROOT, "scripts/client-packages.mjs"), "--release", "--no-build", "--out", place];
    execFileSync(process.execPath, words, { stdio: "ignore" });
    unpack(join(place, `sluice-${version}.tgz`), sluice);
    unpack(join(place, "clients", `${NAME}-${version}.tgz`), join(place, "unpacked"));
    cpSync(join(ROOT, "dist/compiled"), join(place, "cache/sluice/compiled"), { recursive: true });
    // A path with a script's program and nothing that compiles.
    mkdirSync(join(place, "bin"));
    const program = execFileSync("/bin/sh", ["-c", `command -v ${SCRIPT}`], { encoding: "utf8" }).trim();
    symlinkSync(program, join(place, "bin", SCRIPT));
  });
  afterAll(() => removed(place));
  beforeEach(() => {
    rmSync(packaged, { recursive: true, force: true });
    cpSync(join(place, "unpacked"), packaged, { recursive: true });
  });

  describe("the client of a package of this version", () => {
    it("is taken where nothing compiles, answers as the cold command does, and doctor says where it came from and which package it passes over", async () => {
      const at = person();
      expect(at.sluice("install", "claude-code", "--dry-run").err).not.toContain("passed over");
      const { code, err } = at.sluice("install", "claude-code", "--yes");
      expect([code, err]).toEqual([0, expect.not.stringContaining("passed over")]);
      const [own = ""] = at.clients();
      expect(readFileSync(own).equals(readFileSync(client))).toBe(true);
      expect(statSync(own).mode & 0o777).toBe(0o700);
      expect(readFileSync(join(at.home, ".claude/settings.json"), "utf8")).toContain(own);
      at.call([own, ...at.words], "true");
      for (let turn = 0; turn < 200 && (await daemonStatus(at.runtimeDir)) === undefined; turn++)
        await new Promise((end) => setTimeout(end, 50));
      for (const command of ["rmm x", "make all", "wget x", "ls"]) {
        const warm = at.call([own, ...at.words], command);
        expect(plain(warm, at)).toEqual(plain(at.cold(command), at));
      }
      expect((await daemonStatus(at.runtimeDir))?.calls).toBeGreaterThanOrEqual(4);
      expect(at.findings()[0]).toMatchObject({
        state: "fine",
        what: `agents ask through the native client, taken from ${NAME} ${version}`,
      });
      expect(at.sluice("install", "claude-code", "--yes").out).toContain("Nothing to do");
      // The package that comes next is passed over, and doctor says so.
      edit(join(packaged, "package.json"), `"${version}"`, '"0.0.9"');
      const what = expect.stringContaining(`its version is 0.0.9, and Sluice's is ${version}`);
      expect(at.findings()).toContainEqual(expect.objectContaining({ state: "note", what, fix: expect.any(String) }));
    });

    it("replaces one that is older than the package, which doctor tells", () => {
      const at = person();
      at.sluice("install", "claude-code", "--yes");
      appendFileSync(client, "newer");
      const told = at.findings().find(({ what }) => what.includes("another client"));
      // A daemon that the canary has started may have taken the newer one already.
      if (!at.clients().some((path) => readFileSync(path).equals(readFileSync(client))))
        expect(told).toEqual({
          state: "note",
          what: `${NAME} ${version} has another client than agents ask through.`,
          fix: "`sluice install` takes that one.",
        });
      at.sluice("install", "claude-code", "--yes");
      expect(at.clients().map((path) => readFileSync(path).equals(readFileSync(client)))).toEqual([true]);
      expect(at.findings().filter(({ what }) => what.includes("another client"))).toEqual([]);
    });

    it("is made anew when a crash has left it empty", () => {
      const at = person();
      at.sluice("install", "claude-code", "--yes");
      for (const path of at.clients()) truncateSync(path);
      expect(at.findings()).toMatchObject([{ state: "wrong" }]);
      at.sluice("install", "claude-code", "--yes");
      expect(at.clients().map((path) => readFileSync(path).equals(readFileSync(client)))).toEqual([true]);
    });
  });

  describe("a package is passed over, with the reason and what is used instead,", () => {
    it.each<[string, () => void, string]>([
      [
        "when its version is another",
        () => edit(join(packaged, "package.json"), `"${version}"`, '"0.0.9"'),
        `its version is 0.0.9, and Sluice's is ${version}`,
      ],
      [
        "when it cannot be read",
        () => writeFileSync(join(packaged, "package.json"), "{"),
        "its package.json cannot be read",
      ],
      ["when its client is for another processor", otherProcessor, "its client is not a program for"],
      ["when its client is broken", () => truncateSync(client, 4096), "its client cannot be started here"],
      ["when its client is missing", () => rmSync(client), "its client cannot be read"],
      ["when its client may not be executed", () => chmodSync(client, 0o644), "may not be executed"],
      [
        "when its client speaks another protocol",
        () => edit(client, /SLUICE\/\d /, "SLUICE/9 "),
        "its client cannot talk to the daemon of this version",
      ],
    ])("%s", (_, spoil, why) => {
      spoil();
      const at = person();
      const { code, err } = at.sluice("install", "claude-code", "--yes");
      const said = err.replaceAll(/\s+/g, " ");
      expect(code).toBe(0);
      expect(said).toContain(`install/client-passed-over ${packaged} The package ${NAME} is passed over: `);
      expect(said).toContain(why);
      expect(said).toContain(`Instead, agents ask through the ${SCRIPT} client.`);
      expect(at.clients().map((path) => readFileSync(path, "latin1").slice(0, 2))).toEqual(["#!"]);
    });

    it("and what nothing here can replace leaves every call to node", () => {
      chmodSync(client, 0o644);
      const at = person({ PATH: join(place, "nowhere") });
      expect(at.sluice("install", "claude-code", "--yes").err).toContain("Instead, every call starts node.");
      expect(at.clients()).toEqual([]);
    });
  });

  it("a package in a project counts for nothing where Sluice itself lies elsewhere", () => {
    const elsewhere = join(app, "tools/sluice");
    cpSync(sluice, elsewhere, { recursive: true });
    const at = person({ NODE_PATH: join(app, "node_modules") }, elsewhere);
    const { code, err } = at.sluice("install", "claude-code", "--yes");
    expect([code, err]).toEqual([0, expect.not.stringContaining(NAME)]);
    expect(at.findings()[0]).toMatchObject({ what: `agents ask through the ${SCRIPT} client` });
  });

  it("only the tarball of a release names the packages", () => {
    const released = JSON.parse(readFileSync(join(sluice, "package.json"), "utf8"));
    expect(released.optionalDependencies[NAME]).toBe(version);
    for (const file of ["package.json", "package-lock.json"])
      expect(readFileSync(join(ROOT, file), "utf8")).not.toContain("sluice-client");
  });
}

/** Somebody with hooks and an agent, who works beside the modules. */
function person(more: Readonly<Record<string, string>> = {}, installed = sluice) {
  const home = mkdtempSync(join(place, "h-"));
  for (const folder of [".claude", ".config/sluice"]) mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, ".claude/settings.json"), "{}\n");
  writeFileSync(join(home, ".config/sluice/hooks.yaml"), HOOKS);
  const env = {
    PATH: join(place, "bin"),
    HOME: home,
    TMPDIR: tmpdir(),
    XDG_STATE_HOME: join(home, ".s"),
    // What V8 has compiled for the build serves all homes.
    XDG_CACHE_HOME: join(place, "cache"),
    ...more,
  };
  const words = [process.execPath, join(installed, "dist/sluice.cjs")] as const;
  const runtimeDir: RuntimeDir = runtimeDirOf(words, { env });
  onTestFinished(async () => {
    await stopDaemon(runtimeDir);
    endDaemons(home);
  });
  const run = ([program = "", ...args]: readonly string[], input = "") => {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: app, env, input, encoding: "utf8" });
    return { exitCode: status, stdout, stderr };
  };
  // What is about modules of node is a matter of its process.
  const isOwnProcess = more.NODE_PATH !== undefined;
  const command = (...args: string[]): Ended => {
    if (!isOwnProcess) return runCommand(args, { cwd: app, env, launcher: words[1] });
    const { exitCode: code, stdout: out, stderr: err } = run([...words, ...args]);
    return { code, out, err };
  };
  return {
    home,
    words,
    runtimeDir,
    sluice: command,
    call: (called: readonly string[], command: string) =>
      run([...called, "run", "claude-code"], JSON.stringify(shellCall(app, command))),
    cold: (command: string) => {
      const input = JSON.stringify(shellCall(app, command));
      const { code, out, err } = runCommand(["run", "claude-code", "--cold"], {
        cwd: app,
        env,
        input,
        launcher: words[1],
      });
      return { exitCode: code, stdout: out, stderr: err };
    },
    clients: () =>
      readdirSync(runtimeDir.folder)
        .filter((name) => name.startsWith("client-"))
        .map((name) => join(runtimeDir.folder, name)),
    findings: () => {
      const { examined } = JSON.parse(command("doctor", "--json").out) as {
        examined: { subject: string; findings: { state: string; what: string; fix?: string }[] }[];
      };
      return examined.find(({ subject }) => subject === "Daemon")?.findings ?? [];
    },
  };
}

function unpack(tarball: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", folder, "--strip-components=1"]);
}

function edit(path: string, from: string | RegExp, to: string): void {
  const text = readFileSync(path, "latin1");
  expect(text).toMatch(from);
  writeFileSync(path, text.replace(from, to), "latin1");
}

/** The header says for whom a program is: here for a processor that is none of ours. */
function otherProcessor(): void {
  const bytes = readFileSync(client);
  bytes.writeUInt16LE(process.arch === "arm64" ? 62 : 183, process.platform === "darwin" ? 4 : 18);
  writeFileSync(client, bytes);
}
