import { expect, it, onTestFinished } from "vitest";
import { processesOf } from "../../scripts/soak-watch.mjs";
import { type DaemonOptions, startDaemon } from "../../src/server/daemon.ts";
import { whyNoRuntimeDir } from "../../src/server/runtime-dir.ts";
import { type DaemonHome, daemonHome, patientHome, TIERS, throughAllClients } from "./daemon-home.ts";
import { ended } from "./ended.ts";
import { askOnce, fakeEngine } from "./fake-daemon.ts";
import { expectOnce, journalNames, NOTED, namedCall, notedNames, saidAbout } from "./once.ts";
import { type Passing, type Relayed, relay } from "./relay.ts";

/** Longer than any client waits for a sign of the daemon. */
const STOPPED_MS = 2100;

interface AgentHookEvent {
  /** What the session is called; a hook hears those with an h. */
  readonly id: string;
  readonly when: Passing;
  /** It passes first, and what comes of it is under way. */
  readonly isUnderWay?: true;
  /** For a client it is as in another row; what the daemon makes of it is tried with one client. */
  readonly isSameForClient?: true;
}

/** When a daemon and its workers stop; each row has a daemon of its own. */
const DAEMON_STOPS: readonly (readonly AgentHookEvent[])[] = [
  [
    { id: "r1", when: "greeting" },
    { id: "r2", when: "request" },
    { id: "r3", when: "request", isUnderWay: true },
  ],
  [
    { id: "r4", when: "go on" },
    { id: "r5", when: "go on", isUnderWay: true },
    { id: "h1", when: "request", isSameForClient: true },
  ],
  [
    { id: "q1", when: "request", isSameForClient: true },
    { id: "q2", when: "request", isUnderWay: true, isSameForClient: true },
    { id: "q3", when: "answer" },
  ],
  [
    { id: "h2", when: "request", isUnderWay: true, isSameForClient: true },
    { id: "h3", when: "hooks may begin" },
    { id: "h4", when: "hooks may begin", isUnderWay: true },
  ],
];

/** When a client stops. */
const CLIENT_STOPS: readonly AgentHookEvent[] = [
  { id: "r1", when: "acknowledgement" },
  { id: "r2", when: "READY" },
  { id: "r3", when: "answer" },
  { id: "h1", when: "acknowledgement", isSameForClient: true },
  { id: "q1", when: "acknowledgement", isSameForClient: true },
  { id: "q2", when: "answer" },
  { id: "h2", when: "HOOKS" },
  { id: "h3", when: "answer" },
];

/** When a daemon is killed; its workers live on. */
const ENGINE_DEATHS: readonly AgentHookEvent[] = [
  { id: "h1", when: "request" },
  { id: "r1", when: "go on" },
  { id: "h2", when: "hooks may begin" },
];

it("a decision that takes longer than a client waits for a sign is waited for, and made once", async () => {
  const homes = TIERS.map((tier) => patientHome(NOTED, tier));
  const decided: string[] = [];
  for (const at of homes)
    await daemonThat(at, async (_, consent) => {
      expect(await consent?.ask()).toBe(true);
      decided.push(at.home);
      await pause(STOPPED_MS);
      return { kind: "done", stdout: "slow words\n", stderr: "", exitCode: 0 };
    });
  const said = await Promise.all(homes.map((at) => ended(at, namedCall(at, "r1"))));
  expect(said.map(({ stdout }) => stdout)).toEqual(homes.map(() => "slow words\n"));
  expect(decided.toSorted()).toEqual(homes.map(({ home }) => home).toSorted());
  expect(homes.flatMap(journalNames)).toEqual([]);
});

it("an answer that is whole is not waited for any longer, whatever the daemon does with the connection", () =>
  forEachClient(async (at) => {
    expect(whyNoRuntimeDir(at.runtimeDir)).toBeUndefined();
    let isAnswered = false;
    await fakeEngine(at, (socket, heard, secret) => {
      if (heard.length === 74) socket.write(`SLUICE/3 ${secret}\n`);
      else if (heard.includes("session_id") && !isAnswered) {
        isAnswered = true;
        socket.write("DONE 0 6 0\nwho");
        setTimeout(() => socket.write("le\n"), 50);
      }
    });
    expect(await ended(at, namedCall(at, "h1"))).toMatchObject({ stdout: "whole\n", exitCode: 0 });
    expect(journalNames(at)).toEqual([]);
  }, patientHome));

it("a call is refused when a daemon that may decide it never does", () =>
  forEachClient(async (at) => {
    expect(whyNoRuntimeDir(at.runtimeDir)).toBeUndefined();
    await fakeEngine(at, (socket, heard, secret) => {
      if (heard.length === 74) socket.write(`SLUICE/3 ${secret}\n`);
      else if (heard.includes("session_id")) askOnce(socket, "READY 1\n");
    });
    const { stdout } = await ended(at, namedCall(at, "h1"));
    expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
    expect([stdout.includes("not run again"), notedNames(at)]).toEqual([true, []]);
  }, patientHome));

it("wherever daemon and workers stop for a while, each call is decided once and each hook runs once", () =>
  Promise.all(
    DAEMON_STOPS.map((hookEvents) =>
      inTurn(daemonHome, async (at, nameOf, isFirst) => {
        const relayed = await relay(at, nameOf("b"));
        // A worker is there before it is stopped.
        const ids = [nameOf("h0")];
        await ended(relayed, namedCall(at, nameOf("h0")));
        const tried = hookEvents.filter(({ isSameForClient = false }) => isFirst || !isSameForClient);
        for (const { id, ...how } of tried) ids.push(...(await stoppedAt(relayed, { id: nameOf(id), ...how })));
        return ids;
      }),
    ),
  ));

it("wherever a client stops for a while, its call is decided once and its hooks run once", () =>
  inTurn(daemonHome, async (at, nameOf, isFirst) => {
    const tried = CLIENT_STOPS.filter(({ isSameForClient = false }) => isFirst || !isSameForClient);
    // Daemon and worker have answered before: otherwise all of these would lose patience with them, and none be stopped.
    await ended(at, namedCall(at, nameOf("h0")));
    await Promise.all(
      tried.map(async ({ id, when }) => {
        const relayed = await relay(at, nameOf(id));
        let pid = 0;
        const start: DaemonHome["start"] = (...how) => {
          const child = relayed.start(...how);
          pid = child.pid ?? 0;
          return child;
        };
        relayed.watch = (passing) => {
          if (passing === when) void stopped([pid]);
          return undefined;
        };
        const { stdout } = await ended({ ...relayed, start }, namedCall(at, nameOf(id)));
        expect(stdout, when).toContain(saidAbout(id));
      }),
    );
    return ["h0", ...tried.map(({ id }) => id)].map(nameOf);
  }));

it("whenever a daemon is killed, the call is decided and its hooks run once", async () => {
  const at = patientHome(NOTED, TIERS.at(-1));
  const clients = throughAllClients(at, true);
  const ids: string[] = [];
  for (const { id, when } of ENGINE_DEATHS) {
    const pid = await at.warm();
    const waiting = new Set(clients.keys());
    let killed = () => {};
    const death = new Promise<void>((resolve) => {
      killed = resolve;
    });
    // A call of every client is so far when it is killed.
    const call = async (client: DaemonHome, index: number) => {
      const own = `${id[0]}${index}${id.slice(1)}`;
      ids.push(own);
      const relayed = await relay(client, own);
      relayed.watch = (passing) => {
        if (passing !== when) return undefined;
        if (waiting.delete(index) && waiting.size === 0) {
          process.kill(pid, "SIGKILL");
          killed();
        }
        return death;
      };
      const { stdout } = await ended(relayed, namedCall(at, own));
      expect(stdout, when).toContain("no rmm here");
    };
    await Promise.all(clients.map(call));
    expect(waiting, when).toEqual(new Set());
  }
  await expectOnce(at, ids);
});

it("for a client that dies before it has said to go on nothing is decided and no hook runs", () =>
  inTurn(patientHome, async (at, nameOf) => {
    const decidedCold: string[] = [];
    for (const [id, when] of [
      ["r1", "READY"],
      ["h1", "HOOKS"],
      ["q1", "answer"],
    ] as const)
      decidedCold.push(...(await killedAt(await relay(at, nameOf(id)), { id: nameOf(id), when })));
    return decidedCold;
  }));

/** Kills the client when a call is so far. Those that were decided cold before, because the machine is slow, are named. */
async function killedAt(relayed: Relayed, { id, when }: AgentHookEvent): Promise<string[]> {
  let isKilled = false;
  const child = relayed.start();
  relayed.watch = (passing) => {
    if (passing === when) isKilled = child.kill("SIGKILL");
    return undefined;
  };
  child.stdin?.on("error", () => {}).end(namedCall(relayed, id));
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect([id, code]).toEqual([id, isKilled ? null : 0]);
  if (isKilled) return [];
  expect(id.length).toBeLessThan(7);
  return [id, ...(await killedAt(relayed, { id: `${id}a`, when }))];
}

/** The same for every kind of client, all at once: most of the time they wait. */
async function forEachClient(act: (at: DaemonHome) => Promise<void>, home = daemonHome): Promise<void> {
  await Promise.all(TIERS.map((tier) => home(NOTED, tier)).map(act));
}

/**
 * The same with one daemon, which the clients ask one after the other; sessions of each have names of their own. What is
 * named in the end was decided once, and nothing else.
 */
async function inTurn(
  home: typeof daemonHome,
  act: (at: DaemonHome, nameOf: (id: string) => string, isFirst: boolean) => Promise<readonly string[]>,
): Promise<void> {
  const at = home(NOTED, TIERS.at(-1));
  const ids: string[] = [];
  for (const [index, one] of throughAllClients(at, home === patientHome).entries()) {
    await at.warm();
    ids.push(...(await act(one, (id) => `${id[0]}${index}${id.slice(1)}`, index === 0)));
  }
  await expectOnce(at, ids);
}

/** Stops daemon and workers when a call is so far. One that was decided cold, because the machine is slow, is tried again. */
async function stoppedAt(relayed: Relayed, { id, when, isUnderWay }: AgentHookEvent): Promise<string[]> {
  let isOver: Promise<void> | undefined;
  const stop = () => {
    isOver = stopped(processesOf(relayed.home));
  };
  relayed.watch = (passing) => {
    if (passing !== when) return undefined;
    if (isUnderWay) return stop;
    stop();
    return undefined;
  };
  const { stdout } = await ended(relayed, namedCall(relayed, id));
  expect(stdout, `${relayed.words[0]} ${when}`).toContain(saidAbout(id));
  await isOver;
  if (isOver !== undefined) return [id];
  expect(id.length).toBeLessThan(7);
  return [id, ...(await stoppedAt(relayed, { id: `${id}a`, when, ...(isUnderWay && { isUnderWay }) }))];
}

/** A daemon in this very process, with decisions of its own. */
async function daemonThat(at: DaemonHome, answer: DaemonOptions["answer"]): Promise<void> {
  expect(whyNoRuntimeDir(at.runtimeDir)).toBeUndefined();
  const { stop } = await startDaemon({ runtimeDir: at.runtimeDir, answer, maxMemory: Number.POSITIVE_INFINITY });
  onTestFinished(() => stop("the test is over"));
}

/** Stops processes, and lets them go on when everybody has lost patience. */
async function stopped(pids: readonly number[]): Promise<void> {
  for (const pid of pids) send(pid, "SIGSTOP");
  await pause(STOPPED_MS);
  for (const pid of pids) send(pid, "SIGCONT");
}

function send(pid: number, signal: "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself; the others are still there.
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
