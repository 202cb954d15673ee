import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type HandLimits, Hands } from "./hands.ts";
import type { Answer } from "./protocol.ts";

/** A process that answers with its number and its project, as long as the payload says and however it says. */
const HAND = `
  const free = (answer) => process.send({ say: "free", rss: 1, answer });
  process.on("message", ({ say, request, project }) => {
    if (say === "give up" || request.payload === "die") process.exit(1);
    if (request.payload.startsWith("/")) return require("node:fs").writeFileSync(request.payload, "at work");
    const done = { kind: "done", stdout: process.pid + " " + project, stderr: "", exitCode: 0 };
    setTimeout(() => free(done), Number(request.payload));
  });
  process.on("disconnect", () => process.exit());
  free();`;

function hands(limits: HandLimits = {}, program = HAND) {
  const started: ChildProcess[] = [];
  const pool = new Hands(
    () => {
      const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
      started.push(child);
      return child;
    },
    { patienceMs: 20_000, ...limits },
  );
  onTestFinished(() => pool.close());
  const ask = (payload: string | number, project?: string, signal?: AbortSignal) =>
    pool.decide(
      { request: { words: [], env: {}, cwd: "/", payload: String(payload) }, project, patience: 60_000 },
      signal,
    );
  return { pool, ask, started };
}

function pidOf(answer: Answer | undefined): string | undefined {
  return answer?.kind === "done" ? answer.stdout.split(" ")[0] : undefined;
}

it("calls that come one after the other share one hand, and calls at once have one each", async () => {
  const { ask, started } = hands();
  const one = pidOf(await ask(0));
  expect(pidOf(await ask(0))).toBe(one);
  expect(started).toHaveLength(1);
  const pids = await Promise.all([ask(300), ask(300), ask(300)]);
  expect(pids.map(pidOf)).not.toContain(undefined);
  expect(started).toHaveLength(3);
});

it("a hand that has loaded a project's plugins serves no other project, nor anybody without one", async () => {
  const { ask } = hands();
  const [plain, mine, other] = [pidOf(await ask(0)), pidOf(await ask(0, "/mine")), pidOf(await ask(0, "/other"))];
  expect(mine).toBe(plain);
  expect(other).not.toBe(mine);
  expect(pidOf(await ask(0, "/mine"))).toBe(mine);
  expect([mine, other]).not.toContain(pidOf(await ask(0)));
});

it("a call waits for no hand when all are at work, and one that is free for others makes room", async () => {
  const { ask, pool } = hands({ most: 1, crowdedMs: 20, patienceMs: 20_000 });
  await ask(0, "/mine");
  const folder = mkdtempSync(join(tmpdir(), "hands-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const stop = new AbortController();
  const long = ask(join(folder, "begun"), "/other", stop.signal);
  await expect.poll(() => existsSync(join(folder, "begun")), { timeout: 20_000 }).toBe(true);
  expect(pool.size).toBe(1);
  expect(await ask(0)).toBeUndefined();
  stop.abort();
  expect(await long).toMatchObject({ isLost: true });
});

it("what a hand that ended has done is not known, and the next call has another", async () => {
  const { ask } = hands();
  const first = pidOf(await ask(0));
  expect(await ask("die")).toEqual({ kind: "cold", usesNetwork: false, isLost: true });
  const next = pidOf(await ask(0));
  expect(next).toBeDefined();
  expect(next).not.toBe(first);
});

it("whoever gives up ends his hand", async () => {
  const { ask, started } = hands();
  await ask(0);
  const asking = ask(60_000, undefined, AbortSignal.timeout(50));
  expect(await asking).toMatchObject({ isLost: true });
  expect(started[0]?.exitCode ?? started[0]?.signalCode).not.toBeNull();
});

it("a hand that has grown too large is replaced, and idle ones leave but for the last", async () => {
  const large = hands({}, HAND.replace("rss: 1", "rss: 1e12"));
  const [one, other] = [pidOf(await large.ask(0)), pidOf(await large.ask(0))];
  expect(other).not.toBe(one);
  const idle = hands({ idleMs: 100 });
  await Promise.all([idle.ask(50), idle.ask(50), idle.ask(50)]);
  await expect.poll(() => idle.pool.size, { timeout: 5000 }).toBe(1);
});

it("a hand that does not come back is ended when its caller has long stopped waiting", async () => {
  const { pool } = hands({ overdueMs: 100 }, HAND.replace("setTimeout(", "for (;;);("));
  const request = { words: [], env: {}, cwd: "/", payload: "0" };
  expect(await pool.decide({ request, project: undefined, patience: 0 })).toMatchObject({ isLost: true });
});

it("hands that cannot start keep nobody waiting for long", async () => {
  const { ask, started } = hands({ patienceMs: 700 }, "process.exit(1)");
  expect(await ask(0)).toBeUndefined();
  expect(started.length).toBeLessThan(5);
});
