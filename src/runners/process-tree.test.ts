import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { milliseconds } from "../event/clock.ts";
import { endTree, findEscapedProcesses, markValue, taskkillArguments } from "./process-tree.ts";

describe("ending a tree", () => {
  it("on Windows means taskkill with the whole tree, by force", () => {
    expect(taskkillArguments(42)).toEqual(["/pid", "42", "/T", "/F"]);
  });

  it("leaves alone what neither is in the group nor carries the mark", async () => {
    const ours = sleeper({ SLUICE_RUN: "aa" });
    const strangers = ["bb", "", "aa0", "0aa"].map((run) => sleeper({ SLUICE_RUN: run, OTHER: "aa" }));
    endTree({ pid: ours.child.pid ?? 0, mark: "aa", startedAt: milliseconds() }, "SIGKILL", false);
    expect(await ours.ended).toEqual([null, "SIGKILL"]);
    for (const { child, ended } of strangers) {
      child.kill("SIGTERM");
      expect(await ended).toEqual([null, "SIGTERM"]);
    }
  });

  it("that is gone already is no trouble", async () => {
    const child = spawn("true", { detached: true, stdio: "ignore" });
    await once(child, "exit");
    endTree({ pid: child.pid ?? 0, mark: "0123456789abcdef", startedAt: milliseconds() }, "SIGKILL", true);
    endTree({ pid: child.pid ?? 0, mark: "0123456789abcdef", startedAt: milliseconds() }, "SIGTERM", true);
    expect(child.exitCode).toBe(0);
  });
});

function sleeper(env: Record<string, string>) {
  const child = spawn("sleep", ["60"], { detached: true, env: { ...process.env, ...env }, stdio: "ignore" });
  return { child, ended: once(child, "exit") };
}

const started: ChildProcess[] = [];
afterEach(async () => {
  for (const child of started.splice(0)) {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
});

describe("a run's mark", () => {
  it("stands alone, or behind the mark of the run it is in", () => {
    expect(markValue(undefined, "b2")).toBe("b2");
    expect(markValue("a1", "b2")).toBe("a1.b2");
    expect(markValue("a1.b2", "c3")).toBe("a1.b2.c3");
    expect(markValue("", "b2")).toBe("b2");
    expect(markValue("some words", "b2")).toBe("b2");
  });

  it("is found in processes younger than the run, in whatever group, and a run inside a run is found by both", async () => {
    const leader = await escapingSleeper("");
    const [stray, inner] = [await escapingSleeper("a1"), await escapingSleeper("a1.b2")];
    await escapingSleeper("b2a1");
    expect(find(leader, "a1")).toEqual(seen(stray, inner));
    expect(find(leader, "b2")).toEqual(seen(inner));
    expect(find(leader, "c3")).toEqual([]);
    expect(find(inner, "a1")).toEqual([]);
  });

  it("is looked for everywhere when process ids may have begun anew", async () => {
    const stray = await escapingSleeper("a1");
    const leader = await escapingSleeper("");
    expect(find(leader, "a1", -3_600_000)).toEqual(seen(stray));
    expect(find(2 ** 30, "a1")).toEqual(seen(stray));
  });
});

function find(pid: number, mark: string, age = 0): number[] {
  return findEscapedProcesses({ pid, mark, startedAt: milliseconds() + age }).map((stray) => stray.pid);
}

/** Only Linux shows the environment of another process. */
function seen(...pids: readonly number[]): number[] {
  return process.platform === "linux" ? [...pids] : [];
}

async function escapingSleeper(run: string): Promise<number> {
  const child = spawn("sleep", ["60"], { env: { ...process.env, SLUICE_RUN: run }, stdio: "ignore" });
  started.push(child);
  await once(child, "spawn");
  return child.pid ?? 0;
}
