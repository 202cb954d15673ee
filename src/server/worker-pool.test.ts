import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { DaemonAnswer } from "./protocol.ts";
import { type WorkerLimits, WorkerPool } from "./worker-pool.ts";

/** A process that answers with its number, as long as the payload says and however it says. */
const WORKER_PROGRAM = `
  const free = (answer) => process.send({ type: "free", rss: 1, answer });
  process.on("message", ({ type, request }) => {
    process.send({ type: "taken" });
    if (type === "abort" || request.payload === "die") process.exit(1);
    if (request.payload.startsWith("/")) return require("node:fs").writeFileSync(request.payload, "at work");
    const done = { kind: "done", stdout: String(process.pid), stderr: "", exitCode: 0 };
    setTimeout(() => free(done), Number(request.payload));
  });
  process.on("disconnect", () => process.exit());
  free();`;

function workers(limits: WorkerLimits = {}, program = WORKER_PROGRAM) {
  const started: ChildProcess[] = [];
  const pool = new WorkerPool(
    () => {
      const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
      started.push(child);
      return child;
    },
    { startMs: 20_000, ...limits },
  );
  onTestFinished(() => pool.close());
  const ask = (payload: string | number, project?: string, signal?: AbortSignal) =>
    pool.decide(
      { request: { words: [], env: {}, cwd: "/", payload: String(payload) }, project, timeoutMs: 60_000 },
      signal,
    );
  return { pool, ask, started };
}

function pidOf(answer: DaemonAnswer | undefined): string | undefined {
  return answer?.kind === "done" ? answer.stdout : undefined;
}

it("calls that come one after the other share one worker, and calls at once have one each", async () => {
  const { ask, started } = workers();
  const one = pidOf(await ask(0));
  expect(pidOf(await ask(0))).toBe(one);
  expect(started).toHaveLength(1);
  const pids = await Promise.all([ask(300), ask(300), ask(300)]);
  expect(pids.map(pidOf)).not.toContain(undefined);
  expect(started).toHaveLength(3);
});

it("a call goes to the worker that has started the plugins of its project, or else to any that is free", async () => {
  const { ask, started } = workers();
  const [mine, other] = (await Promise.all([ask(300, "/mine"), ask(300, "/other")])).map(pidOf);
  expect(other).not.toBe(mine);
  expect(pidOf(await ask(0, "/other"))).toBe(other);
  expect(pidOf(await ask(0, "/mine"))).toBe(mine);
  expect([mine, other]).toContain(pidOf(await ask(0, "/third")));
  expect([mine, other]).toContain(pidOf(await ask(0)));
  expect(started).toHaveLength(2);
});

it("a call waits for no worker when all are at work", async () => {
  const { ask, pool } = workers({ maxWorkers: 1, busyMs: 20, startMs: 20_000 });
  await ask(0, "/mine");
  const folder = mkdtempSync(join(tmpdir(), "workers-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const stop = new AbortController();
  const long = ask(join(folder, "begun"), "/other", stop.signal);
  await expect.poll(() => existsSync(join(folder, "begun"))).toBe(true);
  expect(pool.size).toBe(1);
  expect(await ask(0)).toBeUndefined();
  stop.abort();
  expect(await long).toMatchObject({ isLost: true });
});

it("what a worker that ended has done is not known, and the next call has another", async () => {
  const { ask } = workers();
  const first = pidOf(await ask(0));
  expect(await ask("die")).toEqual({ kind: "cold", usesNetwork: false, isLost: true });
  const next = pidOf(await ask(0));
  expect(next).toBeDefined();
  expect(next).not.toBe(first);
});

it("a caller that gives up ends its worker", async () => {
  const { ask, started } = workers();
  await ask(0);
  const asking = ask(60_000, undefined, AbortSignal.timeout(50));
  expect(await asking).toMatchObject({ isLost: true });
  expect(started[0]?.exitCode ?? started[0]?.signalCode).not.toBeNull();
});

it("a worker that has grown too large is replaced, and idle ones leave but for the last", async () => {
  const large = workers({}, WORKER_PROGRAM.replace("rss: 1", "rss: 1e12"));
  const [one, other] = [pidOf(await large.ask(0)), pidOf(await large.ask(0))];
  expect(other).not.toBe(one);
  const idle = workers({ idleMs: 100 });
  await Promise.all([idle.ask(50), idle.ask(50), idle.ask(50)]);
  await expect.poll(() => idle.pool.size).toBe(1);
});

it("a worker that does not come back is ended when its caller has long stopped waiting", async () => {
  const { pool } = workers({ overdueMs: 100 }, WORKER_PROGRAM.replace("setTimeout(", "for (;;);("));
  const request = { words: [], env: {}, cwd: "/", payload: "0" };
  expect(await pool.decide({ request, project: undefined, timeoutMs: 0 })).toMatchObject({ isLost: true });
});

it("a worker that was stopped is ended, and its call is decided without it", async () => {
  const { ask, started } = workers({ takeMs: 200 });
  expect(await ask(0)).toMatchObject({ kind: "done" });
  started[0]?.kill("SIGSTOP");
  expect(await ask(0)).toEqual({ kind: "cold", usesNetwork: true });
  expect(await ask(0)).toMatchObject({ kind: "done" });
});

it("workers that cannot start keep no call waiting for long", async () => {
  const { ask, started } = workers({ startMs: 700 }, "process.exit(1)");
  expect(await ask(0)).toBeUndefined();
  expect(started.length).toBeLessThan(5);
});
