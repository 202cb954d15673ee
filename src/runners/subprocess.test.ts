import { getEventListeners } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { cases } from "../../tests/cases.ts";
import { runProcess, type Start, spawnFailure } from "./subprocess.ts";

/** How often processes end in every way; one that left a file open would show the first time. */
const ROUNDS = cases(12, 125);

describe("a process", () => {
  it("is given its input, and gives its output, its errors and its code", async () => {
    const ended = await run("cat; echo bad >&2; exit 3", { stdin: "hello\n" });
    expect(ended).toEqual({ exitCode: 3, stdout: "hello\n", stderr: "bad\n", notes: [] });
  });

  it("that finished while this program was busy is in time, and nothing it printed is lost", async () => {
    const running = run("echo quick", { deadline: 0.2 });
    await new Promise((resolve) => setImmediate(resolve));
    block(600);
    expect(await running).toMatchObject({ exitCode: 0, stdout: "quick\n" });
  });

  it("and what it started, also in a session of its own, are asked to end once", async () => {
    const ways = process.platform === "linux" ? ["", "setsid "] : [""];
    const runs = ways.map((way) => {
      const listener = `${way}sh -c 'trap "echo asked" TERM; echo ready; while :; do sleep 60 & wait; done'`;
      return run(`trap : TERM; ${listener} & wait; wait`, { deadline: 1 });
    });
    for (const ended of await Promise.all(runs))
      expect(ended).toMatchObject({ failure: { why: "timeout" }, stdout: "ready\nasked\n" });
  });

  it.runIf(process.platform === "linux").each([
    ["leaves its session", "setsid", false],
    ["drops its environment", "env -i", false],
    ["leaves its session and drops its environment, the exception of the manual,", "setsid env -i", true],
  ])("that %s in the background: `%s`", async (_, way, goesOn) => {
    const { stdout } = await run(`(${way} sh -c 'echo $$; exec sleep 60' &); sleep 0.3`);
    const pid = Number(stdout.trim());
    expect(pid).toBeGreaterThan(1);
    await expect.poll(() => isRunning(pid), { timeout: 5000 }).toBe(goesOn);
    if (goesOn) process.kill(pid, "SIGKILL");
  });

  it("that stopped itself still hears that it is asked to end", async () => {
    const ended = await run("trap 'echo asked; exit 0' TERM; kill -STOP $$; sleep 60", { deadline: 1 });
    expect(ended).toMatchObject({ failure: { why: "timeout" }, stdout: "asked\n" });
  });

  it("dies of a broken pipe like anywhere else", async () => {
    expect(await run("sh -c 'yes; echo never' | head -n 1")).toMatchObject({ exitCode: 0, stdout: "y\n" });
  });

  it("has no terminal, and heads its own group", async () => {
    const { stdout } = await run("(: </dev/tty) 2>/dev/null && echo terminal; ps -o pgid= -p $$; echo $$");
    const [group, pid] = stdout.split("\n").map((line) => line.trim());
    expect(group).toBe(pid);
  });

  it("whose run is inside another run carries both marks", async () => {
    const ended = await run('printf %s "$SLUICE_RUN"', { env: { PATH: process.env.PATH ?? "", SLUICE_RUN: "a1b2" } });
    expect(ended.stdout).toMatch(/^a1b2\.[0-9a-f]{24}$/);
  });

  it("that is aborted by a shared signal leaves no listener behind, nor does one that ends by itself", async () => {
    const warnings: Error[] = [];
    const warn = (warning: Error) => warnings.push(warning);
    process.on("warning", warn);
    const controller = new AbortController();
    const before = process.listenerCount("exit");
    const quick = await Promise.all(Array.from({ length: 15 }, () => run("exit 0", { signal: controller.signal })));
    expect(quick.map(({ exitCode }) => exitCode)).toEqual(quick.map(() => 0));
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    const slow = Array.from({ length: 15 }, () => run("exec sleep 60", { signal: controller.signal }));
    controller.abort();
    for (const ended of await Promise.all(slow)) {
      expect(ended).toMatchObject({ exitCode: null, failure: { why: "signal", aborted: true } });
    }
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    expect(process.listenerCount("exit")).toBe(before);
    expect(warnings).toEqual([]);
    process.off("warning", warn);
  });

  it("that ended in whatever way leaves no file open and no child unburied", async () => {
    const kinds: readonly Partial<Start>[] = [
      {},
      { args: ["-c", "exit 1"] },
      { args: ["-c", "kill -9 $$"] },
      { args: ["-c", "exec <&-"], stdin: "x".repeat(200_000) },
      { program: "/no/such/program" },
      { cwd: "/no/such/folder" },
      { args: ["-c", "\0"] },
      { signal: AbortSignal.abort() },
    ];
    const round = async () => {
      for (const kind of kinds) await run("true", kind);
    };
    await round();
    const before = openFiles();
    for (let time = 0; time < ROUNDS; time++) await round();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(openFiles()).toBeLessThanOrEqual(before);
    expect((await run(`ps -o stat= --ppid ${process.pid} 2>/dev/null || true`)).stdout).not.toMatch(/^Z/m);
  });
});

function run(command: string, more: Partial<Start> = {}) {
  const env = { PATH: process.env.PATH ?? "" };
  return runProcess({
    program: "/bin/sh",
    args: ["-c", command],
    cwd: tmpdir(),
    env,
    stdin: "",
    deadline: 10,
    ...more,
  });
}

/** Keeps this program busy, so that it sees nothing of the world. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function openFiles(): number {
  return readdirSync(process.platform === "linux" ? "/proc/self/fd" : "/dev/fd").length;
}

/** What has ended and was not asked about yet counts as ended. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

const CODES: readonly (readonly [code: string, failure: object])[] = [
  ["ENOENT", { why: "not_found", program: "tool" }],
  ["ENOTDIR", { why: "not_found", program: "tool" }],
  ["EACCES", { why: "not_executable", program: "tool" }],
  ["ENOEXEC", { why: "not_executable", program: "tool" }],
  ["E2BIG", { why: "spawn_error", message: "its arguments and environment are too large" }],
  ["EMFILE", { why: "spawn_error", message: "this program has too many files open" }],
  ["EAGAIN", { why: "spawn_error", message: "the system allows no more processes" }],
  ["ENOMEM", { why: "spawn_error", message: "the system is short of memory" }],
  ["EWHATEVER", { why: "spawn_error", message: "spawn tool EWHATEVER" }],
];

describe("a program that does not start", () => {
  it.each(CODES)("with %s", (code, failure) => {
    const error = Object.assign(new Error(`spawn tool ${code}`), { code });
    expect(spawnFailure(error, { program: "tool", cwd: tmpdir() })).toEqual(failure);
  });

  it.each(["/no/such/folder", "/\0", import.meta.filename])("is excused by the folder %j", (cwd) => {
    const error = Object.assign(new Error("spawn tool ENOENT"), { code: "ENOENT" });
    expect(spawnFailure(error, { program: "tool", cwd })).toMatchObject({
      why: "spawn_error",
      message: expect.stringContaining("working directory"),
    });
  });
});
