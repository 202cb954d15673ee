import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { daemonStatus } from "../../src/server/clients/ask-daemon.ts";
import { releaseStartLock, takeStartLock } from "../../src/server/start-lock.ts";
import { cases } from "../cases.ts";
import { fastCommand } from "../command-server/fast-command.ts";
import {
  BEST,
  COLD,
  callsOf,
  type DaemonHome,
  daemonHome,
  patientHome,
  sharedHome,
  shellCall,
  TIERS,
  withProgram,
} from "./daemon-home.ts";
import { ended } from "./ended.ts";
import { askOnce, fakeEngine } from "./fake-daemon.ts";
import { HOOKS } from "./hooks.ts";

/** How often the daemon is killed, and how many calls are under way each time. */
const KILLS = Number(process.env.RESIDENT_KILLS ?? cases(1, 20));
const UNDER_WAY = cases(3, 5);
/** How many call at once before there is a daemon. */
const CALLERS = Number(process.env.RESIDENT_CALLERS ?? cases(4, 16));
const ALLOW = "DONE 0 0 0\n";
/** What stands in the way of a call to a daemon, and how it comes there; the test puts it right again. */
const FAULTS: Readonly<Record<string, (at: DaemonHome, pid: number) => void>> = {
  "a daemon that was killed and left its socket": ({ runtimeDir }, pid) => {
    process.kill(pid, "SIGKILL");
    expect(existsSync(runtimeDir.socket)).toBe(true);
  },
  "no socket any more": ({ runtimeDir }) => renameSync(runtimeDir.socket, awayFrom(runtimeDir.socket)),
  "no token any more": ({ runtimeDir }) => rmSync(runtimeDir.token),
  "a token that others could read": ({ runtimeDir }) => chmodSync(runtimeDir.token, 0o644),
  "a token that cannot be read": ({ runtimeDir }) => chmodSync(runtimeDir.token, 0o000),
  "a token that is cut": ({ runtimeDir }) => writeFileSync(runtimeDir.token, "00"),
  "a folder that others can enter": ({ runtimeDir }) => chmodSync(runtimeDir.folder, 0o755),
  "a folder of somebody else": ({ runtimeDir }) => giveAway(runtimeDir.folder),
  "a daemon that hangs": (_, pid) => pause(pid),
};

/** A daemon that hung finds the request of a client that is gone, and root reads every file. */
const MAY_BE_ASKED = ["a daemon that hangs", ...(process.getuid?.() === 0 ? ["a token that cannot be read"] : [])];

/** What may answer in place of a daemon. */
const IN_ITS_PLACE: Readonly<Record<string, (at: DaemonHome) => Promise<void>>> = {
  "a stranger that allows everything without the secret": (at) =>
    fakeEngine(at, (socket) => socket.end(`SLUICE/3 ${"0".repeat(64)}\n${ALLOW}`)),
  "a stranger that sends our own secret back": (at) =>
    fakeEngine(at, (socket, heard) => socket.end(`${heard}${ALLOW}`)),
  "a stranger that allows at once": (at) => fakeEngine(at, (socket) => socket.end(ALLOW)),
  "a daemon of another version": (at) =>
    fakeEngine(at, (socket, _, secret) => socket.end(`SLUICE/1 ${secret}\n${ALLOW}`)),
  "a daemon that knows the secret and then says nothing": (at) =>
    fakeEngine(at, (socket, heard, secret) => {
      if (heard.length === 74) socket.write(`SLUICE/3 ${secret}\n`);
    }),
  "a daemon that dies when it has acknowledged": (at) =>
    fakeEngine(at, (socket, _, secret) => socket.write(`SLUICE/3 ${secret}\n`, () => socket.destroy())),
  "a daemon that asks whether it may decide, and dies": (at) =>
    fakeEngine(at, (socket, heard, secret) => {
      if (heard.length === 74) socket.write(`SLUICE/3 ${secret}\n`);
      else if (heard.endsWith("\xff\xff\xff\xff")) socket.destroy();
      else if (heard.includes("session_id")) askOnce(socket, "READY 9\n");
    }),
  "a daemon that dies in the middle of its answer": (at) =>
    fakeEngine(at, (socket, heard, secret) => {
      if (heard.length === 74) socket.write(`SLUICE/3 ${secret}\n`);
      else socket.end("DONE 0 100 0\n{}");
    }),
  "a daemon that answers nonsense": (at) =>
    fakeEngine(at, (socket, heard, secret) => {
      if (heard.length === 74) socket.write(`SLUICE/3 ${secret}\n`);
      else socket.end("DONE 0 0 0 0\n");
    }),
};

/** A small disk of our own where the system allows one; elsewhere a journal that cannot be written is as bad. */
const FULL_DISK =
  spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0
    ? {
        inside: ["unshare", "-rm"],
        make: "mount -t tmpfs -o size=4m tmpfs $0",
        fill: "dd if=/dev/zero of=$0/fill bs=4k 2> /dev/null",
        says: "disk is full",
      }
    : {
        inside: [],
        make: "true",
        fill: "rm -r $0/sluice/decisions; touch $0/sluice/decisions",
        says: "decisions",
      };

/** The ordinary run takes the best client; `RESIDENT_TIERS=all` takes every one. */
const TRIED = process.env.RESIDENT_TIERS === "all" ? TIERS : TIERS.slice(0, 1);

/** Stands for node where a client runs the command itself: the command is the same, but its modules are loaded already. */
const folder = mkdtempSync(join(tmpdir(), "cold-"));
const cold = join(folder, "cold");
const closeCommand = fastCommand(join(folder, "sluice"));
writeFileSync(cold, `#!/bin/sh\nshift\nexec ${join(folder, "sluice")} "$@"\n`, { mode: 0o755 });
afterAll(closeCommand);

describe.each(TRIED)("the %s client", (tier) => {
  /** Homes of tests that leave their daemon as they found it, that have none, and that wait for it with patience. */
  const [usual, empty, patient] = [sharedHome(tier, daemonHome), sharedHome(tier, daemonHome), sharedHome(tier)];

  it.each(Object.keys(FAULTS))("decides without the daemon, once: %s", async (name) => {
    const at = usual(HOOKS);
    const pid = await at.warm();
    const [before, putRight] = [await callsOf(at), putRightAgain(at, pid)];
    FAULTS[name]?.(at, pid);
    await expectColdOnce(at, name);
    putRight();
    const { calls = before } = (await daemonStatus(at.runtimeDir)) ?? {};
    if (!MAY_BE_ASKED.includes(name)) expect(calls, "the daemon was not asked").toBe(before);
  });

  it.each(Object.keys(IN_ITS_PLACE))("decides without the daemon, once: %s", async (name) => {
    const at = empty(HOOKS);
    await IN_ITS_PLACE[name]?.(at);
    await expectColdOnce(at, name);
  });

  it("starts a daemon with the first call, and a new one where the old one was killed", async () => {
    const at = withProgram(daemonHome(HOOKS, tier), cold);
    const call = () => ended(at, JSON.stringify(shellCall(at.root, "true")));
    // A call that meets a daemon at its very end is decided, and starts none; the next one does.
    const called = async () => {
      await call();
      return at.running(() => void call());
    };
    const pid = await called();
    process.kill(pid, "SIGKILL");
    expect(await called()).not.toBe(pid);
  });

  it("never starts one where the environment says so, nor with --cold", async () => {
    const at = withProgram(daemonHome(HOOKS, tier), cold);
    const payload = JSON.stringify(shellCall(at.root, "rmm x"));
    for (const how of [{ env: { SLUICE_RESIDENT: "0" } }, { args: ["claude-code", "--cold"] }])
      expect((await ended(at, payload, how)).stdout).toContain("no rmm here");
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(await daemonStatus(at.runtimeDir)).toBeUndefined();
    expect(existsSync(at.runtimeDir.lock)).toBe(false);
  });

  it("waits for a hook that takes longer than its patience with the daemon", async () => {
    const when = 'matcher: { events: [PreToolUse], command_patterns: ["ls*"] }';
    const slow = `hooks:\n  - ${when}\n    command: echo x >> counted; sleep 3; echo slow no; exit 1\n`;
    const at = patient(slow);
    await at.warm();
    expect(at.call(callOf(at, "ls")).stdout).toContain("slow no");
    expect(countIn(at)).toBe(1);
  });

  it("passes ten megabytes on, and the daemon is none the worse", async () => {
    const at = usual(HOOKS);
    const pid = await at.warm();
    const payload = callOf(at, "rmm x", { note: "x".repeat(10 * 1024 * 1024) });
    expect(at.call(payload).stdout).toContain("no rmm here");
    expect((await daemonStatus(at.runtimeDir))?.pid).toBe(pid);
  });

  it("answers an agent that leaves the pipe open, with the daemon and without", async () => {
    const at = usual(HOOKS);
    const pid = await at.warm();
    const payload = callOf(at, "rmm x");
    expect((await ended(at, payload, { leaveOpen: true })).stdout).toContain("no rmm here");
    putRightAgain(at, pid);
    pause(pid);
    expect((await ended(at, payload, { leaveOpen: true })).stdout).toContain("no rmm here");
  });

  it("feeds the command what it has read and what comes later, when the daemon dies in between", async () => {
    const at = empty(HOOKS);
    await fakeEngine(at, (socket, heard, secret) => {
      if (heard.length === 74) socket.write(`SLUICE/3 ${secret}\n`);
      else if (heard.includes("session_id")) socket.destroy();
    });
    holdStart(at);
    const payload = callOf(at, "rmm x");
    expect((await ended(withProgram(at, cold), payload, { pieces: 40 })).stdout).toContain("no rmm here");
  });

  it("believes a changed configuration from the next call on", async () => {
    const at = patient(HOOKS);
    await at.warm();
    const before = await callsOf(at);
    for (let turn = 100; turn < 108; turn++) {
      writeFileSync(configOf(at), HOOKS.replace("no rmm here", `no rmm ${turn}`));
      expect(at.call(callOf(at, "rmm x")).stdout).toContain(`no rmm ${turn}`);
    }
    expect((await callsOf(at)) - before).toBeGreaterThan(4);
  });

  it("decides a call by the configuration that it found, and the next one by what it has become", async () => {
    const slow = "hooks:\n  - event: tool:pre_execute\n    command: echo x >> counted; sleep 1; exit 0\n";
    const at = patient(slow);
    await at.warm();
    const under = ended(at, callOf(at, "rmm x"));
    await expect.poll(() => existsSync(join(at.root, "counted"))).toBe(true);
    writeFileSync(configOf(at), HOOKS);
    expect((await under).stdout).not.toContain("no rmm here");
    expect((await ended(at, callOf(at, "rmm x"))).stdout).toContain("no rmm here");
    expect(countIn(at)).toBe(1);
  });

  it("decides on a full disk, and says that the journal could not be written", () => {
    const at = patientHome(HOOKS, tier);
    const [state, call, note] = [at.env.XDG_STATE_HOME ?? "", at.words.join(" "), join(at.root, "decided")];
    // What is longer than a block of the disk finds no room in one that is not quite full.
    const payload = JSON.stringify(shellCall(at.root, `rmm ${"x".repeat(9000)}`));
    const steps = `
      mkdir -p $0.kept && cp -a $0/. $0.kept && ${FULL_DISK.make} && cp -a $0.kept/. $0 && chmod 700 $0
      call() { printf %s "$1" | ${call} run claude-code; }
      call "$2" > /dev/null; for turn in 1 2 3 4 5 6 7 8 9 10; do test -e "$1/socket" || sleep 0.3; done
      ${FULL_DISK.fill}
      call "$2"; ${COLD.join(" ")} serve --status --json > ${note}; kill "$(sed 's/.*"pid":\\([0-9]*\\).*/\\1/' ${note})"`;
    const [program = "", ...words] = [
      ...FULL_DISK.inside,
      "/bin/sh",
      "-c",
      steps,
      state,
      at.runtimeDir.folder,
      payload,
    ];
    const env = { ...at.env };
    const { stdout, stderr } = spawnSync(program, words, { cwd: at.root, env, encoding: "utf8", timeout: 50_000 });
    expect(stdout).toContain("no rmm here");
    expect(stderr).toContain(FULL_DISK.says);
    expect(JSON.parse(readFileSync(note, "utf8"))).toMatchObject({ running: true, calls: 1 });
  });

  it("a caller with another home has the hooks of that home", async () => {
    const at = usual(HOOKS);
    const other = daemonHome(HOOKS.replace("no rmm here", "other words"));
    await at.warm();
    expect(at.call(callOf(at, "rmm x"), ["claude-code"], other.env).stdout).toContain("other words");
  });

  it("shuts the gate with one sentence, when the package is gone", () => {
    const at = usual(HOOKS);
    const line = `${at.words[0]} ${process.execPath} /gone/sluice.cjs run claude-code || exit 2`;
    const { status, stderr } = spawnSync("/bin/sh", ["-c", line], {
      env: { ...at.env },
      input: "{}",
      encoding: "utf8",
    });
    expect([status, stderr.trim().split("\n")]).toEqual([
      2,
      [expect.stringMatching(/^Sluice is gone \(\/gone\/sluice\.cjs\).* Install its package again/)],
    ]);
  });

  it("shuts the gate and says why, when nothing can run", () => {
    const at = usual(HOOKS);
    const line = `${at.words[0]} /gone/node ${COLD[1]} run claude-code || exit 2`;
    const { status, stderr } = spawnSync("/bin/sh", ["-c", line], {
      env: { ...at.env },
      input: "{}",
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([2, expect.stringContaining("could not run /gone/node")]);
  });
});

it("of many callers at once one starts the daemon, and each is answered once", async () => {
  const at = daemonHome(HOOKS, BEST);
  const payload = JSON.stringify(shellCall(at.root, "echo COUNT; rmm x"));
  const all = await Promise.all(Array.from({ length: CALLERS }, () => ended(at, payload)));
  expect(all.filter(({ stdout }) => stdout.includes("no rmm here"))).toHaveLength(CALLERS);
  expect(countIn(at)).toBe(CALLERS);
  await expect.poll(async () => await daemonStatus(at.runtimeDir)).toBeDefined();
  // A second daemon has left by then, or will not.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  expect(enginesOf(at)).toHaveLength(1);
});

it("a daemon that is killed again and again loses no call and runs none twice", { timeout: 3_600_000 }, async () => {
  const at = daemonHome(HOOKS, BEST);
  for (let turn = 1; turn <= KILLS; turn++) {
    const pid = await at.warm();
    const calls = Array.from({ length: UNDER_WAY }, () =>
      ended(at, JSON.stringify(shellCall(at.root, "rmm x; echo COUNT"))),
    );
    setTimeout(() => process.kill(pid, "SIGKILL"), (turn % 25) * 2);
    for (const { stdout } of await Promise.all(calls)) expect(stdout).toContain("no rmm here");
    expect(countIn(at)).toBe(turn * UNDER_WAY);
  }
});

/** A call of a session of its own: a denial is remembered for its session. */
function callOf({ root }: DaemonHome, command: string, more: object = {}): string {
  return JSON.stringify({ ...shellCall(root, command, more), session_id: `session ${++sessions}` });
}

let sessions = 0;

/** The call is decided by the command, its hook runs once, and no other daemon is started. */
async function expectColdOnce(at: DaemonHome, name: string): Promise<void> {
  holdStart(at);
  // What is fake answers in this process, so the call may not stop it.
  const denied = await ended(withProgram(at, cold), callOf(at, "rmm x; echo COUNT"));
  expect(denied, name).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("no rmm here") });
  expect(countIn(at)).toBe(1);
}

/** Keeps calls from starting a daemon until the test ends. */
function holdStart({ runtimeDir }: DaemonHome): void {
  takeStartLock(runtimeDir);
  onTestFinished(() => releaseStartLock(runtimeDir));
}

/** When the test ends, or before, the daemon has its folder, socket and token again, and goes on where it was stopped. */
function putRightAgain({ runtimeDir: { folder, socket, token } }: DaemonHome, pid: number): () => void {
  const secret = readFileSync(token);
  const { uid, gid } = statSync(folder);
  const putRight = () => {
    chownSync(folder, uid, gid);
    chmodSync(folder, 0o700);
    rmSync(token, { force: true });
    writeFileSync(token, secret, { mode: 0o600 });
    if (existsSync(awayFrom(socket))) renameSync(awayFrom(socket), socket);
    resume(pid);
  };
  onTestFinished(putRight);
  return putRight;
}

function awayFrom(socket: string): string {
  return `${socket}.away`;
}

function configOf({ home }: DaemonHome): string {
  return join(home, ".config/sluice/hooks.yaml");
}

function countIn({ root }: DaemonHome): number {
  return readFileSync(join(root, "counted"), "utf8").length / "x\n".length;
}

function pause(pid: number): void {
  process.kill(pid, "SIGSTOP");
}

function resume(pid: number): void {
  try {
    process.kill(pid, "SIGCONT");
  } catch {
    // It was killed.
  }
}

function giveAway(folder: string): void {
  try {
    chownSync(folder, 12_345, 12_345);
  } catch {
    // Only root gives things away; for everybody else a folder that others may write to is as bad.
    chmodSync(folder, 0o777);
  }
}

function enginesOf({ home }: DaemonHome): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      const isEngine = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes("--launched");
      return isEngine && readFileSync(`/proc/${pid}/environ`, "utf8").includes(`HOME=${home}\0`);
    } catch {
      return false;
    }
  });
}
