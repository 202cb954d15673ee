import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { daemonStatus, stopDaemon } from "../../src/server/clients/ask-daemon.ts";
import { BEST, type DaemonHome, daemonHome, shellCall } from "../daemon/daemon-home.ts";
import { HOOKS } from "../daemon/hooks.ts";
import { sluice } from "../daemon/posting.ts";

const SETTINGS = '{ "model": "opus" }\n';

function withSettings(tier?: typeof BEST): DaemonHome & { readonly settings: string } {
  const at = daemonHome(HOOKS, tier);
  const settings = join(at.home, ".claude/settings.json");
  mkdirSync(join(at.home, ".claude"));
  writeFileSync(settings, SETTINGS);
  chmodSync(settings, 0o644);
  onTestFinished(async () => {
    await stopDaemon(at.runtimeDir);
  });
  return { ...at, settings };
}

function clientsIn({ runtimeDir }: DaemonHome): string[] {
  return existsSync(runtimeDir.folder)
    ? readdirSync(runtimeDir.folder).filter((name) => name.startsWith("client-"))
    : [];
}

function findings(at: DaemonHome, subject: string): { state: string; what: string }[] {
  return doctor(at)(subject);
}

/** What doctor finds, by what it looks at. */
function doctor(at: DaemonHome): (subject: string) => { state: string; what: string }[] {
  const { examined } = JSON.parse(sluice(at, "doctor", "--json").out) as {
    examined: { subject: string; findings: { state: string; what: string }[] }[];
  };
  return (subject) => examined.find((one) => one.subject === subject)?.findings ?? [];
}

describe("a client", () => {
  it("that is gone is wrong, and nothing says that every hook is called", () => {
    const at = withSettings(BEST);
    sluice(at, "install", "claude-code", "--yes");
    for (const name of clientsIn(at)) rmSync(join(at.runtimeDir.folder, name));
    const found = doctor(at);
    expect(found("claude-code")).toContainEqual(
      expect.objectContaining({ state: "wrong", what: expect.stringContaining("which is not there") }),
    );
    expect(found("Agents together")).toEqual([]);
    expect(found("Daemon")).toMatchObject([{ state: "wrong" }]);
  });

  it("goes with the last agent that calls it, and doctor then says so", () => {
    const at = withSettings(BEST);
    sluice(at, "install", "claude-code", "codex", "--yes");
    sluice(at, "uninstall", "codex", "--yes");
    expect(clientsIn(at)).toHaveLength(1);
    expect(sluice(at, "uninstall", "claude-code", "--yes").out).toContain("The client is removed too");
    expect(clientsIn(at)).toEqual([]);
    expect(findings(at, "Daemon")).toMatchObject([{ state: "note", what: expect.stringContaining("no agent") }]);
  });

  it("stays while the settings of another project call it", () => {
    const at = withSettings(BEST);
    sluice(at, "install", "claude-code", "--yes");
    const [name = ""] = clientsIn(at);
    const elsewhere = join(at.home, "elsewhere");
    mkdirSync(join(elsewhere, ".git"), { recursive: true });
    sluice({ ...at, root: elsewhere }, "install", "codex", "--scope", "project", "--yes");
    const file = join(elsewhere, ".codex/hooks.json");
    writeFileSync(
      file,
      readFileSync(file, "utf8").replaceAll('"command": "', `$&${join(at.runtimeDir.folder, name)} `),
    );
    sluice(at, "uninstall", "claude-code", "--yes");
    expect(clientsIn(at)).toEqual([name]);
  });
});

describe("the daemon's folder", { timeout: 60_000 }, () => {
  it("that other users can write is the user's alone again after install, and after doctor's canary", () => {
    const at = withSettings(BEST);
    sluice(at, "install", "claude-code", "--yes");
    const { folder } = at.runtimeDir;
    writeFileSync(join(folder, "put-there"), "", { mode: 0o666 });
    chmodSync(folder, 0o777);
    const { err } = sluice(at, "install", "claude-code", "--yes");
    expect(err).toMatch(/install\/open-folder {2}\S+\s+Other users had rights/);
    expect([statSync(folder).mode & 0o777, existsSync(join(folder, "put-there"))]).toEqual([0o700, false]);
    expect(clientsIn(at)).toHaveLength(1);
    chmodSync(folder, 0o755);
    expect(findings(at, "Daemon")).toContainEqual(
      expect.objectContaining({ state: "note", what: expect.stringContaining("took them away") }),
    );
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it("is repaired by the next call of an agent, which then finds the daemon", async () => {
    const at = withSettings(BEST);
    await at.warm();
    chmodSync(at.runtimeDir.folder, 0o755);
    expect(at.call(JSON.stringify(shellCall(at.root, "ls"))).exitCode).toBe(0);
    expect(statSync(at.runtimeDir.folder).mode & 0o777).toBe(0o700);
    expect(await daemonStatus(at.runtimeDir)).toBeDefined();
  });

  it("that is not a folder of this user's is named, and install says that every call starts node", () => {
    const at = withSettings();
    const { folder } = at.runtimeDir;
    mkdirSync(dirname(folder), { recursive: true });
    writeFileSync(folder, "");
    const { code, err } = sluice(at, "install", "claude-code", "--yes");
    expect([code, readFileSync(at.settings, "utf8").includes("client-")]).toEqual([0, false]);
    expect(err).toContain(`every call of an agent starts node: ${folder} is not a folder.`);
    expect(findings(at, "Daemon")).toMatchObject([
      { state: "wrong", what: expect.stringContaining("is not a folder") },
    ]);
  });

  it("without a compiler, perl or package has no client, and install says so", () => {
    const at = withSettings();
    const bin = join(at.home, "bin");
    mkdirSync(bin);
    const { err } = sluice({ ...at, env: { ...at.env, PATH: bin } }, "install", "claude-code", "--yes");
    expect(err).toContain("neither a C compiler nor perl is in the path");
  });
});

describe("what is only shown", () => {
  it.each(["--dry-run", "--dry-run --yes", "--json", "--scope user"])("writes nothing at all: %s", (options) => {
    const words = options.split(" ");
    const at = withSettings();
    const before = everything(at.home);
    for (const http of [[], ["--http"]]) {
      const { out, err } = sluice(at, "install", "claude-code", ...http, ...words);
      expect(out).toMatch(/client-[0-9a-f]{8} \S+ \S+sluice\.cjs run claude-code/);
      expect(err).not.toContain("canary");
      if (!words.includes("--json")) expect(err).toMatch(/client-[0-9a-f]{8} is not there yet/);
    }
    expect(everything(at.home)).toEqual(before);
  });

  it("names the client that is written in the end, and says which port is none yet", () => {
    const at = withSettings();
    const named = /client-[0-9a-f]{8}/.exec(sluice(at, "install", "claude-code", "--dry-run").out)?.[0];
    expect(sluice(at, "install", "claude-code", "--http", "--dry-run").err).toContain("Port 0 means a port");
    sluice(at, "install", "claude-code", "--yes");
    expect(clientsIn(at)).toEqual([named]);
    expect(sluice(at, "install", "claude-code", "--dry-run")).toMatchObject({
      out: expect.stringContaining("Nothing to do"),
      err: "",
    });
  });

  function everything(folder: string): string[] {
    return readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  }
});

describe("settings that held a secret", () => {
  it.each([
    ["uninstall", ["uninstall", "claude-code", "--yes"]],
    ["going back to commands", ["install", "claude-code", "--yes"]],
  ])("have their rights again after %s", (_, words) => {
    const at = withSettings(BEST);
    const mode = () => statSync(at.settings).mode & 0o777;
    // Twice, as after a change of the version.
    for (const port of [1, 2]) {
      expect([port, sluice(at, "install", "claude-code", "--http", "--yes").code]).toEqual([port, 0]);
      expect(mode()).toBe(0o600);
      writeFileSync(at.settings, readFileSync(at.settings, "utf8").replaceAll("/PreToolUse", "/Other"));
    }
    sluice(at, "install", "claude-code", "--http", "--yes");
    expect(sluice(at, ...words).code).toBe(0);
    expect(mode()).toBe(0o644);
    sluice(at, "uninstall", "claude-code", "--yes");
    expect(mode()).toBe(0o644);
  });

  it("keep the rights that somebody gave them meanwhile", () => {
    const at = withSettings(BEST);
    sluice(at, "install", "claude-code", "--http", "--yes");
    chmodSync(at.settings, 0o400);
    sluice(at, "uninstall", "claude-code", "--yes");
    expect([statSync(at.settings).mode & 0o777, readFileSync(at.settings, "utf8")]).toEqual([0o400, SETTINGS]);
  });
});

it("ending the daemon warns of agents that post to it, and says how to start another", () => {
  const at = withSettings(BEST);
  sluice(at, "install", "claude-code", "--yes");
  expect(sluice(at, "serve", "--stop").err).toBe("");
  sluice(at, "install", "claude-code", "--http", "--yes");
  const { code, out, err } = sluice(at, "serve", "--stop");
  expect([code, out]).toEqual([0, "The daemon has stopped.\n"]);
  expect(err).toMatch(/their tools are blocked until one is[\s\S]*`sluice serve` starts one/);
  expect(sluice(at, "serve", "--status").out).toContain("their tools are blocked");
  expect(JSON.parse(sluice(at, "serve", "--stop", "--json").out)).toEqual({
    stopped: false,
    posted_to: expect.any(Number),
  });
});
