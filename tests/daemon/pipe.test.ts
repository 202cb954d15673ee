import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createConnection, createServer, type Socket } from "node:net";
import { join, resolve } from "node:path";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { askDaemon, callDaemon, daemonStatus, stopDaemon } from "../../src/server/clients/ask-daemon.ts";
import { askDaemonFirst, type NodeCall } from "../../src/server/clients/node-client.ts";
import { type DaemonOptions, type NeedsHooks, startDaemon } from "../../src/server/daemon.ts";
import { newNonce, pipeName, proveToDaemon } from "../../src/server/pipe-proof.ts";
import { confirmationBytes, type DaemonAnswer, type Request, requestBytes } from "../../src/server/protocol.ts";
import { isPrivate, type RuntimeDir, runtimeDirOf, whyNoRuntimeDir } from "../../src/server/runtime-dir.ts";
import { systemOf } from "../../src/server/system.ts";
import { reach, readSecret, replaceSecret, sharedSecret } from "../../src/server/transport.ts";
import { WorkerPool } from "../../src/server/worker-pool.ts";
import { pipeRuntimeDir } from "./pipe-runtime-dir.ts";

const REQUEST: Request = { words: ["run"], env: {}, cwd: "/", payload: '{"the":"payload"}' };
const PATIENCE = { provenMs: 500, askedMs: 20_000, confirms: ["READY", "HOOKS"] } as const;
const done = (stdout: string): DaemonAnswer => ({ kind: "done", stdout, stderr: "", exitCode: 0 });

async function daemon(more: Partial<DaemonOptions> = {}, at = pipeRuntimeDir()) {
  const started = await startDaemon({
    runtimeDir: at,
    answer: async () => done("yes\n"),
    maxMemory: Number.POSITIVE_INFINITY,
    ...more,
  });
  onTestFinished(() => started.stop("the test is over"));
  return { at, ...started };
}

/** A daemon in a process of its own; resolves when it answers or has left. */
async function engineProcess(at: RuntimeDir) {
  const program = join(inject("programs"), "pipe-daemon.mjs");
  const child = spawn(process.execPath, [program, JSON.stringify(at)], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  await new Promise<void>((begun) => {
    child.stdout.setEncoding("utf8").on("data", (text) => {
      said += text;
      begun();
    });
    child.on("exit", () => begun());
  });
  return { child, said: () => said, exited: new Promise((gone) => child.on("exit", gone)) };
}

/** A server that listens under the name of the pipe without knowing the secret. */
async function squatter(at: RuntimeDir, behave: (socket: Socket, heard: string) => void) {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let all = "";
    socket.on("error", () => {});
    socket.on("data", (piece) => {
      all += piece.toString("latin1");
      heard.push(piece.toString("latin1"));
      behave(socket, all);
    });
  });
  const address = pipeName(sharedSecret(at), at.system.pipes);
  await new Promise<void>((listening) => server.listen(address, listening));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { address, heard: () => heard.join("") };
}

describe("a pipe", () => {
  it("a daemon answers there, says how it is, and leaves no secret behind when it is told to", async () => {
    const { at, address, stopped } = await daemon();
    expect(address).toBe(pipeName(readSecret(at) ?? "", at.system.pipes));
    expect(await askDaemon(at, REQUEST)).toEqual(done("yes\n"));
    expect(await daemonStatus(at)).toMatchObject({ pid: process.pid, calls: 1 });
    expect(await stopDaemon(at)).toBe("stopped");
    expect(await stopped).toBe("it was asked to");
    expect(existsSync(at.token)).toBe(false);
    expect(await callDaemon(at, REQUEST, PATIENCE)).toEqual({ outcome: "no daemon" });
  });

  it("the next daemon has another name than the one before", async () => {
    const at = pipeRuntimeDir();
    const first = await daemon({}, at);
    first.stop("for the next one");
    await first.stopped;
    const second = await daemon({}, at);
    expect(second.address).not.toBe(first.address);
    expect(await askDaemon(at, REQUEST)).toEqual(done("yes\n"));
  });

  it("a daemon whose secret was replaced is found by no client, and leaves; what the other has stays", async () => {
    const { at, stopped } = await daemon();
    const secret = replaceSecret(at);
    expect(await stopped).toBe("another daemon has taken its place");
    expect(readSecret(at)).toBe(secret);
  });

  it("is Windows' own, named after secret and version", () => {
    expect(systemOf("win32")).toMatchObject({ transport: "pipe", pipes: "\\\\.\\pipe\\sluice-", nodeAsks: true });
    for (const platform of ["linux", "darwin", "freebsd"] as const)
      expect(systemOf(platform)).toMatchObject({ transport: "socket", profile: undefined, nodeAsks: false });
  });
});

describe("of two daemons that start at the same place", () => {
  it("one wins, and the other has left at once", async () => {
    const first = await daemon();
    const second = await daemon({ answer: async () => done("second") }, first.at);
    expect(second.address).toBeUndefined();
    expect(await second.stopped).toBe("another daemon answers already");
    expect(await askDaemon(first.at, REQUEST)).toEqual(done("yes\n"));
  });

  it("one wins, also as processes that know nothing of each other", async () => {
    const at = pipeRuntimeDir();
    const all = await Promise.all([engineProcess(at), engineProcess(at), engineProcess(at)]);
    const said = all.map((one) => one.said());
    expect(said.filter((text) => text.startsWith("at "))).toHaveLength(1);
    expect(said.filter((text) => text === "left: another daemon answers already\n")).toHaveLength(2);
    const winner = all[said.findIndex((text) => text.startsWith("at "))]?.child.pid;
    expect(await askDaemon(at, REQUEST)).toEqual(done(`${winner} ${REQUEST.payload}`));
  });
});

describe("what a daemon has left behind", () => {
  it("that was killed keeps no other from starting, and a call says that one is wanted", async () => {
    const at = pipeRuntimeDir();
    const { child, exited } = await engineProcess(at);
    child.kill("SIGKILL");
    await exited;
    expect(readSecret(at)).toBeDefined();
    expect(await callDaemon(at, REQUEST, PATIENCE)).toEqual({ outcome: "no daemon" });
    const next = await daemon({}, at);
    expect(next.address).toBeDefined();
    expect(await askDaemon(at, REQUEST)).toEqual(done("yes\n"));
  });

  it.each(["", "half a secr", `${"a".repeat(64)}`])("counts for nothing where it is no secret: %j", async (text) => {
    const at = pipeRuntimeDir();
    writeFileSync(at.token, text);
    expect(readSecret(at)).toBeUndefined();
    expect(await callDaemon(at, REQUEST, PATIENCE)).toEqual({ outcome: "no daemon" });
    await daemon({}, at);
    expect(await askDaemon(at, REQUEST)).toEqual(done("yes\n"));
  });

  it("of many who need a secret all get the same", async () => {
    const at = pipeRuntimeDir();
    const secrets = await Promise.all(Array.from({ length: 20 }, async () => sharedSecret(at)));
    expect(new Set(secrets).size).toBe(1);
  });
});

describe("a server that has taken the name without knowing the secret", () => {
  const FALSE: Record<string, (socket: Socket, heard: string) => void> = {
    "says nothing": () => {},
    "hangs up": (socket) => socket.destroy(),
    "sends the client's words back": (socket, heard) => socket.write(heard),
    "says that it is the daemon": (socket) => socket.write(`SLUICE-PIPE/1 ${newNonce()} ${newNonce()}\n`),
    "answers at once": (socket) => socket.write("DONE 0 4 0\nyes\n"),
    "asks for the request": (socket) => socket.write("READY 20\n"),
    "speaks another version": (socket) => socket.write(`SLUICE-PIPE/2 ${newNonce()} ${newNonce()}\n`),
    "shows a secret as on a socket": (socket) => socket.write(`SLUICE/3 ${newNonce()}\n`),
  };

  it.each(Object.entries(FALSE))("and %s: hears nothing of the call and is not believed", async (_, behave) => {
    const at = pipeRuntimeDir();
    const { heard } = await squatter(at, behave);
    expect(await callDaemon(at, REQUEST, PATIENCE)).toEqual({ outcome: "no daemon" });
    expect(heard()).toMatch(/^(SLUICE-PIPE\/1 [0-9a-f]{64}\n)?$/);
    expect(heard()).not.toContain("payload");
    expect(heard()).not.toContain(readSecret(at));
  });

  it("has what it recorded of a call that was answered, and it is worth nothing", async () => {
    const first = await daemon();
    // A process between both sees everything and passes it on; the secret stays what it was.
    const recorded = await recordedWords(first.at, first.address ?? "");
    const secret = readSecret(first.at) ?? "";
    first.stop("to make room");
    await first.stopped;
    writeFileSync(first.at.token, `${secret}\n`);
    const { heard } = await squatter(first.at, (socket) => socket.write(recorded));
    expect(await callDaemon(first.at, REQUEST, PATIENCE)).toEqual({ outcome: "no daemon" });
    expect(heard()).not.toContain("payload");
  });

  it("does not keep a daemon from its work: it takes another name, and clients find it", async () => {
    const at = pipeRuntimeDir();
    const { address, heard } = await squatter(at, (socket) => socket.destroy());
    const { address: own } = await daemon({}, at);
    expect(own).not.toBe(address);
    expect(await askDaemon(at, REQUEST)).toEqual(done("yes\n"));
    expect(heard()).not.toContain("payload");
  });

  it("asks a daemon in vain", async () => {
    const { at, address = "" } = await daemon();
    const handshake = proveToDaemon({ secret: newNonce(), address });
    expect(await reach({ address, handshake }, 5000)).toEqual({ peer: "unknown" });
    const request = requestBytes(REQUEST).toString("latin1");
    expect(await said(address, `SLUICE-PIPE/1 ${newNonce()}\n${newNonce()}\n${request}`)).toBe("");
    expect(await said(address, request)).toBe("");
    expect(await daemonStatus(at)).toMatchObject({ calls: 0 });
  });
});

describe("where the modes of files say nothing", () => {
  it("a folder is private in the user's own folder, and nowhere else", () => {
    const at = pipeRuntimeDir();
    expect(isPrivate(at.folder, at.system)).toBe(true);
    const elsewhere = { ...at.system, profile: join(at.folder, "profile") };
    mkdirSync(elsewhere.profile);
    expect(isPrivate(at.folder, elsewhere)).toBe(false);
    expect(isPrivate(join(elsewhere.profile, "nothing"), elsewhere)).toBe(false);
    expect(whyNoRuntimeDir({ ...at, system: elsewhere })).toContain("not in your own folder");
  });

  it("a secret that others may read counts for nothing", async () => {
    const { at } = await daemon();
    const system = { ...at.system, profile: join(at.folder, "profile") };
    mkdirSync(system.profile);
    expect(readSecret({ ...at, system })).toBeUndefined();
    expect(await callDaemon({ ...at, system }, REQUEST, PATIENCE)).toEqual({ outcome: "no daemon" });
  });
});

describe("hooks of a client that cannot be handed on", () => {
  const needsHooks: DaemonOptions["answer"] = async (request): Promise<NeedsHooks> => ({
    kind: "hooks",
    request,
    project: undefined,
    timeoutMs: 20_000,
    usesNetwork: false,
  });

  /** A process that writes down each call it takes, and then does what the payload says. */
  const WORKER_PROGRAM = `
    const { appendFileSync } = require("node:fs");
    const free = (answer) => process.send({ type: "free", rss: 1, answer });
    process.on("message", ({ type, request }) => {
      if (type === "abort") { appendFileSync(process.argv[1], "gave up\\n"); process.exit(); }
      process.send({ type: "taken" });
      const { does } = JSON.parse(request.payload);
      appendFileSync(process.argv[1], does + "\\n");
      if (does === "die") process.exit(1);
      if (does === "hang") return;
      setTimeout(() => free({ kind: "done", stdout: "hooks ran", stderr: "", exitCode: 0 }), does === "slow" ? 700 : 0);
    });
    process.on("disconnect", () => process.exit());
    free();`;

  async function daemonWithWorkers(program = WORKER_PROGRAM, startMs = 10_000) {
    const at = pipeRuntimeDir();
    const log = join(at.folder, "log");
    writeFileSync(log, "");
    const start = (): ChildProcess =>
      spawn(process.execPath, ["-e", program, log], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    const workers = new WorkerPool(start, { startMs });
    onTestFinished(() => workers.close());
    const started = await daemon({ workers, answer: needsHooks }, at);
    return { ...started, ran: () => readFileSync(log, "utf8") };
  }
  const request = (does: string): Request => ({ ...REQUEST, payload: JSON.stringify({ does }) });

  it("run once, and the daemon passes the answer on", async () => {
    const { at, ran } = await daemonWithWorkers();
    expect(await callDaemon(at, request("quick"), PATIENCE)).toEqual({ outcome: "answer", answer: done("hooks ran") });
    expect(ran()).toBe("quick\n");
  });

  it("never run for a client that has not said to go on", async () => {
    const { at, ran } = await daemonWithWorkers();
    const called = await callDaemon(at, request("quick"), { ...PATIENCE, confirms: ["READY"] });
    expect(called).toEqual({ outcome: "no answer" });
    expect(await daemonStatus(at)).toMatchObject({ calls: 1, workers: 0 });
    expect(ran()).toBe("");
  });

  it("are lost where the worker dies, and are not run again", async () => {
    const { at, ran } = await daemonWithWorkers();
    expect(await callDaemon(at, request("die"), PATIENCE)).toEqual({ outcome: "lost" });
    expect(ran()).toBe("die\n");
  });

  it("are decided by the caller where no worker comes: nothing has begun", async () => {
    const { at, ran } = await daemonWithWorkers("process.exit(1)", 300);
    expect(await callDaemon(at, request("quick"), PATIENCE)).toMatchObject({
      outcome: "answer",
      answer: { kind: "cold" },
    });
    expect(ran()).toBe("");
  });

  it("end when their client goes away", async () => {
    const { at, address, ran } = await daemonWithWorkers();
    const socket = await believed(at, address);
    socket.on("data", () => socket.write(confirmationBytes()));
    socket.write(requestBytes(request("hang")));
    await expect.poll(ran).toBe("hang\n");
    socket.destroy();
    await expect.poll(ran).toBe("hang\ngave up\n");
  });

  it("are finished by a daemon that was told to leave", async () => {
    const { at, stopped, stop, ran } = await daemonWithWorkers();
    const calling = callDaemon(at, request("slow"), PATIENCE);
    await expect.poll(ran).toBe("slow\n");
    stop("it was asked to");
    expect(await calling).toEqual({ outcome: "answer", answer: done("hooks ran") });
    expect(await stopped).toBe("it was asked to");
  });
});

describe("node asks before it loads the rest", () => {
  /** The words of a call, whose daemon has the same runtimeDir. */
  function nodeCall() {
    const at = pipeRuntimeDir();
    const env = { XDG_STATE_HOME: resolve(at.folder, "../../.."), NOTHING: undefined };
    const call: NodeCall = { cold: ["node", "sluice"], args: ["run", "json"], env, cwd: "/", payload: "{}" };
    expect(runtimeDirOf(call.cold, { env }, at.system)).toEqual(at);
    return { at, call };
  }

  it("the daemon gets the words, the environment and the folder, and its answer is the call's", async () => {
    const { at, call } = nodeCall();
    let heard: Request | undefined;
    await daemon(
      {
        answer: async (request) => {
          heard = request;
          return { kind: "done", stdout: "out", stderr: "err", exitCode: 2 };
        },
      },
      at,
    );
    const answer = { kind: "done", stdout: "out", stderr: "err", exitCode: 2 };
    expect(await askDaemonFirst(call, at.system)).toEqual({ by: "daemon", answer });
    const { XDG_STATE_HOME } = call.env;
    const words = ["node", "sluice", "run", "json"];
    expect(heard).toMatchObject({ words, env: { XDG_STATE_HOME }, cwd: "/", payload: "{}" });
  });

  it("decides itself and wants a daemon, where there is none", async () => {
    const { at, call } = nodeCall();
    expect(await askDaemonFirst(call, at.system)).toEqual({ by: "this process", startsDaemon: true });
    await squatter(at, (socket) => socket.destroy());
    expect(await askDaemonFirst(call, at.system)).toEqual({ by: "this process", startsDaemon: true });
  });

  it("decides itself where the daemon leaves it to the command", async () => {
    const { at, call } = nodeCall();
    await daemon({ answer: async () => ({ kind: "cold", usesNetwork: true }) }, at);
    expect(await askDaemonFirst(call, at.system)).toEqual({ by: "this process", startsDaemon: false });
  });

  it("decides itself where the daemon dies before it was told to run hooks", async () => {
    const { at, call } = nodeCall();
    const { child } = await engineProcess(at);
    const asked = askDaemonFirst({ ...call, payload: "30000" }, at.system);
    setTimeout(() => child.kill("SIGKILL"), 300);
    expect(await asked).toEqual({ by: "this process", startsDaemon: false });
  });
});

/** What a daemon says to a client, as somebody records it who stands between both. */
async function recordedWords(at: RuntimeDir, address: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const between = join(at.folder, "between");
  const server = createServer((client) => {
    const to = createConnection(address);
    for (const socket of [client, to]) socket.on("error", () => {});
    client
      .pipe(to)
      .on("data", (piece) => pieces.push(piece))
      .pipe(client);
  });
  await new Promise<void>((listening) => server.listen(between, listening));
  // The proof names the pipe, so the client has to believe that it is at the right one.
  (await believed(at, address, between)).destroy();
  server.close();
  return Buffer.concat(pieces);
}

/** A connection to a daemon that both sides believe in. */
async function believed(at: RuntimeDir, name = "", address = name): Promise<Socket> {
  const handshake = proveToDaemon({ secret: readSecret(at) ?? "", address: name });
  const reached = await reach({ address, handshake }, 5000);
  if (reached.peer !== "daemon") throw new Error(`${reached.peer} is there`);
  reached.socket.resume();
  return reached.socket;
}

/** All that a daemon says to a client that says these words, until it hangs up. */
async function said(address: string, words: string): Promise<string> {
  const socket = createConnection(address, () => socket.write(words, "latin1"));
  let heard = "";
  socket.setEncoding("latin1").on("data", (text) => {
    heard += text;
  });
  await new Promise((closed) => socket.on("error", () => {}).on("close", closed));
  return heard;
}
