import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { milliseconds } from "../event/clock.ts";
import { endTree, taskkillArguments } from "./process-tree.ts";

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
