import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { handOverLockFile, lockAt, releaseLockFile, takeLockFile, whileLocked } from "./lock.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "sluice-lock-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** The id of a process that has ended. */
function endedProcess(): number {
  return spawnSync(process.execPath, ["-e", ""]).pid;
}

/** Runs code in a process of its own, with the functions of the lock at hand. */
function started(code: string) {
  const lock = pathToFileURL(join(inject("programs"), "lock.mjs"));
  const script = `import(${JSON.stringify(lock)}).then((lock) => { ${code} });`;
  return spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
}

describe("a lock that processes wait for", () => {
  it("is held by one of them at a time", async () => {
    const at = folder();
    const counter = join(at, "counter");
    writeFileSync(counter, "0");
    const code = `const fs = require("node:fs");
      for (let turn = 0; turn < 40; turn++) lock.whileLocked(${JSON.stringify(join(at, "lock"))}, () => {
        const before = Number(fs.readFileSync(${JSON.stringify(counter)}, "utf8"));
        fs.writeFileSync(${JSON.stringify(counter)}, String(before + 1));
      }, 20000);`;
    const ends = await Promise.all([1, 2, 3].map(() => once(started(code), "exit")));
    expect(ends.map(([exit]) => exit)).toEqual([0, 0, 0]);
    expect(readFileSync(counter, "utf8")).toBe("120");
    expect(readdirSync(at)).toEqual(["counter"]);
  });

  it("cannot be taken while its owner runs, and can after the owner is killed", async () => {
    const path = join(folder(), "lock");
    const owner = started(`lock.whileLocked(${JSON.stringify(path)}, () => {
      require("node:fs").writeSync(1, "held"); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60000); });`);
    await once(owner.stdout, "data");
    expect(whileLocked(path, () => "taken", 50)).toBeUndefined();
    expect(Number.parseInt(readFileSync(path, "utf8"), 10)).toBe(owner.pid);
    owner.kill("SIGKILL");
    await once(owner, "exit");
    expect(whileLocked(path, () => "taken")).toBe("taken");
  });

  it.runIf(process.platform === "linux")("is taken over if its owner's id belongs to another process now", () => {
    const path = join(folder(), "lock");
    writeFileSync(path, `${process.ppid}@1-x-1`);
    expect(whileLocked(path, () => "taken", 20_000)).toBe("taken");
  });

  it("is taken over with the file of an owner that has ended", () => {
    const at = folder();
    const owner = `${endedProcess()}-abc-1`;
    writeFileSync(join(at, "lock"), owner);
    writeFileSync(join(at, `lock.${owner}`), owner);
    expect(whileLocked(join(at, "lock"), () => "taken", 20_000)).toBe("taken");
    expect(readdirSync(at)).toEqual([]);
  });

  it("without an owner is being created, and is left alone for a while", () => {
    const at = folder();
    writeFileSync(join(at, "lock"), "");
    mkdirSync(join(at, "older-lock"));
    expect(whileLocked(join(at, "lock"), () => "taken", 20)).toBeUndefined();
    expect(whileLocked(join(at, "older-lock"), () => "taken", 20)).toBeUndefined();
  });

  it("is shared by consecutive calls, and released before the next task", async () => {
    // A pause of this process between the two calls would end the sharing.
    const clock = vi.spyOn(performance, "now").mockReturnValue(1);
    onTestFinished(() => clock.mockRestore());
    const path = join(folder(), "lock");
    const released: string[] = [];
    const lock = lockAt(path, () => released.push("released"));
    expect([lock.whileHeld((isFresh) => isFresh), lock.whileHeld((isFresh) => isFresh)]).toEqual([true, false]);
    expect([existsSync(path), released]).toEqual([true, []]);
    await Promise.resolve();
    expect([existsSync(path), released]).toEqual([false, ["released"]]);
    lock.close();
  });

  it("is released when the function throws", () => {
    const at = folder();
    expect(() =>
      whileLocked(join(at, "lock"), () => {
        throw new Error("broken");
      }),
    ).toThrow("broken");
    expect(readdirSync(at)).toEqual([]);
  });

  it("that another process has taken over is not removed by its former owner", () => {
    const at = folder();
    const path = join(at, "lock");
    const released: string[] = [];
    const lock = lockAt(path, () => released.push("released"));
    lock.whileHeld(() => {
      rmSync(path);
      writeFileSync(path, `${process.ppid}-x-1`);
    });
    lock.close();
    expect(readFileSync(path, "utf8")).toBe(`${process.ppid}-x-1`);
    expect(released).toEqual([]);
  });
});

describe("a lock file that is taken at once or not at all", () => {
  it("is refused while its owner runs, also to this process", () => {
    const path = join(folder(), "lock");
    expect([takeLockFile(path, 5000), takeLockFile(path, 5000)]).toEqual([true, false]);
    releaseLockFile(path);
    expect(takeLockFile(path, 5000)).toBe(true);
  });

  it("ends with its owner, or after its time", async () => {
    const at = folder();
    const path = join(at, "lock");
    writeFileSync(path, String(endedProcess()));
    expect(takeLockFile(path, 5000)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(takeLockFile(path, 20)).toBe(true);
    expect(readdirSync(at)).toEqual(["lock"]);
  });

  it("belongs to the process to which it was handed over, and only that one releases it", () => {
    const path = join(folder(), "lock");
    takeLockFile(path, 5000);
    handOverLockFile(path, process.ppid);
    releaseLockFile(path);
    expect(Number.parseInt(readFileSync(path, "utf8"), 10)).toBe(process.ppid);
    handOverLockFile(path, process.pid);
    expect(Number.parseInt(readFileSync(path, "utf8"), 10)).toBe(process.ppid);
    expect(takeLockFile(path, 5000)).toBe(false);
  });
});
