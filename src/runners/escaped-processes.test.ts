import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { milliseconds } from "../event/clock.ts";
import { findEscapedProcesses, markValue } from "./escaped-processes.ts";

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
    const leader = await sleeper("");
    const [stray, inner] = [await sleeper("a1"), await sleeper("a1.b2")];
    await sleeper("b2a1");
    expect(find(leader, "a1")).toEqual(seen(stray, inner));
    expect(find(leader, "b2")).toEqual(seen(inner));
    expect(find(leader, "c3")).toEqual([]);
    expect(find(inner, "a1")).toEqual([]);
  });

  it("is looked for everywhere when process ids may have begun anew", async () => {
    const stray = await sleeper("a1");
    const leader = await sleeper("");
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

async function sleeper(run: string): Promise<number> {
  const child = spawn("sleep", ["60"], { env: { ...process.env, SLUICE_RUN: run }, stdio: "ignore" });
  started.push(child);
  await once(child, "spawn");
  return child.pid ?? 0;
}
