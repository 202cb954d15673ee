import { existsSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { askDaemon, daemonStatus, stopDaemon } from "./clients/ask-daemon.ts";
import { type DaemonOptions, startDaemon } from "./daemon.ts";
import { type DaemonAnswer, greeting, type Request, requestBytes } from "./protocol.ts";
import { type RuntimeDir, runtimeDirOf, whyNoRuntimeDir } from "./runtime-dir.ts";
import { releaseStartLock, takeStartLock } from "./start-lock.ts";
import { readToken, writeToken } from "./token.ts";

const REQUEST: Request = { words: ["run"], env: {}, cwd: "/", payload: "{}" };
const done = (stdout: string): DaemonAnswer => ({ kind: "done", stdout, stderr: "", exitCode: 0 });

/** Registers what is done when a test ends; tests that run at the same time have one each. */
type WhenEnded = typeof onTestFinished;

function runtimeDir(whenEnded: WhenEnded = onTestFinished): RuntimeDir {
  const home = mkdtempSync(join(realpathSync(tmpdir()), "serve-"));
  whenEnded(() => rmSync(home, { recursive: true, force: true }));
  const made = runtimeDirOf(["node", "sluice"], { env: { XDG_STATE_HOME: home } });
  expect(whyNoRuntimeDir(made)).toBeUndefined();
  return made;
}

async function daemon(more: Partial<DaemonOptions> = {}, at = runtimeDir(), whenEnded: WhenEnded = onTestFinished) {
  // This process runs the tests too, and may be larger than a daemon ever becomes.
  const roomy = { maxMemory: Number.POSITIVE_INFINITY };
  const started = await startDaemon({ runtimeDir: at, answer: async () => done("yes\n"), ...roomy, ...more });
  whenEnded(() => started.stop("the test is over"));
  return { at, ...started };
}

it("a daemon answers, says how it is, and leaves without a trace when it is told to", async () => {
  const { at, stopped } = await daemon();
  expect(await askDaemon(at, REQUEST)).toEqual(done("yes\n"));
  expect(await daemonStatus(at)).toMatchObject({ pid: process.pid, calls: 1 });
  expect(statSync(at.socket).mode & 0o077).toBe(0);
  expect(statSync(at.token).mode & 0o077).toBe(0);
  expect(await stopDaemon(at)).toBe("stopped");
  expect(await stopped).toBe("it was asked to");
  expect([existsSync(at.socket), existsSync(at.token)]).toEqual([false, false]);
});

it("a client without the secret gets no answer", async () => {
  const { at } = await daemon();
  writeToken(at.token);
  expect(await askDaemon(at, REQUEST)).toBeUndefined();
});

it.each(["", "SLUICE/3 half of a gree"])("a client that closes its side after %j is let go", async (said) => {
  const { at } = await daemon();
  const client = connect({ path: at.socket, allowHalfOpen: true });
  client.on("error", () => {}).end(said);
  await new Promise((resolve) => client.resume().on("close", resolve).on("end", resolve));
  client.destroy();
});

it("a client that closes its side in the middle of its request is let go", async () => {
  const { at } = await daemon();
  const client = connect({ path: at.socket, allowHalfOpen: true });
  const half = requestBytes(REQUEST).subarray(0, -5);
  client.on("error", () => {}).end(Buffer.concat([Buffer.from(greeting(readToken(at.token)?.client ?? "")), half]));
  await new Promise((resolve) => client.resume().on("close", resolve).on("end", resolve));
  client.destroy();
});

it("calls are decided one after the other, and each gets its own answer", async () => {
  let running = 0;
  const { at } = await daemon({
    answer: async ({ payload }) => {
      expect(++running).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running--;
      return done(payload);
    },
  });
  const sent = Array.from({ length: 20 }, (_, index) => `{"n":${index}}`);
  const heard = await Promise.all(sent.map((payload) => askDaemon(at, { ...REQUEST, payload })));
  expect(heard).toEqual(sent.map(done));
});

it("a decision that breaks is left to the command", async () => {
  const { at } = await daemon({ answer: () => Promise.reject(new Error("broken")) });
  expect(await askDaemon(at, REQUEST)).toEqual({ kind: "cold", usesNetwork: true });
});

it("daemons that start at once have private sockets, and leave the umask of their process as it was", async () => {
  const before = process.umask();
  const started = await Promise.all([daemon(), daemon(), daemon()]);
  const after = process.umask(before);
  expect(after).toBe(before);
  for (const { at } of started) expect(statSync(at.socket).mode & 0o177).toBe(0);
});

describe.concurrent("a daemon looks after itself every two seconds, and", () => {
  it("decides nothing more when its own files have changed", async ({ onTestFinished: whenEnded }) => {
    const at = runtimeDir(whenEnded);
    const file = join(at.folder, "launcher");
    writeFileSync(file, "one");
    const { stopped } = await daemon({ ownFile: file }, at, whenEnded);
    expect(await askDaemon(at, REQUEST)).toEqual(done("yes\n"));
    writeFileSync(file, "another");
    expect(await askDaemon(at, REQUEST)).toEqual({ kind: "cold", usesNetwork: true });
    expect(await stopped).toBe("another version was installed");
  });

  it("leaves when no call comes, and when it grows too large", async ({ onTestFinished: whenEnded }) => {
    const idle = await daemon({ idleMs: 1 }, runtimeDir(whenEnded), whenEnded);
    const large = await daemon({ maxMemory: 1 }, runtimeDir(whenEnded), whenEnded);
    expect([await idle.stopped, await large.stopped]).toEqual(["no call came for a while", "it has grown too large"]);
  });

  it("leaves when its place was taken, and what the other has stays", async ({ onTestFinished: whenEnded }) => {
    const at = runtimeDir(whenEnded);
    const first = await daemon({ answer: async () => done("first") }, at, whenEnded);
    await daemon({ answer: async () => done("second") }, at, whenEnded);
    expect(await askDaemon(at, REQUEST)).toEqual(done("second"));
    expect(await first.stopped).toBe("another daemon has taken its place");
    expect(await askDaemon(at, REQUEST)).toEqual(done("second"));
  });
});

it("of many who want to start a daemon one may", () => {
  const at = runtimeDir();
  expect([takeStartLock(at), takeStartLock(at), takeStartLock(at)]).toEqual([true, false, false]);
  releaseStartLock(at);
  expect(takeStartLock(at)).toBe(true);
});
